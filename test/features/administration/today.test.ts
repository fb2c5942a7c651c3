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
import { approvalRequest } from '../../support/builders/governance.ts';
import { subscription } from '../../support/builders/alerts.ts';

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
