import { describe, expect, test } from 'vitest';
import { digestMessage } from '../../../src/slack/views/digest.ts';
import type { DigestOfQuiz } from '../../../src/domain/queue-entry.ts';
import { mrkdwnTexts } from '../../support/slack-limits.ts';
import { digest, digestOfQuiz } from '../../support/builders/alerts.ts';

const options = { filter: { kind: 'all' }, delivery: { kind: 'digest', every: 'day', at: '08:30' }, timeZone: 'Europe/Berlin', showsNames: true } as const;
const textsOf = (...quizzes: DigestOfQuiz[]) => mrkdwnTexts(digestMessage(digest({ quizzes }), options).blocks);
const fiveScores = { submitted: 5, percentages: [90, 100, 80, 40, 70] };

describe('a digest', () => {
  test('shows its period, counts, pass rate, mean compared with the week before, and who failed', () => {
    const message = digestMessage(digest(), options);
    expect(message.text).toBe('🗞️ Daily digest: 4 submissions to 1 quiz, 3 passed (75 %): Fire safety 4');
    expect(message.blocks).toMatchObject([
      { text: { text: expect.stringMatching(/^🗞️ \*Daily digest\* · <[^>]*20 Nov 2026, 08:30 CET> to <[^>]*21 Nov 2026, 08:30 CET>\n4 submissions to 1 quiz, 3 passed \(75 %\)$/) } },
      { type: 'divider' },
      {
        text: { text: '*Fire safety*\n4 submitted · 3 passed (75 %) · mean 77.5 %\n🔼 Mean up 3.2 on the week before (74.3 % with 12 submissions)' },
        accessory: { action_id: 'ask:results' },
      },
      { text: { text: '❌ *Not passed:* Ravi Banerjee' } },
    ]);
    expect(message.plain).toBeUndefined();
    expect(digestMessage(digest(), { ...options, delivery: { kind: 'digest', every: 'hour' }, filter: { kind: 'failed' } }).text).toMatch(/^🗞️ Hourly digest, only failed:/);
  });

  test.each([
    [{ submitted: 1, mean: 80 }, '🔽 Mean down 2.5 on the week before (80 % with 1 submission)'],
    [{ submitted: 3, mean: 77.52 }, '➡️ Mean as in the week before (77.5 % with 3 submissions)'],
    [{ submitted: 0, mean: null }, 'Week before: nothing to compare with'],
  ])('compares the mean with %j', (weekBefore, words) => {
    expect(textsOf(digestOfQuiz({ weekBefore }))[1]).toContain(`\n${words}`);
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

  test('names a limited number of people who failed and counts the rest', () => {
    const failed = Array.from({ length: 90 }, (_, index) => `Person ${index}`);
    const last = textsOf(digestOfQuiz({ submitted: 100, passed: 10, failed })).at(-1) ?? '';
    const names = last.match(/Person \d+/g) ?? [];
    expect(names.length).toBeGreaterThan(20);
    expect(last).toContain(`, and ${90 - names.length} more`);
  });

  test('shows only initials in a channel without names', () => {
    const message = digestMessage(digest(), { ...options, showsNames: false });
    expect(mrkdwnTexts(message.blocks).at(-1)).toBe('❌ *Not passed:* R. B.');
  });

  test('says if everyone passed', () => {
    expect(textsOf(digestOfQuiz({ submitted: 2, passed: 2, failed: [] })).at(-1)).toBe('✅ Everybody passed.');
  });

  test('shows further quizzes in one line each and counts the rest', () => {
    const texts = textsOf(...Array.from({ length: 30 }, (_, index) => digestOfQuiz({ quizId: `q-${index}`, quizName: `Quiz ${index}` })));
    expect(texts.filter((text) => text.startsWith('*Quiz '))).toHaveLength(6 + 1);
    expect(texts.at(-2)?.split('\n')).toHaveLength(20);
    expect(texts.at(-2)).toContain('*Quiz 6*: 4 submitted · 3 passed (75 %) · mean 77.5 % 🔼 3.2\n');
    expect(texts.at(-1)).toBe('…and 16 submissions to 4 other quizzes.');
  });
});
