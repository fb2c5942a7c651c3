import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../../src/operations/catalog.ts';
import { parseCommandLine } from '../../support/parse-line.ts';
import { nearestVerbs } from '../../../src/operations/line/line.ts';

const parse = (text: string) => parseCommandLine(catalog, '/quiz', text);

describe('a command line', () => {
  test.each(['help', 'HELP'])('“%s” shows the help', (text) => {
    expect(parse(text)).toEqual({ kind: 'help', isWhole: false });
  });

  test.each(['', '  '])('“%s” shows what needs the person; of other commands, it shows the help', (text) => {
    expect(parse(text)).toMatchObject({ kind: 'operation', operation: { name: 'show-today' }, inputs: [{}] });
    expect(parseCommandLine(catalog, '/quiz-user', text)).toEqual({ kind: 'help', isWhole: false });
  });

  test('“help all” shows all of it', () => {
    expect(parse('help all')).toEqual({ kind: 'help', isWhole: true });
  });

  test('with an unknown verb returns the verb, and the rest as Slack sent it', () => {
    expect(parse(' clsoe  Fire &amp; <@U0ROSA|rosa>')).toEqual({
      kind: 'unknown',
      verb: 'clsoe',
      rest: 'Fire &amp; <@U0ROSA|rosa>',
    });
  });

  test('of another command does not match the operations of this command', () => {
    expect(parseCommandLine(catalog, '/quiz-user', 'close x')).toEqual({ kind: 'unknown', verb: 'close', rest: 'x' });
  });
});

describe('an unknown verb', () => {
  const nearest = (command: string, verb: string) =>
    nearestVerbs(catalog, command, verb).map((operation) => operation.command.split(' ').slice(0, 2).join(' '));

  test.each([
    ['/quiz', 'lst', ['/quiz list']],
    ['/quiz', 'CLSOE', ['/quiz close']],
    ['/quiz', 'reslts', ['/quiz results']],
    ['/quiz', 'res', ['/quiz results']],
    ['/quiz', 'del', ['/quiz delete', '/quiz delete-response']],
    ['/quiz', 'unclsoe', ['/quiz open']],
    ['/quiz-user', 'unsupend', ['/quiz-user reinstate']],
    ['/quiz-user', 'undelete', []],
    ['/quiz-alerts', 'stop', ['/quiz-alerts pause', '/quiz-alerts unsubscribe']],
    ['/quiz-user', 'supend', ['/quiz-user suspend']],
    ['/quiz', 'suspend', ['/quiz-user suspend']],
    ['/quiz', 'add', ['/quiz create', '/quiz-group add']],
    ['/quiz-user', 'assign', ['/quiz assign', '/quiz-group assign']],
    ['/quiz', 'pasue', ['/quiz-alerts pause']],
    ['/quiz', 'wobble', []],
    ['/quiz', 'x', []],
    ['/quiz', 'close-quiz-now', []],
  ])('%s %s resembles %j', (command, verb, expected) => {
    expect(nearest(command, verb)).toEqual(expected);
  });

  test('resembles two verbs at most, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('lst', 'opn', 'cop', 'assig', 'show', 'lis')), (verb) => {
        const found = nearestVerbs(catalog, '/quiz', verb);
        expect(found.length).toBeLessThanOrEqual(2);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });
});

test('the operation parses, and can refuse, a command line with words in any order', () => {
  expect(parseCommandLine(catalog, '/quiz-alerts', 'subscribe failed “Fire safety” <#C1|x>')).toMatchObject({
    operation: { name: 'subscribe-channel' },
    inputs: [{ quiz: ['Fire safety'], filter: ['failed'], channel: ['channel:C1|x'] }],
  });
  expect(parseCommandLine(catalog, '/quiz-alerts', 'subscribe digest weekly')).toMatchObject({
    kind: 'unreadable',
    message: expect.stringContaining('“digest weekly”'),
  });
});

describe('a command line with two values', () => {
  test('returns every possible split, at the last word first', () => {
    expect(parse('rename Intro to Introduction to safety')).toMatchObject({
      inputs: [
        { quiz: ['Intro to Introduction'], name: ['safety'] },
        { quiz: ['Intro'], name: ['Introduction to safety'] },
      ],
    });
  });
});

test('a command line of nothing but the word that parts it is read in twenty ways at most', () => {
  const line = parse(`rename ${'to '.repeat(2_000)}`);
  expect(line.kind === 'operation' && line.inputs).toHaveLength(20);
});

describe('a reason', () => {
  test.each([
    ['--reason "Left in spring"', 'Left in spring'],
    ['--reason Left in spring', 'Left in spring'],
    ['—reason=Left', 'Left'],
    ['–reason “Left, in spring”', 'Left, in spring'],
    ['--reason ask <@U0ROSA|rosa> in <#C1|training>', 'ask @rosa in #training'],
  ])('is what follows %s', (typed, reason) => {
    expect(parse(`delete Fire safety ${typed}`)).toMatchObject({
      inputs: [{ quiz: ['Fire safety'], reason: [reason] }],
    });
  });

  test.each(['delete "Fire --reason safety"', 'delete Fire--reason safety', 'delete Fire --reasonable'])(
    'is none in %s',
    (typed) => {
      expect(parse(typed)).not.toHaveProperty(['inputs', 0, 'reason']);
    },
  );
});

test('a name with a mention in it is in words, and a filter keeps it', () => {
  expect(parse('create Ask <@U0ROSA|rosa>')).toMatchObject({ inputs: [{ name: ['Ask @rosa'] }] });
  expect(parseCommandLine(catalog, '/quiz-admin', 'audit <@U0ROSA|rosa> since 7d')).toMatchObject({
    inputs: [{ filter: ['person:U0ROSA|rosa since 7d'] }],
  });
});

test('a command line with an optional second value can also be one value that contains the separating word', () => {
  expect(parse('copy Safety as usual')).toMatchObject({
    inputs: [{ quiz: ['Safety'], name: ['usual'] }, { quiz: ['Safety as usual'] }],
  });
});
