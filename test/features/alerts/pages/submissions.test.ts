import { describe, expect, test } from 'vitest';
import type { AnnouncedSubmission } from '../../../../src/domain/announcement.ts';
import { announcementMessage } from '../../../../src/slack/views/announcement.ts';
import type { Submission } from '../../../../src/domain/queue-entry.ts';
import { sentTexts } from '../../../support/slack-limits.ts';
import { submission } from '../../../support/builders/alerts.ts';

const shown = (overrides: Partial<Submission> = {}, showsNames = true): AnnouncedSubmission => ({
  showsNames,
  submission: submission(overrides),
});
const at = (minute: number) => Date.UTC(2026, 10, 21, 8, minute);

const firstNames = ['Rosa', 'Ravi', 'Mei', 'Olumide', 'Ines', 'Jonas', 'Amira', 'Konstantin', 'Siobhán', 'Guadalupe'];
const lastNames = [
  'Almeida',
  'Banerjee',
  'Tanaka',
  'Adeyemi',
  'da Costa',
  'Weber',
  'Said',
  'Papadopoulos',
  'O’Sullivan',
  'Hernández',
];
const ordinaryName = (index: number) =>
  `${firstNames[index % 10]} ${lastNames[Math.floor(index / 10) % 10]}${index >= 100 ? ` ${'IVX'[Math.floor(index / 100) - 1]}` : ''}`;

/** Posts a message within minutes of its submissions. */
const messageOf = (items: readonly AnnouncedSubmission[], postedAt = at(4)) =>
  announcementMessage({ kind: 'submissions', items, postedAt });

describe('the message of several submissions', () => {
  test('shows when the submissions were made only if one of them was made five minutes before or more', () => {
    const items = [shown({ submittedAt: at(1) }), shown({ submittedAt: at(1) + 59_000 }), shown({ submittedAt: null })];
    expect(sentTexts(messageOf(items, at(6) - 1).blocks)).toHaveLength(2);
    expect(sentTexts(messageOf(items, at(6)).blocks)[2]).toMatch(/^Submitted <!date[^>]*21 Nov 2026, 08:01 UTC>\.$/);
    expect(sentTexts(messageOf([...items, shown({ submittedAt: at(5) })], at(6)).blocks)[2]).toMatch(
      /^Submitted from <!date[^>]*08:01 UTC> to <!date[^>]*08:05 UTC>\.$/,
    );
  });

  test('has a heading with counts for each quiz, largest first, and one line per person in the order of submission', () => {
    const message = messageOf(
      [
        shown({
          quizId: 'q-2',
          quizName: 'First aid',
          name: 'Tom Reed',
          submittedAt: at(1),
          outcome: 'failed',
          percentage: 41.5,
          points: null,
          grade: '',
        }),
        shown({ name: 'Mei Tanaka', submittedAt: at(3), isBackfilled: true, attempt: 2 }),
        shown({ name: 'Rosa Almeida', submittedAt: at(2), outcome: 'failed', percentage: 40, points: 4, grade: 'F' }),
        shown({ name: 'Ravi Banerjee', submittedAt: at(4) }, false),
      ],
      at(30),
    );
    expect(message.text).toBe('📬 4 submissions to 2 quizzes, 2 passed (50%): Fire safety (3), First aid (1)');
    expect(message.blocks).toMatchObject([
      { text: { text: '📬 *4 submissions* to 2 quizzes · 2 passed (50%)' } },
      {
        text: {
          text: [
            '*Fire safety* · 3 submissions · 2 passed (66.7%)',
            '❌ *Rosa Almeida* · 40% (4 of 10 points), grade F',
            '✅ *Mei Tanaka* · 90% (9 of 10 points), grade A, 2nd attempt · ⏰ late',
            '✅ *R. B.* · 90% (9 of 10 points), grade A',
          ].join('\n'),
        },
        accessory: {
          text: { text: 'Results' },
          action_id: 'ask:show-results',
          value: JSON.stringify({ operation: 'show-results', raw: { quiz: ['q-1'] } }),
        },
      },
      { text: { text: '*First aid* · 1 submission\n❌ *Tom Reed* · 41.5%' } },
      {
        elements: [
          {
            text: expect.stringMatching(
              /^Submitted from .*21 Nov 2026, 08:01 UTC> to .*21 Nov 2026, 08:04 UTC>\. ⏰ Late: the quiz service’s webhook never arrived\.$/,
            ),
          },
        ],
      },
    ]);
    expect(JSON.stringify(message)).not.toContain('Banerjee');
  });

  test('says the outcome of a submission without figures', () => {
    const none = { percentage: null, points: null, grade: '' };
    const items = [
      shown({ ...none }),
      shown({ ...none, outcome: 'failed' }),
      shown({ ...none, outcome: 'not graded', attempt: 2 }),
      shown({ outcome: 'unmarked', grade: '' }),
    ];
    expect(sentTexts(messageOf(items).blocks)[1]?.split('\n')).toEqual([
      '✅ *Rosa Almeida* · passed',
      '❌ *Rosa Almeida* · failed',
      '📋 *Rosa Almeida* · not graded, 2nd attempt',
      '🖊️ *Rosa Almeida* · waiting to be marked',
    ]);
  });

  test('shows the counts of a single quiz once', () => {
    const message = messageOf([shown({ submittedAt: null }), shown({ name: 'Mei Tanaka', submittedAt: null })]);
    expect(message.text).toBe('📬 Fire safety: 2 submissions, 2 passed (100%)');
    expect(sentTexts(message.blocks)).toEqual([
      '📬 *Fire safety* · 2 submissions · 2 passed (100%)',
      '✅ *Rosa Almeida* · 90% (9 of 10 points), grade A\n✅ *Mei Tanaka* · 90% (9 of 10 points), grade A',
    ]);
  });

  test('names all of 300 people with ordinary names', () => {
    const names = Array.from({ length: 300 }, (_, index) => ordinaryName(index));
    const message = messageOf(
      names.map((name, index) =>
        shown({ name, responseId: `r-${index}`, outcome: index % 3 > 0 ? 'passed' : 'failed' }),
      ),
    );
    const lines = sentTexts(message.blocks)
      .flatMap((text) => text.split('\n'))
      .filter((line) => /^[✅❌]/u.test(line));
    expect(new Set(names).size).toBe(300);
    expect(lines.map((line) => /^[^*]*\*([^*]*)\* · /.exec(line)?.[1])).toEqual(names);
    expect(message.text).toBe('📬 Fire safety: 300 submissions, 200 passed (66.7%)');
  });

  test('names the people of every quiz', () => {
    const items = Array.from({ length: 60 }, (_, index) =>
      shown({ quizId: `q-${index % 30}`, quizName: `Quiz ${index % 30}`, name: ordinaryName(index) }),
    );
    const texts = sentTexts(messageOf(items).blocks);
    expect(texts).toHaveLength(31);
    expect(texts[30]).toBe(
      `*Quiz 29* · 2 submissions · 2 passed (100%)\n✅ *${ordinaryName(29)}* · 90% (9 of 10 points), grade A\n✅ *${ordinaryName(59)}* · 90% (9 of 10 points), grade A`,
    );
  });
});
