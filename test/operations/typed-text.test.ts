import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSubscription } from '../../src/features/alerts/operations/spec.ts';
import { parseAuditFilter } from '../../src/features/administration/show-audit.ts';
import { catalog } from '../../src/operations/catalog.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { InvalidInputError } from '../../src/operations/text-input.ts';
import { typedFilter, parseCommandLine } from '../support/parse-line.ts';
import {
  formatMention,
  mentionsInWords,
  parseMention,
  partsOf,
  quote,
  splitList,
  splitPeople,
  tokenize,
  unquote,
} from '../../src/operations/typed-text.ts';
import { commandAndVerb, isTyped } from '../../src/operations/line/line.ts';

const shortly = (text: string) => tokenize(text).map(({ kind, text: part }) => `${kind}: ${part}`);

describe('what is typed', () => {
  test.each([
    ['', []],
    [' \n ', []],
    ['Fire  safety', ['word: Fire', 'word: safety']],
    ['"Fire safety" failed', ['quoted: Fire safety', 'word: failed']],
    ['« Fire safety » failed', ['quoted: Fire safety', 'word: failed']],
    ['"The „best“ quiz" x', ['quoted: The „best“ quiz', 'word: x']],
    ['„Das „beste“ Quiz“ x', ['quoted: Das „beste“ Quiz', 'word: x']],
    ['«A «B» C» x', ['quoted: A «B» C', 'word: x']],
    ['"The «best» quiz" x', ['quoted: The «best» quiz', 'word: x']],
    ['"5"" pipe" x', ['quoted: 5" pipe', 'word: x']],
    ['5" pipe 6" pipe', ['word: 5"', 'word: pipe', 'word: 6"', 'word: pipe']],
    ['"Fire" "aid"', ['quoted: Fire', 'quoted: aid']],
    ['"never closed and more', ['quoted: never closed and more']],
    ['"not"here"', ['quoted: not"here']],
    ["O'Brien’s quiz", ["word: O'Brien’s", 'word: quiz']],
    ["'O'Brien' x", ["quoted: O'Brien", 'word: x']],
    ["'Tis the season", ["word: 'Tis", 'word: the', 'word: season']],
    ["the trainers' guide", ['word: the', "word: trainers'", 'word: guide']],
    ["rock ' n ' roll", ['word: rock', "word: '", 'word: n', "word: '", 'word: roll']],
    ['below 62,5 %', ['word: below', 'word: 62,5', 'word: %']],
    ['Onboarding, week 1', ['word: Onboarding,', 'word: week', 'word: 1']],
    ['"a","b";\'c\'', ['quoted: a', 'separator: ,', 'quoted: b', 'separator: ;', 'quoted: c']],
    ['rosa,"b c"', ['word: rosa', 'separator: ,', 'quoted: b c']],
    ['a , b', ['word: a', 'separator: ,', 'word: b']],
    ['person:U1|rosa channel:C1', ['mention: person:U1|rosa', 'mention: channel:C1']],
    ['rosa,person:U1|rosa,x', ['word: rosa', 'separator: ,', 'mention: person:U1|rosa', 'separator: ,', 'word: x']],
    ['xperson:U1 channel:surfing person:', ['word: xperson:U1', 'word: channel:surfing', 'word: person:']],
    ['"person:U1"', ['quoted: person:U1']],
  ])('as %s is parted', (text, tokens) => {
    expect(shortly(text)).toEqual(tokens);
  });

  test('knows where its tokens stand', () => {
    const text = ' a "b c", person:U1';
    expect(tokenize(text).map(({ start, end }) => text.slice(start, end))).toEqual(['a', '"b c"', ',', 'person:U1']);
    expect(partsOf(text).map(({ kind }) => kind)).toEqual(['word', 'quoted', 'mention']);
  });

  test.each([
    ['"Fire safety"', 'Fire safety'],
    ['  Fire safety ', 'Fire safety'],
    ['"Fire" safety', '"Fire" safety'],
    ['"Fire" "safety"', '"Fire" "safety"'],
    ['', ''],
  ])('as %s is %s without quotation marks', (text, plain) => {
    expect(unquote(text)).toBe(plain);
  });

  test.each([
    ['Rosa Almeida, ravi@quiz.example; Fire crew', ['Rosa Almeida', 'ravi@quiz.example', 'Fire crew']],
    ['"Rosa, the first" Fire crew «x;y»', ['Rosa, the first', 'Fire crew', 'x;y']],
    ['person:U1|rosa person:U2 Rosa Almeida,person:U3', ['person:U1|rosa', 'person:U2', 'Rosa Almeida', 'person:U3']],
    ["O'Brien, 'Fire crew',,", ["O'Brien", 'Fire crew']],
    [' , ; ', []],
  ])('as %s is a list', (text, parts) => {
    expect(splitList(text)).toEqual(parts);
  });

  test('tells mentions in words', () => {
    expect(mentionsInWords('ask person:U1|rosa, person:U2 or channel:C1|training')).toBe('ask @rosa, @U2 or #training');
    expect(mentionsInWords('"person:U1|rosa"')).toBe('"person:U1|rosa"');
  });
});

describe('a mention', () => {
  test('is written and read', () => {
    const mention = fc.record({
      kind: fc.constantFrom('person' as const, 'channel' as const),
      id: fc.stringMatching(/^[A-Z0-9]+$/),
      name: fc.option(fc.stringMatching(/^[^\s,;|]+$/u), { nil: undefined }),
    });
    fc.assert(
      fc.property(mention, (one) => {
        expect(parseMention(formatMention(one))).toEqual(one);
      }),
    );
  });

  test('is one token, whatever the name is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const text = formatMention({ kind: 'person', id: 'U1', name });
        expect(shortly(`a ${text} b`)).toEqual(['word: a', `mention: ${text}`, 'word: b']);
      }),
    );
  });

  test.each(['', 'rosa', 'person:rosa', 'person:U1 ', ' person:U1', 'person:U1|a b', 'group:U1', '<@U1>'])(
    'is not %j',
    (text) => {
      expect(parseMention(text)).toBeUndefined();
    },
  );
});

/** Texts of which tokenizers are afraid. */
const marks = fc.constantFrom(
  '"',
  '“',
  '”',
  '„',
  '«',
  '»',
  '‹',
  '›',
  "'",
  '‘',
  '’',
  '「',
  '」',
  ',',
  ';',
  ' ',
  '\n',
  '|',
  'person:U1',
  'channel:C1|x',
  'to',
  'for',
  'since',
  '--reason',
  '<@U1|x>',
  '<',
  '>',
  '\\',
  '\ud800',
);
const anyText = fc
  .array(fc.oneof(marks, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 30 })
  .map((parts) => parts.join(''));

describe('a quoted name', () => {
  test.each([[undefined], [['“', '”'] as const]])('is given back whatever it is, in %j', (pair) => {
    fc.assert(
      fc.property(anyText, (name) => {
        expect(unquote(quote(name, pair))).toBe(name.trim());
        expect(shortly(`a ${quote(name, pair)} b`)).toEqual(['word: a', `quoted: ${name.trim()}`, 'word: b']);
        expect(splitList(`a, ${quote(name, pair)}; b`)).toEqual(['a', name.trim(), 'b'].filter((part) => part !== ''));
      }),
    );
  });

  test('is never parted by any verb', () => {
    fc.assert(
      fc.property(
        anyText.filter(
          (name) => name.trim() !== '' && !/[<>&]/.test(name) && mentionsInWords(name.trim()) === name.trim(),
        ),
        (name) => {
          const line = parseCommandLine(
            catalog,
            '/quiz',
            `rename ${quote(name)} to ${quote(name)} --reason ${quote(name)}`,
          );
          expect(line.kind === 'operation' && line.inputs).toEqual([
            { quiz: [name.trim()], name: [name.trim()], reason: [name.trim()] },
          ]);
        },
      ),
    );
  });
});

test('the tokens of any text cover all of it but white space, in order', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let from = 0;
      for (const { start, end } of tokenize(text)) {
        expect(text.slice(from, start).trim()).toBe('');
        expect(end).toBeGreaterThan(start);
        from = end;
      }
      expect(text.slice(from).trim()).toBe('');
    }),
  );
});

type Readers = Record<string, (text: string) => unknown>;

const readersOfParts: Readers = {
  tokenize,
  splitList,
  splitPeople,
  unquote,
  mentionsInWords,
  parseAuditFilter: (text) => parseAuditFilter(text, { timeZone: 'UTC', nowMs: 0, me: 'UADA' }),
};

const readersOf = (operations: readonly Operation[]): Readers =>
  Object.fromEntries(
    operations.map((operation) => {
      const { command, verb } = commandAndVerb(operation);
      return [`${command} ${verb}`, (text: string) => parseCommandLine(catalog, command, `${verb} ${text}`)];
    }),
  );

const typed = catalog.filter(isTyped);
const readers: Readers = {
  ...readersOfParts,
  parseSubscription,
  typedFilter: (text) => typedFilter(text),
  ...readersOf(typed),
};

/** Nothing, or the refusal with which it may end. */
function problemOf(read: () => unknown): unknown {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof InvalidInputError ? undefined : error;
  }
}

test.each(Object.entries(readers))('%s reads or refuses any text', (_, read) => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(problemOf(() => read(text))).toBeUndefined();
    }),
  );
});

const hostile = [
  '"',
  "'",
  "'a ",
  '"a ',
  '" "" ',
  '«',
  '»a ',
  'person:',
  'person:A',
  ',person:A|',
  ',"',
  ' to',
  ' for 1',
  '<@',
  '<@U1|',
  '<http:',
  '&lt;',
  ' --reason',
  '“”',
  '‘a’ ',
  '\\',
];

/** In CPU time of this thread, which counts in steps of a few milliseconds: many readings make one measure. */
function msToRead(read: (text: string) => unknown, text: string, times: number): number {
  const before = process.threadCpuUsage();
  for (let count = 0; count < times; count += 1) problemOf(() => read(text));
  return process.threadCpuUsage(before).user / 1_000 / times;
}

/** Nothing that takes no longer has to be compared: many times what the thread’s time is counted in. */
const shortMs = 6;

/** The best of three counts. */
const leastMsToRead = (...reading: Parameters<typeof msToRead>) =>
  Math.min(...[1, 2, 3].map(() => msToRead(...reading)));

/** The parts whose text takes far more than the square of its length: sixteen times as long, and more than a thousand times the time. */
function partsReadTooSlowly(read: (text: string) => unknown, parts: readonly string[]): string[] {
  return parts.filter((part) => {
    const textOf = (letters: number) => part.repeat(Math.ceil(letters / part.length));
    const firstMs = msToRead(read, textOf(1_024), 1);
    if (firstMs <= shortMs) return false;
    // Far from the limit, one short count will do.
    if (firstMs < 200 * msToRead(read, textOf(64), 16)) return false;
    const longMs = leastMsToRead(read, textOf(1_024), 1);
    return longMs > shortMs && longMs > 1_000 * leastMsToRead(read, textOf(64), 64);
  });
}

/** Commands whose lines are read by the same code, one for all. */
const ofEachKind = [
  ...Map.groupBy(typed, ({ access, fields, parse }) =>
    [
      access === 'read',
      ...Object.values(fields).flatMap((field) => (field.typedOnly ? [] : [field.kind])),
      parse,
    ].join(),
  ).values(),
].flatMap(([operation]) => operation ?? []);

test.each(Object.entries({ ...readersOfParts, ...readersOf(ofEachKind) }))(
  '%s takes little more than the square of the length for any text',
  (_, read) => {
    expect(partsReadTooSlowly(read, hostile)).toEqual([]);
  },
);

test('who is excused is read in a time that grows with the words of the line', () => {
  const excuse = readersOf(typed)['/quiz-campaign excuse']!;
  const msOf = (times: number) => leastMsToRead(excuse, 'from rosa '.repeat(times), Math.ceil(100 / times));
  expect(msOf(1_000)).toBeLessThan(150 * msOf(32));
});

test('a reader that goes through all letters of all texts within a text is too slow', () => {
  let spaces = 0;
  const goesThroughAll = (text: string) => {
    for (let from = 0; from < text.length; from += 2)
      for (let to = from; to < text.length; to += 2)
        for (let at = from; at < to; at += 2) spaces += text.charCodeAt(at) === 32 ? 1 : 0;
  };
  expect(partsReadTooSlowly(goesThroughAll, [' to'])).toEqual([' to']);
  expect(spaces).toBeGreaterThan(0);
  expect(partsReadTooSlowly(tokenize, [' to'])).toEqual([]);
});

test.each([
  ['rosa, kim and person:U1|zoe', ['rosa', 'kim', 'person:U1|zoe']],
  ['“Rosa and Kim” & Ferdinand; Andy', ['Rosa and Kim', 'Ferdinand', 'Andy']],
  ['and', []],
  ['Rosa Almeida', ['Rosa Almeida']],
])('several people in “%s” are %j', (text, people) => {
  expect(splitPeople(text)).toEqual(people);
});

test('a user group is a mention', () => {
  const text = formatMention({ kind: 'usergroup', id: 'S1', name: 'kitchen-team' });
  expect(parseMention(text)).toEqual({ kind: 'usergroup', id: 'S1', name: 'kitchen-team' });
  expect(mentionsInWords(`ask ${text}`)).toBe('ask @kitchen-team');
});
