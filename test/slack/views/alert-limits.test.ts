import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestMessage } from '../../../src/slack/views/digest.ts';
import type { Message } from '../../../src/slack/views/message.ts';
import { submissionMessage, testAlertMessage, threadMessage } from '../../../src/slack/views/submission.ts';
import { submissionsMessage } from '../../../src/slack/views/submissions.ts';
import { mrkdwnTexts, problemsOfMessage } from '../../support/slack-limits.ts';
import { digest, digestOfQuiz, submission } from '../../support/builders/alerts.ts';

const outside = fc.oneof(
  fc.constantFrom('', 'x', 'x'.repeat(10_000), '&'.repeat(10_000), '<!channel> & <https://x|y>', 'اختبار السلامة '.repeat(20), '👩‍🚒'.repeat(1_500), '\u202Egnp.exe', '`*_~`\n> x', '\u0000', ' '),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const number = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: -10, max: 1e6, noNaN: true }));
const moments = fc.integer({ min: 0, max: 4e12 });

const submissions = fc.record({
  quizId: fc.oneof(fc.constantFrom('q-1', 'q-2', 'q'.repeat(3_000)), fc.nat(60).map((one) => `q-${one}`)),
  quizName: outside,
  name: outside,
  percentage: number,
  points: number,
  availablePoints: number,
  grade: outside,
  outcome: fc.constantFrom('passed', 'failed', 'not graded', 'unmarked'),
  attempt: fc.nat(),
  durationSeconds: number,
  submittedAt: fc.option(moments),
  isBackfilled: fc.boolean(),
}).map(submission);
const items = fc.record({ submission: submissions, showsNames: fc.boolean() });
/** A few different values, or very many similar ones. */
const waiting = fc.oneof(
  fc.array(items, { minLength: 1, maxLength: 80, size: 'max' }),
  fc.tuple(fc.array(items, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 3_000 })).map(([some, count]) => Array.from({ length: count }, (_, index) => some[index % some.length]!)),
);

const quizzes = fc
  .record({ quizId: fc.uuid(), quizName: outside, percentages: fc.array(number, { minLength: 1, maxLength: 40 }), failures: fc.nat(400), failed: outside, weekBefore: fc.option(fc.record({ graded: fc.nat(), mean: fc.option(number) }), { nil: undefined }) })
  .map(({ failures, failed, weekBefore, ...quiz }) => {
    const passed = quiz.percentages.length;
    const { weekBefore: _, ...sample } = digestOfQuiz({ ...quiz, submitted: passed + failures, passed, failed: failures, mean: quiz.percentages[0]!, failedNames: Array.from({ length: failures }, () => failed) });
    return { ...sample, ...(weekBefore && { weekBefore }) };
  });

/** Also checks Slack's limit for all blocks of a message together. */
function problemsOf(message: Message): string[] {
  const characters = [message.blocks, message.plain].map(charactersIn).filter((count) => count > 12_000);
  return [...problemsOfMessage(message), ...characters.map((count) => `${count} characters in all blocks`)];
}

/** Every text in the blocks, including those of buttons. */
function charactersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'text' in value && typeof value.text === 'string' ? value.text.length : 0;
  return own + Object.values(value).reduce<number>((sum, part) => sum + charactersIn(part), 0);
}

function countIn(texts: readonly string[], pattern: RegExp): number {
  return texts.reduce((sum, text) => sum + Number(pattern.exec(text)?.[1]?.replaceAll(',', '') ?? 0), 0);
}

test('Slack accepts a message of any number of submissions, and each submission is named or counted', () => {
  fc.assert(
    fc.property(waiting, (all) => {
      const message = submissionsMessage(all, 'Europe/Berlin');
      expect(problemsOf(message)).toEqual([]);

      const lines = mrkdwnTexts(message.blocks).flatMap((text) => text.split('\n'));
      const named = lines.filter((line) => /^(?:✅|❌|📋|🖊️) /u.test(line)).length;
      const quizzesNamed = lines.filter((line) => /^(?:📬 )?\*.*\*: [\d,]+ submitted, /u.test(line));
      const submittedToNamed = quizzesNamed.reduce((sum, line) => sum + countIn([line], /\*: ([\d,]+) submitted, [^*]*$/), 0);
      const inOtherQuizzes = countIn(lines, /^…and ([\d,]+) submissions? to /);
      expect(submittedToNamed + inOtherQuizzes).toBe(all.length);
      const notNamed = countIn(lines, /^…and ([\d,]+) more: /);
      const inBrief = quizzesNamed.slice(15).reduce((sum, line) => sum + countIn([line], /\*: ([\d,]+) submitted, [^*]*$/), 0);
      expect(named + notNamed + inBrief + inOtherQuizzes).toBe(all.length);
    }),
  );
});

test('Slack accepts a single submission and a test alert', () => {
  fc.assert(
    fc.property(items, outside, ({ submission: one, showsNames }, grade) => {
      expect(problemsOf(submissionMessage(one, { timeZone: 'UTC', showsNames }))).toEqual([]);
      expect(problemsOf(testAlertMessage({ quiz: { id: one.quizId, name: one.quizName }, filter: { kind: 'grade', grade }, delivery: { kind: 'thread' }, timeZone: 'UTC', showsNames }))).toEqual([]);
    }),
  );
});

test('Slack accepts the message of a thread', () => {
  fc.assert(
    fc.property(submissions, fc.nat(), number, ({ quizId, quizName }, submitted, percentagesTotal) => {
      expect(problemsOf(threadMessage({ quizId, quizName, day: '2026-11-21', submitted, passed: submitted, failed: 0, unmarked: 0, scored: submitted, percentagesTotal }, 'UTC'))).toEqual([]);
    }),
  );
});

test('Slack accepts a digest, and its counts include every submission and every quiz', () => {
  fc.assert(
    fc.property(fc.array(quizzes, { minLength: 1, maxLength: 60, size: 'max' }), fc.boolean(), fc.string({ unit: 'grapheme' }), (all, showsNames, grade) => {
      const message = digestMessage(digest({ quizzes: all }), { filter: { kind: 'grade', grade }, delivery: { kind: 'digest', every: 'hour' }, timeZone: 'UTC', showsNames });
      expect(problemsOf(message)).toEqual([]);
      const lines = mrkdwnTexts(message.blocks).flatMap((text) => text.split('\n'));
      const counted = countIn(lines, /(?:^|\*: )([\d,]+) submitted · /) + countIn(lines, /^…and ([\d,]+) submissions? to /);
      expect(counted).toBe(all.reduce((sum, { submitted }) => sum + submitted, 0));
    }),
  );
});
