import { describe, expect, test } from 'vitest';
import type { AnnouncedSubmission } from '../../../src/domain/announcement.ts';
import { submissionsMessage } from '../../../src/slack/views/submissions.ts';
import type { Submission } from '../../../src/domain/queue-entry.ts';
import { mrkdwnTexts } from '../../support/slack-limits.ts';
import { submission } from '../../support/builders/alerts.ts';

const shown = (overrides: Partial<Submission> = {}, showsNames = true): AnnouncedSubmission => ({ showsNames, submission: submission(overrides) });
const at = (minute: number) => Date.UTC(2026, 10, 21, 8, minute);

const firstNames = ['Rosa', 'Ravi', 'Mei', 'Olumide', 'Ines', 'Jonas', 'Amira', 'Konstantin', 'Siobhán', 'Guadalupe'];
const lastNames = ['Almeida', 'Banerjee', 'Tanaka', 'Adeyemi', 'da Costa', 'Weber', 'Said', 'Papadopoulos', 'O’Sullivan', 'Hernández'];
const ordinaryName = (index: number) => `${firstNames[index % 10]} ${lastNames[Math.floor(index / 10) % 10]}${index >= 100 ? ` ${'IVX'[Math.floor(index / 100) - 1]}` : ''}`;

describe('the message of several submissions', () => {
  test('shows one time if all were submitted within a minute', () => {
    const message = submissionsMessage([shown({ submittedAt: at(1) }), shown({ submittedAt: at(1) + 59_000 })], 'UTC');
    expect(mrkdwnTexts(message.blocks).at(-1)).toMatch(/^Submitted <!date[^>]*21 Nov 2026, 08:01 UTC>\.$/);
  });

  test('has a heading with counts for each quiz, largest first, and one line per person in the order of submission', () => {
    const message = submissionsMessage(
      [
        shown({ quizId: 'q-2', quizName: 'First aid', name: 'Tom Reed', submittedAt: at(1), outcome: 'failed', percentage: 41.5, grade: '' }),
        shown({ name: 'Mei Tanaka', submittedAt: at(3), isBackfilled: true }),
        shown({ name: 'Rosa Almeida', submittedAt: at(2), outcome: 'failed', percentage: 40, grade: 'F' }),
        shown({ name: 'Ravi Banerjee', submittedAt: at(4) }, false),
      ],
      'UTC',
    );
    expect(message.text).toBe('📬 4 submissions to 2 quizzes, 2 passed (50 %): Fire safety 3, First aid 1');
    expect(message.blocks).toMatchObject([
      { text: { text: '📬 *4 submissions* to 2 quizzes, 2 passed (50 %)' } },
      {
        text: { text: '*Fire safety*: 3 submitted, 2 passed (66.7 %)\n❌ Rosa Almeida · 40 % · F\n✅ Mei Tanaka · 90 % · A · ⏰ late\n✅ R. B. · 90 % · A' },
        accessory: { text: { text: 'Results' }, action_id: 'ask:results', value: JSON.stringify({ operation: 'show-results', raw: { quiz: ['q-1'] } }) },
      },
      { text: { text: '*First aid*: 1 submitted, 0 passed (0 %)\n❌ Tom Reed · 41.5 %' } },
      { elements: [{ text: expect.stringMatching(/^Submitted from .*21 Nov 2026, 08:01 UTC> to .*21 Nov 2026, 08:04 UTC>\. ⏰ Late: the quiz service’s webhook never came\.$/) }] },
    ]);
    expect(JSON.stringify(message)).not.toContain('Banerjee');
  });

  test('shows the counts of a single quiz once', () => {
    const message = submissionsMessage([shown({ submittedAt: null }), shown({ name: 'Mei Tanaka', submittedAt: null })], 'UTC');
    expect(message.text).toBe('📬 Fire safety: 2 submissions, 2 passed (100 %)');
    expect(mrkdwnTexts(message.blocks)).toEqual(['📬 *Fire safety*: 2 submitted, 2 passed (100 %)\n✅ Rosa Almeida · 90 % · A\n✅ Mei Tanaka · 90 % · A']);
  });

  test('names all of 300 people with ordinary names', () => {
    const names = Array.from({ length: 300 }, (_, index) => ordinaryName(index));
    const message = submissionsMessage(names.map((name, index) => shown({ name, responseId: `r-${index}`, outcome: index % 3 > 0 ? 'passed' : 'failed' })), 'UTC');
    const lines = mrkdwnTexts(message.blocks).flatMap((text) => text.split('\n')).filter((line) => /^[✅❌]/u.test(line));
    expect(new Set(names).size).toBe(300);
    expect(lines.map((line) => line.slice(2).split(' · ')[0])).toEqual(names);
    expect(message.text).toBe('📬 Fire safety: 300 submissions, 200 passed (66.7 %)');
  });

  test('names the people of every quiz', () => {
    const items = Array.from({ length: 60 }, (_, index) => shown({ quizId: `q-${index % 30}`, quizName: `Quiz ${index % 30}`, name: ordinaryName(index) }));
    const texts = mrkdwnTexts(submissionsMessage(items, 'UTC').blocks);
    expect(texts).toHaveLength(31);
    expect(texts[30]).toBe(`*Quiz 29*: 2 submitted, 2 passed (100 %)\n✅ ${ordinaryName(29)} · 90 % · A\n✅ ${ordinaryName(59)} · 90 % · A`);
  });
});
