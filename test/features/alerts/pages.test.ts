import { describe, expect, test } from 'vitest';
import type { DigestOfQuiz, Submission } from '../../../src/domain/queues.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { digestPage } from '../../../src/features/alerts/pages/digest.ts';
import { testAlertPage, threadPage } from '../../../src/features/alerts/pages/submissions.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { digest, digestOfQuiz, submission, subscription } from '../../support/builders/alerts.ts';
import type { Page } from '../../../src/operations/page.ts';
import { drawn } from '../../support/as-sent.ts';
import { openHouse } from '../../support/house.ts';
import { sentTexts } from '../../support/slack-limits.ts';

// What each message says stands in test/words/sentences.md. These tests are about what is counted, what a button does and what fits.

const submittedAt = Date.UTC(2018, 10, 2, 0, 5, 47);
const minuteMs = 60_000;
const none = { percentage: null, points: null, grade: '' };

describe('the message of a submission', () => {
  const messageOf = (overrides: Partial<Submission> = {}, postedAt = submittedAt) =>
    announcementMessage({ kind: 'submission', submission: submission(overrides), showsNames: true, postedAt });
  const textsOf = (...options: Parameters<typeof messageOf>) => sentTexts(messageOf(...options).blocks);

  test('has a button for the attempt, unless the ids are too long for it', () => {
    expect(messageOf().blocks).toMatchObject([
      {
        type: 'section',
        text: { verbatim: true },
        accessory: {
          action_id: 'modal:show-attempt',
          value: JSON.stringify({ operation: 'show-attempt', raw: { quiz: ['q-1'], response: ['r-1'] } }),
        },
      },
    ]);
    expect(messageOf({ responseId: 'r'.repeat(2_000) }).blocks[0]).not.toHaveProperty('accessory');
  });

  test.each<[Partial<Submission>, string]>([
    [{ percentage: 100, points: 1, availablePoints: 1, grade: '' }, 'passed *Fire safety* with 100% (1 of 1 point)'],
    [{ percentage: null, points: null }, 'passed *Fire safety* with grade A'],
    [{ percentage: null, points: null, grade: 'Grade 1' }, 'passed *Fire safety* with Grade 1'],
    [{ grade: 'Pass' }, 'passed *Fire safety* with 90% (9 of 10 points)'],
    [{ outcome: 'failed', grade: 'Pass' }, 'failed *Fire safety* with 90% (9 of 10 points), grade Pass'],
    [{ ...none, attempt: 22 }, 'passed *Fire safety*, 22nd attempt'],
    [{ ...none, attempt: 111 }, 'passed *Fire safety*, 111th attempt'],
    [{ ...none, attempt: 0 }, 'passed *Fire safety*'],
    [{ ...none, outcome: 'not graded', attempt: 3 }, 'submitted *Fire safety*, 3rd attempt. Not graded.'],
  ])('says only what is known: %j', (overrides, words) => {
    expect(textsOf(overrides)).toEqual([expect.stringMatching(/^\S+ \*Rosa Almeida\* /)]);
    expect(textsOf(overrides)[0]).toContain(`*Rosa Almeida* ${words}`);
    expect(textsOf(overrides)[0]!.endsWith(words)).toBe(true);
  });

  test('has a time of its own only if it is posted five minutes later or more', () => {
    const lines = (offMs: number, at: number | null = submittedAt) => textsOf({ submittedAt: at }, submittedAt + offMs);
    expect(lines(5 * minuteMs)[1]).toMatch(/^Submitted <!date\^1541117147\^/);
    expect(lines(-5 * minuteMs)).toHaveLength(2);
    expect(lines(5 * minuteMs - 1)).toHaveLength(1);
    expect(lines(0, null)).toHaveLength(1);
  });
});

describe('the message of several submissions', () => {
  const at = (minute: number) => Date.UTC(2026, 10, 21, 8, minute);
  const shown = (overrides: Partial<Submission> = {}) => ({ showsNames: true, submission: submission(overrides) });
  const messageOf = (items: ReturnType<typeof shown>[], postedAt = at(4)) =>
    announcementMessage({ kind: 'submissions', items, postedAt });
  const names = Array.from({ length: 300 }, (_, index) => `Guadalupe Hernández ${String(index).padStart(3, '0')}`);

  test('shows when the submissions were made only if one of them was made five minutes before or more', () => {
    const items = [shown({ submittedAt: at(1) }), shown({ submittedAt: at(1) + 59_000 }), shown({ submittedAt: null })];
    expect(sentTexts(messageOf(items, at(6) - 1).blocks)).toHaveLength(2);
    expect(sentTexts(messageOf(items, at(6)).blocks)[2]).toMatch(/^Submitted <!date[^>]*21 Nov 2026, 08:01 UTC>\.$/);
    expect(sentTexts(messageOf([...items, shown({ submittedAt: at(5) })], at(6)).blocks)[2]).toMatch(
      /^Submitted from <!date[^>]*08:01 UTC> to <!date[^>]*08:05 UTC>\.$/,
    );
  });

  test('has people in the order of submission, and a button for the results of each quiz', () => {
    const { blocks } = messageOf([
      shown({ quizId: 'q-2', quizName: 'First aid' }),
      shown({ name: 'Mei Tanaka', submittedAt: at(3) }),
      shown({ name: 'Rosa Almeida', submittedAt: at(2) }),
    ]);
    expect(sentTexts(blocks)[1]).toMatch(/Rosa Almeida.*\n.*Mei Tanaka/);
    expect(blocks[1]).toMatchObject({
      accessory: {
        action_id: 'ask:show-results',
        value: JSON.stringify({ operation: 'show-results', raw: { quiz: ['q-1'] } }),
      },
    });
  });

  test.each([1, 30])('names all of 300 people in %i quizzes', (quizzes) => {
    const items = names.map((name, index) => {
      const quiz = index % quizzes;
      return shown({ name, responseId: `r-${index}`, quizId: `q-${quiz}`, quizName: `Quiz ${quiz}` });
    });
    const found = sentTexts(messageOf(items).blocks).flatMap((text) => text.match(/Guadalupe Hernández \d{3}/g) ?? []);
    expect(found.toSorted()).toEqual(names);
  });
});

describe('a test alert', () => {
  test.each<[Subscription['filter'], string]>([
    [{ kind: 'passed' }, '✅ Sam Sample passed Fire safety with 90% (9 of 10 points), grade A'],
    [{ kind: 'below', percentage: 30 }, '❌ Sam Sample failed Fire safety with 29% (2.9 of 10 points), grade F'],
    [{ kind: 'grade', grade: 'B+' }, '✅ Sam Sample passed Fire safety with 90% (9 of 10 points), grade B+'],
  ])('has a sample that matches the filter %j', (filter, sample) => {
    const quiz = { id: 'q-1', name: 'Fire safety' };
    expect(drawn(testAlertPage(subscription({ quiz, filter }))).text).toBe(`🧪 Test: ${sample}`);
  });
});

describe('a message of alerts', () => {
  test('shows only initials in a channel without names', () => {
    const [shown, showsNames] = [{ submission: submission(), showsNames: false }, false];
    const messages = [
      announcementMessage({ kind: 'submission', ...shown, postedAt: submittedAt }),
      announcementMessage({ kind: 'submissions', items: [shown, shown], postedAt: submittedAt }),
      drawn(
        digestPage(
          digest({ quizzes: [digestOfQuiz({ failedNames: ['Rosa Almeida'] })] }),
          subscription({ showsNames }),
        ),
      ),
    ];
    for (const message of messages) {
      expect(JSON.stringify(message)).toContain('R. A.');
      expect(JSON.stringify(message)).not.toMatch(/Rosa|Almeida/);
    }
    expect(drawn(testAlertPage(subscription({ showsNames }))).text).toContain('S. S. passed Sample quiz');
  });
});

describe('the head of a thread', () => {
  const counts = {
    quizId: 'q-1',
    quizName: 'Fire safety',
    day: '2026-11-21',
    submitted: 0,
    passed: 0,
    failed: 0,
    unmarked: 0,
    scored: 0,
    percentagesTotal: 0,
  };

  test.each([
    [{}, '0 submissions'],
    [{ submitted: 3, unmarked: 3 }, '3 submissions, waiting to be marked'],
    [
      { submitted: 3_700, passed: 3_700, scored: 3_700, percentagesTotal: 333_000 },
      '3,700 submissions, 3,700 passed (100%), average 90%',
    ],
  ])('has an average and a pass rate only of graded submissions: %j', (over, figures) => {
    const { text, blocks } = drawn(threadPage({ ...counts, ...over }));
    expect(text).toBe(`🧵 Fire safety, Sat 21 Nov: ${figures}`);
    expect(blocks).toMatchObject([{ accessory: { action_id: 'ask:show-results' } }]);
  });
});

describe('a digest', () => {
  const options = subscription({ delivery: { kind: 'digest', every: 'day', at: '08:30' } });
  const messageOf = (quizzes: DigestOfQuiz[], more: Partial<Subscription> = {}) =>
    drawn(digestPage(digest({ quizzes }), { ...options, ...more }));
  const fiveScores = { submitted: 5, passed: 4, percentages: [90, 100, 80, 40, 70] };

  test.each<[Partial<DigestOfQuiz>, string[]]>([
    [{ ...fiveScores, weekBefore: { graded: 5, mean: 77.3 } }, ['📉 Average down 1 point from last week']],
    [
      { ...fiveScores, weekBefore: { graded: 5, mean: 76.32 } },
      [
        '➡️ Average unchanged from last week',
        '*Fire safety* · 5 submissions · 4 passed (80%) · average 76.3% (unchanged)',
      ],
    ],
    // Fewer than five graded submissions, now or then.
    [{}, []],
    [{ ...fiveScores, weekBefore: { graded: 4, mean: 10 } }, []],
    [{ ...fiveScores, weekBefore: { graded: 0, mean: null } }, []],
  ])('compares the average with last week’s where both have enough: %j', (quiz, words) => {
    const quizzes = Array.from({ length: 7 }, () => digestOfQuiz({ mean: 76.3, ...quiz }));
    const { text, blocks } = messageOf(quizzes);
    const texts = [text, ...sentTexts(blocks)].join('\n');
    expect([...new Set(texts.match(/^.*(?:last week|unchanged|📈|📉|➡️).*$/gim))]).toEqual(words);
  });

  test('charts the first two quizzes with enough scores, as text in workspaces without charts', () => {
    const quizzes = [digestOfQuiz(fiveScores), digestOfQuiz(), digestOfQuiz(fiveScores), digestOfQuiz(fiveScores)];
    const { blocks, plain = [] } = messageOf(quizzes);
    const types = (all: readonly { type: string }[]) => all.map(({ type }) => type);
    expect(types(blocks).filter((type) => type === 'data_visualization')).toHaveLength(2);
    expect(types(blocks).indexOf('data_visualization')).toBe(4);
    expect(types(plain)).toEqual(types(blocks).map((type) => (type === 'data_visualization' ? 'section' : type)));
    expect(sentTexts(plain).filter((text) => text.includes('█'))).toHaveLength(2);
    expect(messageOf([digestOfQuiz()]).plain).toBeUndefined();
  });

  test.each(['failed', 'passed'] as const)('of %s submissions only has no pass rate and praises nobody', (kind) => {
    const quizzes = ['q-1', 'q-2'].map((quizId) => digestOfQuiz({ quizId, failed: 0, failedNames: [] }));
    expect(sentTexts(messageOf(quizzes, { filter: { kind } }).blocks).join('\n')).not.toMatch(/passed \(|Everyone/);
  });

  test('counts what it has no room for, and has the results of each quiz behind a button', () => {
    const texts = sentTexts(
      messageOf(
        Array.from({ length: 30 }, (_, index) =>
          digestOfQuiz({ ...fiveScores, quizId: `q-${index}`, quizName: `Quiz ${index}` }),
        ),
      ).blocks,
    );
    expect(texts.filter((text) => text.startsWith('*Quiz '))).toHaveLength(6 + 1);
    expect(texts.at(-2)?.split('\n')).toHaveLength(20);
    expect(texts.at(-1)).toBe('…and 20 submissions to 4 other quizzes');
    expect(JSON.stringify(messageOf([digestOfQuiz()]).blocks)).toContain('"action_id":"ask:show-results"');
  });
});

test('the list says that the quiz of a subscription was deleted, which can only be ended then', async () => {
  const own = { channelId: 'C1', ownerId: 'UADA' };
  const { act } = openHouse({
    subscriptions: [
      { subscription: subscription({ ...own, quiz: { id: 'q-gone', name: 'Old quiz' } }), waiting: 0 },
      { subscription: subscription({ ...own, id: 's-2', quiz: { id: 'q-1', name: 'Fire safety' } }), waiting: 0 },
    ],
  });
  const { result } = (await act('UADA', 'list-alerts', {})) as { result: Page };
  const [gone, other] = result.parts!.flatMap(({ items = [] }) => items);
  expect(gone!.line).toMatch(/^🔕.*Old quiz.* · its quiz was deleted/s);
  expect(gone!.steps!.map(({ label }) => label)).toEqual(['Unsubscribe']);
  expect(other!.line).toMatch(/^🔔.*Fire safety/s);
  expect(other!.steps).toHaveLength(3);
});
