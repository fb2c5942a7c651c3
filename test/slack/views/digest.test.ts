import { describe, expect, test } from 'vitest';
import { digestMessage, digestRestMessage } from '../../../src/slack/views/digest.ts';
import type { DigestOfQuiz } from '../../../src/domain/queue-entry.ts';
import { mrkdwnTexts } from '../../support/slack-limits.ts';
import { digest, digestOfQuiz } from '../../support/builders/alerts.ts';

const options = { filter: { kind: 'all' }, delivery: { kind: 'digest', every: 'day', at: '08:30' }, timeZone: 'Europe/Berlin', showsNames: true } as const;
const textsOf = (...quizzes: DigestOfQuiz[]) => mrkdwnTexts(digestMessage(digest({ quizzes }), options).blocks);
const fiveScores = { submitted: 5, passed: 4, percentages: [90, 100, 80, 40, 70] };

describe('a digest', () => {
  test('shows its period, counts, pass rate, mean, and who failed', () => {
    const message = digestMessage(digest(), options);
    expect(message.text).toBe('🗞️ Daily digest: 4 submissions to 1 quiz, 3 passed (75 %): Fire safety 4');
    expect(message.blocks).toMatchObject([
      { text: { text: expect.stringMatching(/^🗞️ \*Daily digest\* · <[^>]*20 Nov 2026, 08:30 CET> to <[^>]*21 Nov 2026, 08:30 CET>\n4 submissions to 1 quiz, 3 passed \(75 %\)$/) } },
      { type: 'divider' },
      {
        text: { text: '*Fire safety*\n4 submitted · 3 passed (75 %) · mean 77.5 %' },
        accessory: { action_id: 'ask:results' },
      },
      { text: { text: '❌ *Not passed:* Ravi Banerjee' } },
    ]);
    expect(message.plain).toBeUndefined();
    expect(digestMessage(digest(), { ...options, delivery: { kind: 'digest', every: 'hour' }, filter: { kind: 'failed' } }).text).toMatch(/^🗞️ Hourly digest, only failed:/);
  });

  test.each([
    [{ graded: 12, mean: 73.1 }, '🔼 Mean up 3.2 on the week before (73.1 % with 12 submissions)'],
    [{ graded: 5, mean: 78.8 }, '🔽 Mean down 2.5 on the week before (78.8 % with 5 submissions)'],
    [{ graded: 5, mean: 76.32 }, '➡️ Mean as in the week before (76.3 % with 5 submissions)'],
  ])('compares the mean with %j', (weekBefore, words) => {
    expect(textsOf(digestOfQuiz({ ...fiveScores, mean: 76.3, weekBefore }))[1]).toContain(`\n${words}`);
  });

  test.each<[string, Partial<DigestOfQuiz>]>([
    ['fewer than five graded submissions', {}],
    ['fewer than five in the week before', { ...fiveScores, weekBefore: { graded: 4, mean: 10 } }],
    ['none in the week before', { ...fiveScores, weekBefore: { graded: 0, mean: null } }],
  ])('compares nothing with %s', (_, quiz) => {
    const { text } = digestMessage(digest({ quizzes: Array.from({ length: 7 }, () => digestOfQuiz(quiz)) }), options);
    const texts = textsOf(...Array.from({ length: 7 }, () => digestOfQuiz(quiz)));
    expect([text, ...texts].join()).not.toMatch(/week before|🔼|🔽|➡️/i);
  });

  test('of a survey and unmarked essays has no mean, no pass rate and nobody who passed', () => {
    const none = { passed: 0, failed: 0, mean: null, percentages: [], failedNames: [] };
    const texts = textsOf(digestOfQuiz({ ...none, quizName: 'Survey', submitted: 6 }), digestOfQuiz({ ...none, quizName: 'Essay', submitted: 3, unmarked: 3 }));
    expect(texts).toEqual([expect.stringContaining('9 submissions to 2 quizzes, 6 not graded, 3 waiting to be marked'), '*Survey*\n6 submitted · not graded', '*Essay*\n3 submitted · waiting to be marked']);
  });

  test('compares nothing without figures for the week before', () => {
    const { weekBefore: _, ...quiz } = digestOfQuiz();
    expect(textsOf(quiz)[1]).toBe('*Fire safety*\n4 submitted · 3 passed (75 %) · mean 77.5 %');
  });

  test('charts the first two quizzes with enough scores, as text in workspaces without charts', () => {
    const quizzes = [digestOfQuiz(fiveScores), digestOfQuiz(), digestOfQuiz(fiveScores), digestOfQuiz(fiveScores)];
    const { blocks, plain = [] } = digestMessage(digest({ quizzes }), options);
    const types = (all: readonly { type: string }[]) => all.map(({ type }) => type);
    expect(types(blocks).filter((type) => type === 'data_visualization')).toHaveLength(2);
    expect(types(blocks).indexOf('data_visualization')).toBe(3);
    expect(types(plain)).toEqual(types(blocks).map((type) => (type === 'data_visualization' ? 'section' : type)));
    expect(mrkdwnTexts(plain).filter((text) => text.includes('█'))).toHaveLength(2);
  });

  test('names the people it is given, and refers to the thread for the others', () => {
    const quiz = { submitted: 100, passed: 10, failed: 90 };
    expect(textsOf(digestOfQuiz({ ...quiz, failedNames: ['Ravi Banerjee', 'Mei Tanaka'] })).at(-1)).toBe('❌ *Not passed:* Ravi Banerjee, Mei Tanaka, and 88 more in the thread');
    expect(textsOf(digestOfQuiz({ ...quiz, failedNames: [] })).at(-1)).toBe('❌ *Not passed:* 90 people, named in the thread');
  });

  test('shows only initials in a channel without names', () => {
    const message = digestMessage(digest(), { ...options, showsNames: false });
    expect(mrkdwnTexts(message.blocks).at(-1)).toBe('❌ *Not passed:* R. B.');
  });

  test('says that everybody who is graded passed', () => {
    const texts = textsOf(digestOfQuiz({ submitted: 4, passed: 2, failed: 0, unmarked: 1, failedNames: [] }));
    expect(texts[1]).toBe('*Fire safety*\n4 submitted · 2 passed (100 % of 2 graded), 1 not graded, 1 waiting to be marked · mean 77.5 %');
    expect(texts.at(-1)).toBe('✅ Everybody who is graded passed.');
  });

  test('says if everyone passed', () => {
    expect(textsOf(digestOfQuiz({ submitted: 2, passed: 2, failed: 0, failedNames: [] })).at(-1)).toBe('✅ Everybody passed.');
  });

  test('shows further quizzes in one line each and counts the rest', () => {
    const texts = textsOf(...Array.from({ length: 30 }, (_, index) => digestOfQuiz({ ...fiveScores, quizId: `q-${index}`, quizName: `Quiz ${index}` })));
    expect(texts.filter((text) => text.startsWith('*Quiz '))).toHaveLength(6 + 1);
    expect(texts.at(-3)?.split('\n')).toHaveLength(20);
    expect(texts.at(-3)).toContain('*Quiz 6*: 5 submitted · 4 passed (80 %) · mean 77.5 % 🔼 3.2\n');
    expect(texts.slice(-2)).toEqual(['❌ The thread names the people who did not pass these quizzes.', '…and 20 submissions to 4 other quizzes, in the thread.']);
  });

  test('has a rest for its thread, with the figures of each quiz and the people who failed it', () => {
    const quiz = digestOfQuiz(fiveScores);
    const other = digestOfQuiz({ quizId: 'q-2', quizName: 'First aid', submitted: 2, passed: 2, failed: 0, percentages: [], failedNames: [] });
    const message = digestRestMessage([{ quiz, name: 'Ravi Banerjee' }, { quiz, name: 'Mei Tanaka' }, { quiz: other }], options);
    expect(message.text).toBe('🗞️ Daily digest, continued: Fire safety 5, First aid 2');
    expect(mrkdwnTexts(message.blocks)).toEqual([
      '🗞️ *Daily digest, continued*\n*Fire safety*: 5 submitted · 4 passed (80 %) · mean 77.5 % 🔼 3.2\n❌ Ravi Banerjee\n❌ Mei Tanaka\n*First aid*: 2 submitted · 2 passed (100 %) · mean 77.5 %',
    ]);
  });
});
