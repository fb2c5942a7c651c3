import { describe, expect, test } from 'vitest';
import { inEnglishThroughout } from '../../src/domain/said.ts';
import { campaignBoardPage, campaignEndPage } from '../../src/features/campaigns/pages/board.ts';
import { campaignPage } from '../../src/features/campaigns/pages/show.ts';
import { answersOf, createTally } from '../../src/features/questions/operations/analysis.ts';
import { questionsPage } from '../../src/features/questions/operations/show-questions.ts';
import { resultsPage } from '../../src/features/results/pages.ts';
import { overTimeOf, scoredPercentages, statisticsOf } from '../../src/features/results/statistics.ts';
import { campaignMember, campaignOf, dayMs, monday } from '../support/builders/campaigns.ts';
import { answeredQuestion, quizResponse } from '../support/builders/responses.ts';

const all = 2_000;
const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: new Date('2026-09-01T00:00:00Z') };

/** 2,000 people took a quiz, and again a month later. */
function screensWith(passed: number): string[] {
  const people = Array.from({ length: all }, (_, at) => ({ id: `u-${at}`, isPassed: at < passed }));
  const responses = ['2026-10-12T10:00:00Z', '2026-11-16T10:00:00Z'].flatMap((day) =>
    people.map(({ isPassed }) =>
      quizResponse({
        date_submitted: new Date(day),
        pass: isPassed,
        percentage_score: isPassed ? 90 : 10,
        points: isPassed ? 9 : 1,
        grade: isPassed ? 'A' : 'F',
      }),
    ),
  );
  const [right, wrong] = [1, 0].map((points) =>
    ['q-1', 'q-2'].map((id) => answeredQuestion({ question_id: id, points_scored: points })),
  );
  const asked = answersOf([], right!);
  const tally = createTally(asked.questions);
  const mistaken = answersOf(asked.questions, wrong!);
  for (const { isPassed } of people) tally.add((isPassed ? asked : mistaken).answers);

  const campaign = campaignOf({
    startedAt: monday - 10 * dayMs,
    members: people.map(({ id, isPassed }) =>
      campaignMember(id, {
        result: { outcome: isPassed ? 'passed' : 'failed', percentage: null, submittedAt: monday - dayMs },
      }),
    ),
  });
  const ended = { ...campaign, endedAt: monday };
  const pages = {
    board: campaignBoardPage({ kind: 'campaign-board', campaign, assigning: undefined, now: monday }),
    'end of the board': campaignBoardPage({
      kind: 'campaign-board',
      campaign: ended,
      assigning: undefined,
      now: monday,
    }),
    show: campaignPage(campaign, { joined: [], page: 1, now: monday, platform: 'Slack' }),
    end: campaignEndPage({ kind: 'campaign-end', campaign: ended, now: monday }),
    results: resultsPage(
      {
        filter: {},
        quiz,
        only: '',
        statistics: statisticsOf(responses),
        percentages: scoredPercentages(responses),
        overTime: overTimeOf(responses, 'UTC'),
        submitted: [],
      },
      'UTC',
    ),
    questions: questionsPage({
      quiz,
      filter: {},
      only: '',
      analysis: tally.analysis(),
      read: all,
      attempts: all,
      unread: 0,
      showsRight: true,
      page: 1,
    }),
  };
  return Object.values(pages).flatMap((page) => {
    const written = inEnglishThroughout(page);
    const charts = (written.parts ?? []).flatMap(({ chart }) => (chart?.yLabel.includes('ercent') ? [chart] : []));
    return [JSON.stringify(written), ...charts.flatMap(({ points }) => points.map(({ value }) => `${value}%`))];
  });
}

describe('of 2,000 people', () => {
  test.each([
    [1_999, /(?<!\d)100%/, ['99.9%', '99%']],
    [1, /(?<![\d.])0%/, ['0.1%', '1%']],
  ])('%d who passed are neither all nor none, on any screen', (passed, never, instead) => {
    const screens = screensWith(passed);
    for (const screen of screens) expect(screen).not.toMatch(never);
    for (const share of instead) expect(screens.join()).toContain(share);
    expect(screens.length).toBeGreaterThan(7);
  });
});
