import { describe, expect, test } from 'vitest';
import { plainSentence } from '../../../src/domain/said.ts';
import { resolveField, resolveLikeliest, type ResolvedInput } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { TextInput } from '../../../src/operations/text-input.ts';
import { serviceError } from '../../support/builders/governance.ts';
import { openHouse } from '../../support/house.ts';

type Readings = readonly [TextInput, ...TextInput[]];

async function open() {
  const house = openHouse();
  const reader = await house.readerFor('UADA');
  const read = (operation: string, inputs: Readings, rivals: readonly TextInput[] = [], rescues?: TextInput[]) =>
    resolveLikeliest(operationNamed(operation)!, inputs, reader, rescues, rivals);
  return { ...house, reader, read };
}

const labelsOf = (found: ResolvedInput) =>
  found.kind === 'unclear' ? found.candidates.map(({ label }) => plainSentence(label)) : found.kind;

// Pressed, the button of a name would do what the line doesn’t say.
describe('beside a name that nothing has', () => {
  const rosa = ['Rosa Almeida'];
  test.each<[string, string, string, string[], string | undefined]>([
    ['suspend-user', 'user', 'rosi', rosa, undefined],
    ['suspend-user', 'user', 'rosi almeida', rosa, undefined],
    ['suspend-user', 'user', 'rosaalmeida', rosa, undefined],
    ['suspend-user', 'user', 'almeida, rosi', rosa, undefined],
    ['suspend-user', 'user', 'the user rosi almeida', rosa, undefined],
    ['suspend-user', 'user', 'almeida rosi !', rosa, undefined],
    ['suspend-user', 'user', 'not rosa', [], 'not'],
    ['suspend-user', 'user', 'rosa tomorrow', [], 'tomorrow'],
    ['suspend-user', 'user', 'rosi almeida,ravi & kim', [], 'ravi kim'],
    ['suspend-user', 'user', 'everyone', [], 'everyone'],
    ['close-quiz', 'quiz', 'laders', ['Ladders'], undefined],
    ['close-quiz', 'quiz', 'the laders quiz', ['Ladders'], undefined],
    ['close-quiz', 'quiz', 'fire safty', ['Fire safety'], undefined],
    ['close-quiz', 'quiz', 'fire saftey-now', [], 'saftey-now'],
    ['close-quiz', 'quiz', 'zzz yyy', [], undefined],
    // What only shows something does no harm, a preview of a change does.
    ['show-user', 'user', 'rosi almeida tomorrow', rosa, undefined],
    ['start-campaign', 'quiz', 'fire safty now', [], 'now'],
  ])('%s offers for its %s “%s” the nearest names without strange words: %j (%s)', async (...row) => {
    const [operation, field, typed, labels, strange] = row;
    const found = await (await open()).read(operation, [{ [field]: [typed] }]);
    expect(labelsOf(found)).toEqual(labels);
    expect(found).toMatchObject({ kind: 'unclear', typed, isAlike: false });
    expect('strange' in found ? found.strange : undefined).toBe(strange);
    expect(found.kind === 'unclear' && labels.length > 0 ? found.count : 0).toBe(labels.length);
  });

  test('and of several nearest names, those with each of its words are offered and counted', async () => {
    const { read, account, directory } = await open();
    account.quizzes[1]!.name = 'Fire safety drill';
    await directory.quizzes.refresh();
    const found = await read('close-quiz', [{ quiz: ['fire safty drill'] }]);
    expect(labelsOf(found)).toEqual(['Fire safety drill']);
    expect(found).toHaveProperty('count', 1);
  });

  test('what several things are called is offered whole, also where it means everyone', async () => {
    const { read, account, directory } = await open();
    for (const [at, name] of ['Everyone one', 'Everyone two'].entries()) account.quizzes[at]!.name = name;
    await directory.quizzes.refresh();
    expect(labelsOf(await read('close-quiz', [{ quiz: ['everyone'] }]))).toEqual(['Everyone one', 'Everyone two']);
  });

  test('the service is not asked again where several things are called so', async () => {
    const { read, clock, asks } = await open();
    await read('close-quiz', [{ quiz: ['fire'] }]);
    clock.now += 10_000;
    asks();
    await read('close-quiz', [{ quiz: ['fire'] }]);
    expect(asks()).toEqual([]);
  });
});

describe('a line that can be read in several ways', () => {
  const to = (quiz: string, more: TextInput = {}): TextInput => ({ quiz: [quiz], name: ['Steps'], ...more });
  const named = (quiz: string) => ({ kind: 'read', input: { quiz: { name: quiz } } });
  const meanings = (...candidates: { label: string; input: TextInput }[]) => ({
    kind: 'unclear',
    noun: 'meaning',
    field: 'quiz',
    typed: 'ladders',
    isAlike: true,
    candidates: candidates.map((one) => ({ value: '', ...one })),
  });
  const ladders = { label: 'Rename “Ladders” to “Steps”', input: to('q-3') };
  const drill = { label: 'Rename “Fire drill” to “Steps”', input: to('q-2') };

  test.each<[string, Readings, readonly TextInput[], object]>([
    ['both of which make sense', [to('ladders')], [to('fire drill')], meanings(ladders, drill)],
    [
      'one of which makes sense and one fits several things',
      [to('ladders')],
      [to('fire')],
      meanings(ladders, { label: 'Quiz', input: to('fire') }),
    ],
    [
      'each with its reason',
      [to('ladders', { reason: ['Old'] })],
      [to('fire drill', { reason: ['New'] })],
      meanings(
        { ...ladders, input: to('q-3', { reason: ['Old'] }) },
        { ...drill, input: to('q-2', { reason: ['New'] }) },
      ),
    ],
    ['the usual of which alone makes sense', [to('ladders')], [to('moon')], named('Ladders')],
    ['the rival of which alone makes sense', [to('moon')], [to('sun'), to('fire drill')], named('Fire drill')],
    ['neither of which means anything', [to('moon')], [to('sun')], { kind: 'unclear', typed: 'moon' }],
    [
      'the rival of which is nearer to a name',
      [to('moon')],
      [to('laders')],
      { kind: 'unclear', typed: 'laders', input: to('laders'), candidates: [{ label: 'Ladders' }] },
    ],
    ['the rival of which is near to a part of a line', [to('moon')], [to('fire safty now')], { typed: 'moon' }],
    ['both of which are near to a name', [to('laders')], [to('drills')], { typed: 'laders' }],
    ['the rival of which is wrong', [to('moon')], [to('sun', { name: ['x'.repeat(500)] })], { typed: 'moon' }],
    ['the usual of which lacks something', [{ quiz: ['ladders'] }], [to('fire drill')], { kind: 'incomplete' }],
  ])('as two things, %s', async (_, inputs, rivals, expected) => {
    const found = await (await open()).read('rename-quiz', inputs, rivals);
    const plain =
      found.kind === 'unclear'
        ? { ...found, candidates: found.candidates.map((one) => ({ ...one, label: plainSentence(one.label) })) }
        : found;
    expect(plain).toMatchObject(expected);
  });

  const asMoon = { user: ['rosa'], user_type: ['moon'] };
  test.each<[string, string, Readings, object]>([
    ['the likeliest', 'rename-quiz', [to('ladders'), to('fire drill')], named('Ladders')],
    ['the likeliest that makes sense', 'rename-quiz', [to('moon'), to('ladders'), to('fire drill')], named('Ladders')],
    [
      'the first whose names fit several things where none does',
      'rename-quiz',
      [to('moon'), to('sun'), to('fire'), to('e')],
      { typed: 'fire', input: to('fire') },
    ],
    [
      'the first with a clause that makes no sense where nothing fits either',
      'update-user',
      [{ user: ['moon'] }, asMoon],
      { clause: { typed: 'moon' } },
    ],
    ['the likeliest where nothing is known of any', 'rename-quiz', [to('moon'), to('sun')], { typed: 'moon' }],
  ])('is %s', async (_, operation, inputs, expected) => {
    const found = await (await open()).read(operation, inputs);
    expect(found).toMatchObject(expected);
    expect('input' in found).toBe('input' in expected);
  });

  test.each<[string, TextInput, object]>([
    [
      'lacks something is not read otherwise: a part of a name never becomes something else',
      { quiz: ['ladders'] },
      { kind: 'incomplete', field: 'name' },
    ],
    ['lacks something and is wrong besides is read otherwise', { name: ['x'.repeat(500)] }, named('Ladders')],
    ['names nothing is read otherwise', { quiz: ['no such quiz'] }, named('Ladders')],
  ])('and %s', async (_, input, expected) => {
    expect(await (await open()).read('rename-quiz', [input], [], [to('sun'), to('ladders')])).toMatchObject(expected);
  });
});

describe('a clause that makes no sense', () => {
  test.each<[string[], string | undefined]>([
    [['moon'], 'as'],
    [['as moon'], undefined],
    [['As moon'], undefined],
    [['type moon'], undefined],
    // Also in another language of the bot.
    [['als moon'], undefined],
    [['asmoon'], 'as'],
    [['moon as '], 'as'],
    [['moon', 'sun'], 'as'],
  ])('is told with what was typed (%j), and the word that it lacks: %s', async (typed, word) => {
    const { reader } = await open();
    const field = operationNamed('update-user')!.fields['user_type']!;
    const found = await resolveField('it', field, typed, reader);
    const { clause, ...rest } = found as typeof found & { clause?: { typed: string; word?: string; example: string } };
    expect(rest).toEqual({ kind: 'invalid', field: 'it', message: expect.stringContaining('Choose') });
    expect({ ...clause, example: plainSentence(clause!.example) }).toEqual({
      typed: typed.join(', '),
      word,
      example: 'as trainer',
    });
  });

  test('is told alone where the message explains it', async () => {
    const { reader } = await open();
    const clause = { words: ['as'], example: 'as trainer' };
    const field = { kind: 'choice', label: 'It', options: [], unknown: () => 'No such thing.', clause } as const;
    expect(await resolveField('it', field, ['moon'], reader)).toEqual({
      kind: 'invalid',
      field: 'it',
      message: 'No such thing.',
      clause: { typed: 'moon', word: 'as', example: 'as trainer', isExplained: true },
    });
  });
});

describe('a name that nothing has in the lists', () => {
  const close = operationNamed('close-quiz')!;
  const brandNew = { quiz_id: 'q-9', name: 'Brand new', status: 'open' as const, date_created: new Date(0) };

  test('is looked for in the service once before it is said to be nobody’s', async () => {
    const { reader, account, clock, calls } = await open();
    await resolveLikeliest(close, [{ quiz: ['fire safety'] }], reader);
    account.quizzes.push(brandNew);
    clock.now += 10_000;
    calls.length = 0;
    expect(await resolveLikeliest(close, [{ quiz: ['brand new'] }], reader)).toMatchObject({
      kind: 'read',
      input: { quiz: { quiz_id: 'q-9' } },
    });
    expect(await resolveLikeliest(close, [{ quiz: ['moon'] }], reader)).toMatchObject({
      kind: 'unclear',
      typed: 'moon',
    });
    expect(calls.map(({ call }) => call)).toEqual(['quizzes.list']);
  });

  test('is looked for in a long list, too, for five seconds; then it is read in the background', async () => {
    const { reader: opened, account, clock, calls, faults } = await open();
    const reader = { ...opened, call: {} };
    const many = Array.from({ length: 2_001 }, (_, n) => ({ ...brandNew, quiz_id: `many-${n}`, name: `Test ${n}` }));
    account.quizzes.push(...many);
    await resolveLikeliest(close, [{ quiz: ['fire safety'] }], reader);
    await reader.directory.quizzes.refresh();
    account.quizzes.push(brandNew);
    clock.now += 10_000;
    calls.length = 0;
    expect(await resolveLikeliest(close, [{ quiz: ['brand new'] }], reader)).toMatchObject({ kind: 'read' });
    expect(calls.map(({ call, options }) => [call, options?.deadline])).toEqual([['quizzes.list', clock.now + 5_000]]);
    clock.now += 10_000;
    calls.length = 0;
    faults.set('quizzes.list', serviceError('timed out', { method: 'GET' }));
    expect(await resolveLikeliest(close, [{ quiz: ['moon'] }], reader)).toMatchObject({ kind: 'unclear' });
    expect(calls.map(({ options }) => options?.priority)).toEqual([undefined, 'background']);
  });

  test('is nobody’s where the service does not answer', async () => {
    const { reader, clock, faults, calls } = await open();
    await resolveLikeliest(close, [{ quiz: ['fire safety'] }], reader);
    clock.now += 10_000;
    faults.set('quizzes.list', new Error('away'));
    calls.length = 0;
    expect(await resolveLikeliest(close, [{ quiz: ['moon'] }], reader)).toMatchObject({
      kind: 'unclear',
      typed: 'moon',
    });
    expect(calls).toHaveLength(1);
  });
});
