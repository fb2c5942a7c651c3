import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatSubscriptionSpec,
  parseSubscription,
  readDelivery,
  readTimeZone,
  readFilter,
} from '../../../../src/features/alerts/operations/spec.ts';
import { InvalidInputError, type TextInput } from '../../../../src/operations/text-input.ts';
import type { Delivery, Subscription, SubmissionFilter } from '../../../../src/domain/subscription.ts';

type Wished = Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/** The subscription that a line asks for, with the quiz as typed. */
function read(line: string) {
  const [typed] = parseSubscription(line);
  const one = (field: string) => typed[field]?.[0];
  const zone = one('time_zone');
  return {
    quiz: one('quiz') || undefined,
    filter: readFilter(one('filter'), one('limit')),
    delivery: readDelivery(one('delivery'), one('at')),
    timeZone: zone === undefined ? undefined : readTimeZone(zone),
    showsNames: one('names') !== 'off',
    channel: one('channel'),
  };
}

describe('a subscription line', () => {
  test('in the bot’s own words is read in one way', () => {
    fc.assert(
      fc.property(wishes, (spec) => {
        const line = formatSubscriptionSpec(spec);
        expect(parseSubscription(line)).toHaveLength(1);
      }),
    );
  });

  test('parses a formatted subscription back to the same subscription', () => {
    fc.assert(
      fc.property(wishes, (spec) => {
        const again = read(formatSubscriptionSpec(spec));
        const hasZone =
          spec.delivery.kind === 'thread' || (spec.delivery.kind === 'digest' && spec.delivery.every === 'day');
        const { quiz, timeZone, ...others } = spec;
        expect(again).toEqual({
          ...others,
          quiz: again.quiz,
          timeZone: hasZone ? timeZone : undefined,
          channel: undefined,
        });
        const isTypable =
          quiz?.name === quiz?.name.trim() &&
          quiz?.name !== '' &&
          (quiz?.name.length ?? 0) <= 100 &&
          !/\p{C}/u.test(quiz?.name ?? '');
        expect(again.quiz).toBe(isTypable ? quiz?.name : quiz?.id);
      }),
    );
  });

  test('is parsed or refused for any input', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string({ unit: 'grapheme' })), { maxLength: 8 }), (parts) => {
        expect(isReadOrRefused(parts.join(' '))).toBe(true);
      }),
    );
  });
});

describe('what a subscription lacks or cannot have', () => {
  test.each([
    [
      'delivery',
      () => parseSubscription('digest weekly'),
      'I don’t know “digest weekly”. Try digest hourly, or digest daily 08:30.',
    ],
    ['delivery', () => parseSubscription('digest monthly for all'), 'I don’t know “digest monthly”.'],
    ['delivery', () => parseSubscription('digest for all every week'), 'I don’t know “digest week”.'],
    ['delivery', () => parseSubscription('digest wöchentlich'), 'I don’t know “digest weekly”.'],
    ['delivery', () => parseSubscription('Fire digest yearly'), 'I don’t know “digest yearly”.'],
    ['delivery', () => parseSubscription('Fire digest "yearly"'), 'I don’t know “digest yearly”.'],
    [
      'delivery',
      () => parseSubscription('digest'),
      '“digest” needs hourly, or daily and a time, for example digest daily 08:30.',
    ],
    ['limit', () => readFilter('below', undefined), '“below” needs a percentage up to 100, for example below 60.'],
    ['limit', () => readFilter('below', '200'), 'I don’t know “below 200”. Try below 60.'],
    ['limit', () => readFilter('grade', undefined), '“grade” needs a grade, for example grade B.'],
    ['limit', () => readFilter('passed', '60'), '“60” needs “below” or “grade” before it, for example below 60.'],
    ['limit', () => readFilter('all', 'B'), '“B” needs “below” or “grade” before it, for example below 60.'],
    ['at', () => readDelivery(undefined, '8am'), '“8am” is only for a daily digest, for example digest daily 08:30.'],
    ['at', () => readDelivery('hourly', '8am'), '“8am” is only for a daily digest, for example digest daily 08:30.'],
    ['at', () => readDelivery('daily', 'lots'), '“lots” isn’t a time of day. Try 8am or 08:30.'],
    ['time_zone', () => readTimeZone('Mars/Olympus'), '“Mars/Olympus” isn’t a time zone.'],
  ])('is said at the %s: %s: %s', (field, parse, refusal) => {
    expect(parse).toThrow(InvalidInputError);
    expect(parse).toThrow(expect.objectContaining({ field, message: expect.stringContaining(refusal) }));
  });

  test.each([
    [undefined, '09:00'],
    ['8am', '08:00'],
    ['8:05', '08:05'],
    ['24:00', '00:00'],
  ])('a daily digest at %s comes at %s', (at, time) => {
    expect(readDelivery('daily', at)).toEqual({ kind: 'digest', every: 'day', at: time });
  });

  const quiz = (name: string) => ({ quiz: [name] });

  test.each<[line: string, ...readings: TextInput[]]>([
    ['', {}],
    ['  ', {}],
    ['all', quiz('')],
    ['all about fire', quiz('all about fire')],
    ['“all”', quiz('all')],
    ['to everything failed', { ...quiz('to everything'), filter: ['failed'] }, { ...quiz(''), filter: ['failed'] }],
    ['to all', quiz('to all'), quiz('')],
    ['for all quizzes passed', { ...quiz('for all quizzes'), filter: ['passed'] }, { ...quiz(''), filter: ['passed'] }],
    ['to Fire safety', quiz('to Fire safety'), quiz('Fire safety')],
    ['to “Fire safety”', quiz('to Fire safety'), quiz('Fire safety')],
    ['for beginners', quiz('for beginners'), quiz('beginners')],
    ['für Brandschutz', quiz('für Brandschutz'), quiz('Brandschutz')],
    ['für', quiz('für')],
    ['à tous', quiz('tous'), quiz('')],
    ['à Incendie', quiz('Incendie')],
    ['only failed', { ...quiz(''), filter: ['failed'] }],
    ['below 60 %', { ...quiz(''), filter: ['below'], limit: ['60'] }],
    ['failed names on', { ...quiz(''), filter: ['failed'] }],
    ['Fire safety daily', quiz('Fire safety daily'), { ...quiz('Fire safety'), delivery: ['daily'] }],
    ['weekly daily', quiz('weekly daily')],
    ['biweekly daily', quiz('biweekly daily'), { ...quiz('biweekly'), delivery: ['daily'] }],
    ['week12 daily', quiz('week12 daily'), { ...quiz('week12'), delivery: ['daily'] }],
    ['wöchentlich daily', quiz('wöchentlich daily')],
    ['Fire safety names off', { ...quiz('Fire safety'), names: ['off'] }],
    ['Fire names banana split', quiz('Fire names banana split')],
    ['Fire names offline', quiz('Fire names offline'), { ...quiz('Fire'), names: ['offline'] }],
    [' Fire names banana ', quiz('Fire names banana'), { ...quiz('Fire'), names: ['banana'] }],
    [
      'daily names banana',
      quiz('daily names banana'),
      { ...quiz('names banana'), delivery: ['daily'] },
      { ...quiz('daily'), names: ['banana'] },
    ],
  ])('“%s” is read as %j, and as %j where no quiz is called so', (line, ...readings) => {
    expect(parseSubscription(line)).toEqual(readings);
  });

  test.each([
    [
      'hourly',
      ['hourly', 'every hour', 'each hour', 'once an hour', 'once per hour', 'hourly digest', 'an hourly digest'],
    ],
    [
      'daily',
      ['daily', 'every day', 'once a day', 'digest every day', 'digest day', 'digest once a day', 'a daily digest'],
    ],
  ])('a digest is %s where people type %j', (delivery, lines) => {
    expect(lines.map((line) => parseSubscription(line).at(-1))).toEqual(
      lines.map(() => ({ ...quiz(''), delivery: [delivery] })),
    );
  });

  test('an hour and a day alone are names of quizzes', () => {
    expect(['hour', 'day'].map((line) => parseSubscription(line))).toEqual([[quiz('hour')], [quiz('day')]]);
  });

  test.each([
    [null, 'all'],
    ['Fire safety', '"Fire safety"'],
    ['x'.repeat(100), `"${'x'.repeat(100)}"`],
    ['x'.repeat(101), 'q-1'],
    ['', 'q-1'],
    [' Fire', 'q-1'],
    ['Fire\nsafety', 'q-1'],
  ])('of the quiz %j is typed again as %s', (name, typed) => {
    const spec: Wished = {
      quiz: name === null ? null : { id: 'q-1', name },
      filter: { kind: 'all' },
      delivery: { kind: 'each' },
      timeZone: 'UTC',
      showsNames: true,
    };
    expect(formatSubscriptionSpec(spec)).toBe(`${typed} each`);
  });
});

function isReadOrRefused(line: string): boolean {
  try {
    return read(line) !== undefined;
  } catch (error) {
    return error instanceof InvalidInputError;
  }
}

const words = fc.constantFrom(
  'all',
  'passed',
  'failed',
  'ungraded',
  'below',
  'grade',
  'each',
  'thread',
  'digest',
  'hourly',
  'daily',
  '08:30',
  'Europe/Berlin',
  'names',
  'off',
  '60',
  '%',
  '"',
  '“x”',
  'channel:C1|x',
  'person:U1',
);
const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }),
  fc.array(words, { minLength: 1, maxLength: 4 }).map((some) => some.join(' ')),
  fc
    .array(fc.constantFrom('"', '“', '”', '„', '«', "'", '’', ' ', ',', 'a'), { minLength: 1, maxLength: 12 })
    .map((some) => some.join('')),
);
const grade = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => text.trim())
  .filter((text) => text !== '');
const filter: fc.Arbitrary<SubmissionFilter> = fc.oneof(
  fc.constantFrom<SubmissionFilter>({ kind: 'all' }, { kind: 'passed' }, { kind: 'failed' }, { kind: 'ungraded' }),
  fc.integer({ min: 1, max: 100 }).map((percentage): SubmissionFilter => ({ kind: 'below', percentage })),
  grade.map((text): SubmissionFilter => ({ kind: 'grade', grade: text })),
);
const twoDigits = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
const delivery: fc.Arbitrary<Delivery> = fc.oneof(
  fc.constantFrom<Delivery>({ kind: 'each' }, { kind: 'thread' }, { kind: 'digest', every: 'hour' }),
  fc
    .tuple(twoDigits(23), twoDigits(59))
    .map(([hours, minutes]): Delivery => ({ kind: 'digest', every: 'day', at: `${hours}:${minutes}` })),
);
const wishes: fc.Arbitrary<Wished> = fc.record({
  quiz: fc.option(fc.record({ id: fc.uuid(), name })),
  filter,
  delivery,
  timeZone: fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC'),
  showsNames: fc.boolean(),
});
