import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStartLine } from '../../../../src/features/campaigns/operations/start-campaign.ts';
import { quote } from '../../../../src/operations/typed-text.ts';
import { excuseFromCampaign } from '../../../../src/features/campaigns/operations/excuse-and-include.ts';
import { parseCommandLine } from '../../../support/parse-line.ts';
import { inEnglish, plainSentence } from '../../../../src/domain/said.ts';
import { firstMessagesOf, firstMessagesWords } from '../../../../src/features/campaigns/operations/first-messages.ts';
import { asSent } from '../../../support/as-sent.ts';
import { campaignPlan, openEnd, plannedMember, type PlanOverrides } from '../../../support/builders/campaigns.ts';

const name = fc
  .array(
    fc.constantFrom(
      'for',
      'except',
      'due',
      'friday',
      'remind',
      '1d',
      'board',
      'to',
      'Rosa',
      'Kitchen',
      'and',
      'complete',
      'passed',
      'here',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((words) => words.join(' '));
const parts = fc.record({
  to: fc.array(name, { minLength: 1, maxLength: 4 }),
  except: fc.option(fc.array(name, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  due: fc.option(fc.constantFrom('15 dec 17:00', 'friday', 'in 2 weeks', '2026-12-15'), { nil: undefined }),
  remind: fc.option(fc.uniqueArray(fc.constantFrom('14d', '7d', '1d', '12h'), { minLength: 1 }), { nil: undefined }),
  overdue: fc.option(fc.constantFrom('1d', '12h', '1w'), { nil: undefined }),
  escalate: fc.option(fc.constantFrom('3d', '1w'), { nil: undefined }),
  lead: fc.option(name, { nil: undefined }),
  board: fc.option(fc.constantFrom('here', 'channel:C1|training'), { nil: undefined }),
  complete: fc.option(fc.constantFrom('passed', 'submitted'), { nil: undefined }),
});

test('quoted names and parts are read the same in any order', () => {
  fc.assert(
    fc.property(name, parts, fc.infiniteStream(fc.nat(100)), (quiz, chosen, order) => {
      const { to, except, due, remind, overdue, escalate, lead, board, complete } = chosen;
      const escalation =
        escalate === undefined && lead === undefined
          ? undefined
          : `escalate${escalate === undefined ? '' : ` ${escalate}`}${lead === undefined ? '' : ` to ${quote(lead)}`}`;
      const written = [
        quote(quiz),
        `for ${to.map((each) => quote(each)).join(', ')}`,
        ...(except ? [`except ${except.map((each) => quote(each)).join(' ')}`] : []),
        ...(due ? [`due ${due}`] : []),
        ...(remind ? [`remind ${remind.join(', ')}`] : []),
        ...(overdue ? [`overdue ${overdue}`] : []),
        ...(escalation ? [escalation] : []),
        ...(board ? [`board ${board}`] : []),
        ...(complete ? [`complete when ${complete}`] : []),
      ];
      const [first = '', ...others] = written;
      // The quiz comes first, or behind a part that takes no names.
      const shuffled = others
        .map((text) => ({ text, place: order.next().value ?? 0 }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ text }) => text);
      const behind = shuffled.findIndex((text) => /^(?:due|remind|overdue|board|complete)/.test(text));
      const line =
        behind !== -1 && (order.next().value ?? 0) % 2 === 0
          ? [...shuffled.slice(0, behind + 1), first, ...shuffled.slice(behind + 1)]
          : [first, ...shuffled];
      const given = {
        to,
        except,
        due: due && [due],
        remind,
        overdue: overdue && [overdue],
        escalate: escalate && [escalate],
        lead: lead === undefined ? undefined : [lead],
        board: board && [board],
        complete: complete && [complete],
      };
      expect(parseStartLine(line.join(' '))[0]).toEqual({
        quiz: [quiz],
        ...Object.fromEntries(Object.entries(given).filter(([, texts]) => texts !== undefined)),
      });
    }),
  );
});

test('any line has a reading, and 20 at most', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(name, fc.string()), { maxLength: 30 }), (words) => {
      const readings = parseStartLine(words.join(' '));
      expect(readings.length).toBeGreaterThan(0);
      expect(readings.length).toBeLessThanOrEqual(20);
    }),
  );
});

describe('the line of an excuse', () => {
  function readingsOf(line: string) {
    const read = parseCommandLine([excuseFromCampaign], '/quiz-campaign', `excuse ${line}`);
    return read.kind === 'operation' ? read : { inputs: [], rescues: [] };
  }

  test('a long line has a bounded number of readings', () => {
    const { inputs, rescues } = readingsOf('from x '.repeat(1_000));
    expect(inputs.length + rescues.length).toBeLessThanOrEqual(20);
  });
});

const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
const mondayAt10 = at('23T10:00');
const due = (dueAt: number) => ({ ...openEnd, dueAt });

/** What is said on Monday at 10:00, in UTC unless a member has another zone. */
function firstMessages(plan: PlanOverrides, noticedAt: Readonly<Record<string, number>> = {}, nowMs = mondayAt10) {
  return firstMessagesOf(campaignPlan(plan), {
    nowMs,
    holidays: new Set(),
    noticedAt: new Map(Object.entries(noticedAt)),
  });
}

const rosa = plannedMember('rosa');

describe('first messages', () => {
  test('go out at once in working hours, and in the morning after them', () => {
    expect(firstMessages({ members: [rosa] })).toMatchObject({
      firstMessagesAt: mondayAt10,
      laterNames: [],
      lateNames: [],
    });
    expect(firstMessages({ members: [rosa] }, {}, at('23T19:00')).firstMessagesAt).toBe(at('24T09:00'));
  });

  test('go out from the first to the last zone', () => {
    const members = [rosa, plannedMember('hana', { timeZone: 'Asia/Tokyo' })];
    expect(firstMessages({ members })).toMatchObject({
      firstMessagesAt: mondayAt10,
      // 9:00 in Tokyo, on Tuesday.
      firstMessagesUntil: at('24T00:00'),
    });
    expect(firstMessages({ members: [rosa, plannedMember('kim')] }).firstMessagesUntil).toBeUndefined();
  });

  describe('in words', () => {
    const hana = plannedMember('hana', { timeZone: 'Asia/Tokyo' });
    const ivo = plannedMember('ivo', { timeZone: 'Europe/Berlin' });
    const said = (members: ReturnType<typeof plannedMember>[], nowMs: number) =>
      plainSentence(firstMessagesWords(firstMessages({ members }, {}, nowMs), { nowMs, timeZone: 'UTC' }) ?? '');

    test.each([
      ['in working hours', [rosa], mondayAt10, 'now'],
      ['after them', [rosa], at('23T19:00'), 'Tue 24 Nov, 09:00'],
      ['after them, elsewhere', [hana], mondayAt10, 'Tue 24 Nov, 9:00 in each person’s time zone'],
      ['after them everywhere', [rosa, ivo, hana], at('22T14:00'), 'Mon 23 Nov, 9:00 in each person’s time zone'],
      [
        'in the working hours of some',
        [rosa, ivo, hana],
        mondayAt10,
        'from now to Tue 24 Nov, in each person’s working hours',
      ],
    ])('are %s at a time that reads well', (_, members, nowMs, words) => {
      expect(said(members, nowMs)).toBe(words);
    });

    test('name the day on which it begins for these people, whatever day it is for the reader', () => {
      const members = [plannedMember('kiri', { timeZone: 'Pacific/Auckland' })];
      const nowMs = at('24T10:00');
      const messages = firstMessages({ members }, {}, nowMs);
      expect(messages.firstMessagesLocal).toBe('2026-11-25T09:00');
      expect(asSent(firstMessagesWords(messages, { nowMs, timeZone: 'UTC' }) ?? '', 'markup')).toBe(
        `<!date^${at('25T12:00') / 1000}^{date_long_pretty}|Wed 25 Nov>, 9:00 in each person’s time zone`,
      );
    });
  });

  test.each([
    ['has had today’s notice', at('23T09:00')],
    ['gets a notice that is handed over', at('23T09:59')],
    ['waits for the quiz of another campaign', mondayAt10 - 1],
  ])('come the next day to a person who %s', (_, noticedAt) => {
    expect(firstMessages({ members: [rosa] }, { rosa: noticedAt })).toMatchObject({
      firstMessagesAt: at('24T09:00'),
      laterNames: ['rosa'],
    });
  });

  test.each([
    ['a notice of yesterday', at('22T17:00'), mondayAt10, mondayAt10],
    ['a notice that waits for the same morning', at('23T19:00'), at('23T20:00'), at('24T09:00')],
  ])('are not delayed by %s', (_, noticedAt, nowMs, expected) => {
    expect(firstMessages({ members: [rosa] }, { rosa: noticedAt }, nowMs)).toMatchObject({
      firstMessagesAt: expected,
      laterNames: [],
    });
  });

  test('are none where nobody is reached', () => {
    const members = [plannedMember('rosa', { personId: null })];
    expect(firstMessages({ members, ...due(at('23T12:00')) })).toEqual({
      firstMessagesAt: null,
      laterNames: [],
      lateNames: [],
    });
  });
});

describe('people who can’t be messaged before the due time', () => {
  test('are those whose working day is over, and not those who had today’s notice: what is due today comes today', () => {
    const members = [rosa, plannedMember('kim'), plannedMember('hana', { timeZone: 'Asia/Tokyo' })];
    const { lateNames, laterNames } = firstMessages({ members, ...due(at('23T17:00')) }, { kim: at('23T09:30') });
    expect({ lateNames: lateNames.map(inEnglish), laterNames }).toEqual({ lateNames: ['hana'], laterNames: [] });
    expect(firstMessages({ members, ...openEnd }).lateNames).toEqual([]);
  });

  test('are all, where it is due in the same evening', () => {
    expect(firstMessages({ members: [rosa], ...due(at('23T21:00')) }, {}, at('23T18:30')).lateNames).toEqual(['rosa']);
  });
});
