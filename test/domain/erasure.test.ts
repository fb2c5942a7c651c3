import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eraserOf, type ErasedPerson } from '../../src/domain/erasure.ts';

const rosa: ErasedPerson = {
  ids: ['17', 'UROSA'],
  names: [
    ['Rosa', 'Almeida'],
    ['Rosa Lima', ''],
  ],
  addresses: ['rosa', 'rosa@quiz.example'],
  hasNamesake: false,
};
const rewritten = (value: unknown, person: Partial<ErasedPerson> = {}) =>
  JSON.parse(eraserOf({ ...rosa, ...person }).rewrite(JSON.stringify(value))) as unknown;

describe('what is stored of an erased person', () => {
  test('loses their addresses and full names wherever they are, in any case', () => {
    expect(
      rewritten({ who: 'ROSA ALMEIDA', note: 'mail rosa@Quiz.example', was: 'Rosa Lima', of: ['Rosa Almeidas'] }),
    ).toEqual({ who: 'an erased person', note: 'mail erased', was: 'an erased person', of: ['Rosa Almeidas'] });
  });

  test('loses first names, masked addresses and what was entered about them where it carries their ID', () => {
    const member = {
      userId: '17',
      name: 'Rosa',
      mail: 'r…@quiz.example',
      excused: { by: 'UADA', reason: 'in Lisbon' },
    };
    expect(rewritten({ members: [member], by: { first: 'Rosa', mail: 'r…@quiz.example' }, reason: 'late' })).toEqual({
      members: [{ userId: '17', name: 'an erased person', mail: 'erased', excused: { by: 'UADA', reason: 'erased' } }],
      by: { first: 'Rosa', mail: 'r…@quiz.example' },
      reason: 'late',
    });
  });

  test('keeps what it says of somebody else in the same place', () => {
    const value = {
      ownerId: 'UROSA',
      members: [{ userId: '18', name: 'Rosa', excused: { reason: 'ill' } }],
      input: { users: ['17', '18'], reason: ['moved'] },
    };
    expect(rewritten(value)).toEqual(value);
  });

  test('loses the reason of a request about them alone', () => {
    const request = (ids: string[]) => ({
      id: 'request-1',
      requesterId: 'UTOM',
      reason: 'left for Porto',
      input: { user: ids, because: ['in Porto'] },
      asked: {
        details: [{ label: 'Because', value: 'in Porto' }],
        targets: ids.map((id) => ({ kind: 'user', id, name: id })),
      },
    });
    expect(JSON.stringify(rewritten(request(['17'])))).not.toContain('Porto');
    const { reason, input, asked } = request(['17', '18']);
    expect(rewritten(request(['17', '18']))).toMatchObject({ reason, input, asked: { details: asked.details } });
  });

  test('loses the cells of their row in a file, and what was to be created', () => {
    expect(
      rewritten({
        rows: [
          ['Rosa', 'Almeida', 'Rosa@quiz.example'],
          ['Rosa', 'Lund', 'lund@quiz.example'],
        ],
        create: { input: { user_name: ['rosa@quiz.example'], first_name: ['Rosa'], last_name: ['Almeida'] } },
      }),
    ).toEqual({
      rows: [
        ['erased', 'erased', 'erased'],
        ['Rosa', 'Lund', 'lund@quiz.example'],
      ],
      create: { input: { user_name: ['erased'], first_name: ['erased'], last_name: ['erased'] } },
    });
  });

  test('loses a name that nobody told where their ID stands beside it, and the name of a mention', () => {
    const value = { members: [{ userId: '17', name: 'R. Lima-Almeida' }], to: ['person:UROSA|rosie, person:UTOM|tom'] };
    expect(rewritten(value, { names: [['', '']], addresses: [] })).toEqual({
      members: [{ userId: '17', name: 'an erased person' }],
      to: ['person:UROSA|erased, person:UTOM|tom'],
    });
  });

  test('keeps a namesake, whom the name alone does not tell apart', () => {
    const value = [{ userId: '17', name: 'Rosa Almeida' }, { userId: '18', name: 'Rosa Almeida' }, 'Rosa Almeida'];
    expect(rewritten(value, { hasNamesake: true })).toEqual([
      { userId: '17', name: 'an erased person' },
      value[1],
      value[2],
    ]);
  });

  test('is the very same text where nothing of them is in it, and may be no JSON', () => {
    const { rewrite } = eraserOf(rosa);
    for (const text of ['{"a": 1}', 'not JSON', '{"rosabel": 17, "prosa": "a"}']) expect(rewrite(text)).toBe(text);
    expect(rewrite('{"cut off": "rosa@quiz.example')).toBe('{"cut off": "erased');
  });
});

test('texts that were sealed together are about them by an address or a full name, or by both of what others have, too', () => {
  const { isAbout } = eraserOf(rosa);
  expect([['mail rosa@quiz.example'], ['for Rosa Almeida'], ['Rosa'], ['r…@quiz.example']].map(isAbout)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const withNamesake = eraserOf({ ...rosa, hasNamesake: true }).isAbout;
  expect([['Rosa Almeida'], ['Rosa Almeida', 'r…@quiz.example']].map(withNamesake)).toEqual([false, true]);
});

test('somebody without a name or an address is taken out of nothing', () => {
  const nobody = eraserOf({ ids: ['17'], names: [['', '']], addresses: [], hasNamesake: false });
  expect(nobody.rewrite('{"name":"a"}')).toBe('{"name":"a"}');
  expect(nobody.isAbout(['', 'a'])).toBe(false);
});

describe('whatever is stored', () => {
  /** What is known of a person, in which each text has a word of their own. */
  const personOf = (number: number) => ({
    userId: `u-${number}`,
    personId: `UP${number}`,
    first: `First${number}`,
    last: `Last${number}`,
    mail: `mail${number}@quiz.example`,
    reason: `reason${number}`,
  });
  type Person = ReturnType<typeof personOf>;
  const people = [1, 2, 3].map(personOf);
  const person = fc.constantFrom(...people);
  const full = ({ first, last }: Person) => `${first} ${last}`;
  const leaf = fc.oneof(
    person.map(full),
    person.map(({ mail }) => mail),
    person.map((one) => `${full(one)} asked ${one.mail.toUpperCase()}`),
    fc.constantFrom('Fire safety', 7, null, true),
  );
  const input = person.map((one) => ({ input: { user: [one.userId], reason: [one.reason] }, name: full(one) }));
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('state', 'rows', 'shown', 'text'), tie('node'), { maxKeys: 4 }),
      fc.tuple(person, person, fc.oneof(leaf, input)).map(([one, by, inner]) => ({
        userId: one.userId,
        name: full(one),
        excused: { by: by.personId, reason: one.reason },
        inner,
      })),
      person.map((one) => [one.first, one.last, one.mail]),
      input,
      person.map((one) => ({ [one.userId]: { reason: one.reason, first: one.first } })),
      person.map((one) => `person:${one.personId}|${one.first}`),
    ),
  }));

  const wordsOf = (value: unknown, { first, last, mail, reason }: Person) =>
    [first, last, mail, reason].map((word) => JSON.stringify(value).toLowerCase().split(word.toLowerCase()).length - 1);

  test('a person is taken out of it, the others stay, and a second time changes nothing', () => {
    const [erased, ...others] = people as [Person, ...Person[]];
    const { rewrite } = eraserOf({
      ids: [erased.userId, erased.personId],
      names: [[erased.first, erased.last]],
      addresses: [erased.mail],
      hasNamesake: false,
    });
    fc.assert(
      fc.property(node, (value) => {
        const text = rewrite(JSON.stringify(value));
        const after = JSON.parse(text) as unknown;
        expect(wordsOf(after, erased)).toEqual([0, 0, 0, 0]);
        for (const other of others) expect(wordsOf(after, other)).toEqual(wordsOf(value, other));
        expect(rewrite(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
