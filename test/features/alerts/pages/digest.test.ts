import { describe, expect, test } from 'vitest';
import { digestPage } from '../../../../src/features/alerts/pages/digest.ts';
import { drawn } from '../../../support/draw.ts';
import type { DigestOfQuiz } from '../../../../src/domain/queue-entry.ts';
import { sentTexts } from '../../../support/slack-limits.ts';
import { digest, digestOfQuiz } from '../../../support/builders/alerts.ts';

const digestMessage = (...of: Parameters<typeof digestPage>) => drawn(digestPage(...of));

const options = {
  filter: { kind: 'all' },
  delivery: { kind: 'digest', every: 'day', at: '08:30' },
  timeZone: 'Europe/Berlin',
  showsNames: true,
} as const;
const textsOf = (...quizzes: DigestOfQuiz[]) => sentTexts(digestMessage(digest({ quizzes }), options).blocks);
const fiveScores = { submitted: 5, passed: 4, percentages: [90, 100, 80, 40, 70] };

describe('a digest', () => {
  test('shows its period, counts, pass rate, average, and who failed', () => {
    const message = digestMessage(digest(), options);
    expect(message.text).toBe('🗞️ Daily digest: Fire safety, 4 submissions, 3 passed (75%), average 77.5%');
    expect(message.blocks).toMatchObject([
      { text: { text: '🗞️ *Daily digest*' } },
      {
        elements: [{ text: expect.stringMatching(/^<[^>]*20 Nov 2026, 07:30 UTC> – <[^>]*21 Nov 2026, 07:30 UTC>$/) }],
      },
      { type: 'divider' },
      {
        text: { text: '*Fire safety*\n4 submissions · 3 passed (75%) · average 77.5%' },
        accessory: { action_id: 'ask:show-results' },
      },
      { text: { text: '❌ *1 failed:* Ravi Banerjee' } },
    ]);
    expect(message.plain).toBeUndefined();
    expect(
      digestMessage(digest(), { ...options, delivery: { kind: 'digest', every: 'hour' }, filter: { kind: 'failed' } })
        .text,
    ).toMatch(/^🗞️ Hourly digest, failed only: Fire safety, 4 submissions, average/);
  });

  test.each([
    [{ graded: 12, mean: 73.1 }, '📈 Average up 3 points from last week'],
    [{ graded: 5, mean: 88.7 }, '📉 Average down 12 points from last week'],
    [{ graded: 5, mean: 77.3 }, '📉 Average down 1 point from last week'],
    [{ graded: 5, mean: 76.32 }, '➡️ Average unchanged from last week'],
  ])('compares the average with %j', (weekBefore, words) => {
    expect(textsOf(digestOfQuiz({ ...fiveScores, mean: 76.3, weekBefore }))[2]).toContain(`\n${words}`);
  });

  test.each<[string, Partial<DigestOfQuiz>]>([
    ['fewer than five graded submissions', {}],
    ['fewer than five in the week before', { ...fiveScores, weekBefore: { graded: 4, mean: 10 } }],
    ['none in the week before', { ...fiveScores, weekBefore: { graded: 0, mean: null } }],
  ])('compares nothing with %s', (_, quiz) => {
    const { text } = digestMessage(digest({ quizzes: Array.from({ length: 7 }, () => digestOfQuiz(quiz)) }), options);
    const texts = textsOf(...Array.from({ length: 7 }, () => digestOfQuiz(quiz)));
    expect([text, ...texts].join()).not.toMatch(/last week|unchanged|📈|📉|➡️/i);
  });

  test('of a survey and unmarked essays has no average, no pass rate and nobody who passed', () => {
    const none = { passed: 0, failed: 0, mean: null, percentages: [], failedNames: [] };
    const texts = textsOf(
      digestOfQuiz({ ...none, quizName: 'Survey', submitted: 6 }),
      digestOfQuiz({ ...none, quizName: 'Essay', submitted: 3, unmarked: 3 }),
    );
    expect(texts).toEqual([
      '🗞️ *Daily digest*\n9 submissions to 2 quizzes · 6 not graded, 3 waiting to be marked',
      expect.stringContaining('UTC>'),
      '*Survey*\n6 submissions · not graded',
      '*Essay*\n3 submissions · waiting to be marked',
    ]);
  });

  test('compares nothing without figures for the week before', () => {
    const { weekBefore: _, ...quiz } = digestOfQuiz();
    expect(textsOf(quiz)[2]).toBe('*Fire safety*\n4 submissions · 3 passed (75%) · average 77.5%');
  });

  test('charts the first two quizzes with enough scores, as text in workspaces without charts', () => {
    const quizzes = [digestOfQuiz(fiveScores), digestOfQuiz(), digestOfQuiz(fiveScores), digestOfQuiz(fiveScores)];
    const { blocks, plain = [] } = digestMessage(digest({ quizzes }), options);
    const types = (all: readonly { type: string }[]) => all.map(({ type }) => type);
    expect(types(blocks).filter((type) => type === 'data_visualization')).toHaveLength(2);
    expect(types(blocks).indexOf('data_visualization')).toBe(4);
    expect(types(plain)).toEqual(types(blocks).map((type) => (type === 'data_visualization' ? 'section' : type)));
    expect(sentTexts(plain).filter((text) => text.includes('█'))).toHaveLength(2);
  });

  test('names ten people who failed a quiz and counts the others, whose results its button shows', () => {
    const failedNames = Array.from({ length: 41 }, (_, index) => `P${index + 1}`);
    const { blocks } = digestMessage(
      digest({ quizzes: [digestOfQuiz({ submitted: 50, passed: 9, failed: 41, failedNames })] }),
      options,
    );
    expect(sentTexts(blocks).at(-1)).toBe('❌ *41 failed:* P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, and 31 more');
    expect(blocks).toContainEqual(
      expect.objectContaining({
        accessory: expect.objectContaining({ text: expect.objectContaining({ text: 'Results' }) }),
      }),
    );
  });

  test.each(['failed', 'passed'] as const)('of %s submissions only has no pass rate and praises nobody', (kind) => {
    const quizzes = [
      digestOfQuiz({ failed: 0, failedNames: [] }),
      digestOfQuiz({ quizId: 'q-2', failed: 0, failedNames: [] }),
    ];
    expect(
      sentTexts(digestMessage(digest({ quizzes }), { ...options, filter: { kind } }).blocks).join('\n'),
    ).not.toMatch(/passed \(|Everyone/);
  });

  test('shows only initials in a channel without names', () => {
    const message = digestMessage(digest(), { ...options, showsNames: false });
    expect(sentTexts(message.blocks).at(-1)).toBe('❌ *1 failed:* R. B.');
  });

  test('says that everyone graded so far passed', () => {
    const texts = textsOf(digestOfQuiz({ submitted: 4, passed: 2, failed: 0, unmarked: 1, failedNames: [] }));
    expect(texts[2]).toBe(
      '*Fire safety*\n4 submissions · 2 passed (100% of 2 graded), 1 not graded, 1 waiting to be marked · average 77.5%',
    );
    expect(texts.at(-1)).toBe('✅ Everyone graded so far passed.');
  });

  test('says if everyone passed', () => {
    expect(textsOf(digestOfQuiz({ submitted: 2, passed: 2, failed: 0, failedNames: [] })).at(-1)).toBe(
      '✅ Everyone passed.',
    );
  });

  test('shows further quizzes in one line each and counts the rest, whose results its button shows', () => {
    const texts = textsOf(
      ...Array.from({ length: 30 }, (_, index) =>
        digestOfQuiz({ ...fiveScores, quizId: `q-${index}`, quizName: `Quiz ${index}` }),
      ),
    );
    expect(texts.filter((text) => text.startsWith('*Quiz '))).toHaveLength(6 + 1);
    expect(texts.at(-2)?.split('\n')).toHaveLength(20);
    expect(texts.at(-2)).toContain('*Quiz 6* · 5 submissions · 4 passed (80%) · average 77.5% (up 3 points)\n');
    expect(texts.at(-1)).toBe('…and 20 submissions to 4 other quizzes');
  });
});
