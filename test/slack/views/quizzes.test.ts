import { expect, test } from 'vitest';
import type { Quiz } from '../../../src/quiz-api/quizzes.ts';
import { quizListMessage, quizMessage } from '../../../src/slack/views/quizzes.ts';

const quiz = (name: string, status: Quiz['status'] = 'open'): Quiz => ({
  quiz_id: `id-of-${name.slice(0, 20)}`,
  name,
  status,
  date_created: new Date('2026-01-02T03:04:05Z'),
});
const textOf = (message: { blocks: unknown }) => JSON.stringify(message.blocks);

test('a list counts quizzes by status and shows open ones first', () => {
  const message = quizListMessage([quiz('Old', 'closed'), quiz('New'), quiz('Draft', 'in_design')], '', 'UTC');
  expect(message.text).toBe('*3 quizzes*: 1 open, 1 in design, 1 closed');
  const [, list] = message.blocks as [unknown, { text: { text: string } }];
  expect(list.text.text.split('\n').map((line) => /\*(.+)\*/.exec(line)?.[1])).toEqual(['New', 'Draft', 'Old']);
});

test('a quiz with an unknown status or date is listed without it', () => {
  const odd = { ...quiz('Odd', 'in_review'), date_created: null };
  const message = quizListMessage([odd, quiz('New')], '', 'UTC');
  expect(message.text).toBe('*2 quizzes*: 1 open, 1 in review');
  expect(textOf(message)).toContain('⚪ *Odd* · in review"');
  expect(textOf(quizMessage(odd, [], 'UTC'))).not.toContain('created');
});

test('an empty list explains what to do', () => {
  expect(quizListMessage([], '', 'UTC').text).toBe('There are no quizzes for you here yet.');
  expect(quizListMessage([], '<!here>', 'UTC').text).toContain('“&lt;!here&gt;”');
});

test('a long list is cut and says so', () => {
  const message = quizListMessage(Array.from({ length: 250 }, (_, n) => quiz(`Quiz ${n}`)), '', 'UTC');
  expect(message.text).toContain('250 quizzes');
  expect(textOf(message).match(/🟢/gu)).toHaveLength(100);
  expect(textOf(message)).toContain('and 150 more');
});

test('a quiz with the name <!channel> shows its name and notifies nobody', () => {
  const message = quizMessage(quiz('<!channel> & <https://x|y>', 'closed'), [{ group_id: 'g', group_name: '<!here>' }], 'UTC');
  expect(textOf(message)).toContain('🔒 *&lt;!channel&gt; &amp; &lt;https://x|y&gt;*');
  expect(textOf(message)).not.toMatch(/<!(channel|here)>/);
});
