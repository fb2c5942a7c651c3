import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesAtMost, todayFrom, type TodayFacts, type TodayLine } from '../../../src/features/administration/today.ts';
import {
  assignedQuiz,
  dueQuiz,
  needyCampaigns,
  needyFacts,
  openPreview,
  todayFacts,
} from '../../support/builders/today.ts';
import { campaignMember, campaignOf, dayMs, monday } from '../../support/builders/campaigns.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { decidedPage } from '../../../src/features/administration/pages/requests.ts';
import { fitsAuditFilter, parseAuditFilter } from '../../../src/features/administration/show-audit.ts';

function nameOf(line: TodayLine): string {
  if ('campaign' in line) return `${line.kind}: ${line.campaign.quiz.name}`;
  return line.kind === 'take' ? `take: ${line.quiz.name}` : line.kind;
}

const namesFrom = (facts: Partial<TodayFacts>) => todayFrom(todayFacts(facts)).lines.map(nameOf);
const campaigns = needyCampaigns();

describe('what needs a person', () => {
  test('is nothing where everything is done, or due later than this week', () => {
    expect(todayFrom(todayFacts({ campaigns: [campaigns.done, campaigns.quiet] }))).toEqual({ lines: [], left: {} });
  });

  test('comes in the order of its urgency: late, waiting for a decision, halted, due soon, the rest', () => {
    const facts = needyFacts();
    const order: string[] = [];
    for (let left: TodayFacts = facts; ;) {
      const { lines } = todayFrom(left);
      if (lines.length === 0) break;
      order.push(...lines.map(nameOf));
      left = without(left, lines);
    }
    expect(order).toEqual([
      'missed: Workplace safety',
      'out of reach: Forklifts',
      'take: Manual handling',
      'not theirs: Data protection',
      'decide',
      'halted: Fire safety',
      'paused',
      'halted: Old course',
      'take: Food hygiene',
      'due soon: Food hygiene',
      'missed: Ladders',
      'to mark: Essay',
      'preview',
      'take: Survey',
    ]);
  });

  test('is five lines at most, and how many more of each kind', () => {
    const { lines, left } = todayFrom(needyFacts());
    expect(lines).toHaveLength(linesAtMost);
    expect(left).toEqual({ halted: 2, paused: 1, take: 2, 'due soon': 1, missed: 1, 'to mark': 1, preview: 1 });
  });

  test('is a quiz once, with the first of its due times, whichever campaigns ask for it', () => {
    const own = { quizzes: [assignedQuiz({ quiz_id: 'q-1' })], leftOut: 0, isStillReading: false };
    const later = dueQuiz({ dueAt: monday + 20 * dayMs });
    const { lines } = todayFrom(todayFacts({ own, obligations: [dueQuiz({ dueAt: undefined }), dueQuiz(), later] }));
    expect(lines).toEqual([{ kind: 'take', quiz: dueQuiz(), isOverdue: false }]);
  });

  test('is no quiz that the person has taken, or cannot take', () => {
    const own = { quizzes: [assignedQuiz({ isDue: false })], leftOut: 0, isStillReading: false };
    expect(namesFrom({ own })).toEqual([]);
  });

  test('is at its due time no longer due soon, but late', () => {
    const campaign = campaignOf({
      dueAt: monday,
      members: [campaignMember('kim', { addedAt: monday - dayMs })],
    });
    expect(namesFrom({ campaigns: [campaign], now: monday - 1 })).toEqual(['due soon: Fire safety']);
    expect(namesFrom({ campaigns: [campaign], now: monday })).toEqual(['missed: Fire safety']);
  });

  test('never loses or doubles anything, however much there is', () => {
    const count = fc.nat(12);
    fc.assert(
      fc.property(count, count, count, count, (requests, paused, previews, quizzes) => {
        const many = <Item>(length: number, make: (index: number) => Item) =>
          Array.from({ length }, (_, index) => make(index));
        const { lines, left } = todayFrom(
          todayFacts({
            requests: many(requests, (index) => approvalRequest({ id: `${index}` })),
            paused: many(paused, (index) => subscription({ id: `${index}` })),
            previews: many(previews, () => openPreview()),
            obligations: many(quizzes, (index) => dueQuiz({ quizId: `${index}` })),
          }),
        );
        const total = requests + paused + previews + quizzes;
        expect(lines).toHaveLength(Math.min(linesAtMost, total));
        expect(Object.values(left).reduce((sum, some) => sum + some, 0)).toBe(total - lines.length);
      }),
    );
  });
});

/** The facts without what the lines show, so that the next lines come. */
function without(facts: TodayFacts, lines: readonly TodayLine[]): TodayFacts {
  const shows = (kind: TodayLine['kind'], isIt: (line: never) => boolean) =>
    lines.some((line) => line.kind === kind && isIt(line as never));
  return {
    ...facts,
    requests: facts.requests.filter(() => !shows('decide', () => true)),
    campaigns: facts.campaigns.filter(({ id }) => !lines.some((line) => 'campaign' in line && line.campaign.id === id)),
    paused: facts.paused.filter(() => !shows('paused', () => true)),
    previews: facts.previews.filter(() => !shows('preview', () => true)),
    obligations: facts.obligations.filter(
      ({ quizId }) => !shows('take', ({ quiz }: { quiz: { quizId: string } }) => quiz.quizId === quizId),
    ),
    own: facts.own && {
      ...facts.own,
      quizzes: facts.own.quizzes.filter(
        ({ quiz_id }) => !shows('take', ({ quiz }: { quiz: { quizId: string } }) => quiz.quizId === quiz_id),
      ),
    },
  };
}

const nowMs = Date.UTC(2026, 10, 20, 12);
const parse = (text: string, timeZone = 'UTC') => parseAuditFilter(text, { timeZone, nowMs, me: 'U00000ME' });
const everything = { person: undefined, words: [], fromMs: -Infinity, toMs: Infinity, isCsv: false };

describe('a filter of the audit trail', () => {
  test('is read in any order', () => {
    expect(parse('')).toEqual(everything);
    expect(parse('csv person:U00000ADA|ada')).toEqual({ ...everything, isCsv: true, person: 'U00000ADA' });
    expect(parse('me')).toEqual({ ...everything, person: 'U00000ME' });
    expect(parse('Close-Quiz since 7d')).toEqual({
      ...everything,
      words: ['close', 'quiz'],
      fromMs: Date.UTC(2026, 10, 13),
    });
    expect(parse('since yesterday 8 am csv', 'Europe/Berlin')).toEqual({
      ...everything,
      isCsv: true,
      fromMs: Date.UTC(2026, 10, 19, 7),
    });
    expect(parse('last week')).toMatchObject({ fromMs: Date.UTC(2026, 10, 9), toMs: Date.UTC(2026, 10, 16) });
    expect(() => parse('since 3/4')).toThrow('two different dates');
    expect(parse('since 2026-11-01', 'Europe/Berlin')).toEqual({ ...everything, fromMs: Date.UTC(2026, 9, 31, 23) });
  });

  test.each(['since', 'since kitchen', 'since 2026-13-01', '<!channel>', 'channel:C1'])(
    'says what it takes instead of “%s”',
    (text) => {
      expect(() => parse(text)).toThrow(/since 7d/);
    },
  );

  test('matches whom an entry is about, and names of people, things and operations', () => {
    expect(parse('by “Rosa Almeida” and csv')).toEqual({ ...everything, isCsv: true, words: ['rosa', 'almeida'] });
    const about = auditEntry({
      at: nowMs,
      by: 'U00000ADA',
      operation: 'suspend-user',
      targets: [{ kind: 'user', id: 'u-rosa', name: 'Rosa Almeida' }],
    });
    expect(fitsAuditFilter(about, parse('person:U0000ROSA'), { userId: 'u-rosa', nameOf: () => undefined })).toBe(true);
    expect(fitsAuditFilter(about, parse('person:U0000KIM'), { userId: 'u-kim', nameOf: () => undefined })).toBe(false);
    expect(fitsAuditFilter(about, parse('ada suspend'), { nameOf: () => 'Ada Okafor' })).toBe(true);
    expect(fitsAuditFilter(about, parse('ada close'), { nameOf: () => 'Ada Okafor' })).toBe(false);
  });
});

describe('a decision that comes too late', () => {
  const decision = { by: 'U00000ADA', comment: '', at: 2_000 } as const;

  test('does not say that the request is only asked for, while the other decision is being carried out', () => {
    const request = approvalRequest({ state: 'decided', decision: { ...decision, verdict: 'approved' } });
    expect(decidedPage({ kind: 'over', request })).toEqual({ heading: 'This request was decided already.' });
  });

  test('does not say that a request was decided that has expired', () => {
    const request = approvalRequest({ state: 'announced', decision: { ...decision, verdict: 'expired' } });
    expect(decidedPage({ kind: 'over', request }).heading).toContain('Nobody decided');
  });
});
