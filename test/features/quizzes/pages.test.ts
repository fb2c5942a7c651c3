import { sentTexts } from '../../support/slack-limits.ts';
import { expect, test } from 'vitest';
import type { Quiz } from '../../../src/quiz-api/records.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import { fitsSlack } from '../../../src/slack/views/blocks/message.ts';
import { quizPage, quizzesPage } from '../../../src/features/quizzes/pages.ts';
import { drawn } from '../../support/as-sent.ts';

const quiz = (name: string, status: Quiz['status'] = 'open'): Quiz => ({
  quiz_id: `id-of-${name.slice(0, 20)}`,
  name,
  status,
  date_created: new Date('2026-01-02T03:04:05Z'),
});
const everything: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));
const nothing: ReadonlySet<string> = new Set();
const shown = (of: Quiz, more: Partial<Parameters<typeof quizPage>[0]> = {}, offered = everything) =>
  drawn(quizPage({ quiz: of, groups: [], takeLink: undefined, use: undefined, ...more }), offered);

// What each page says stands in test/words/sentences.md. These tests are about order, values of buttons, and what fits.

interface AnyBlock {
  type: string;
  accessory?: { options: { text: { text: string }; value: string }[] };
  elements?: { text: { text: string }; value?: string }[];
}
const blocksOf = (message: { blocks: unknown }) => message.blocks as AnyBlock[];
const menusOf = (message: { blocks: unknown }) =>
  blocksOf(message).flatMap(({ accessory }) => (accessory ? [accessory.options] : []));
const textOf = (message: { blocks: unknown }) => JSON.stringify(message.blocks);

test('a list counts quizzes by status and shows open ones first', () => {
  const message = drawn(
    quizzesPage([quiz('Old', 'closed'), quiz('New'), quiz('Draft', 'in_design')], { filter: {} }),
    nothing,
  );
  const [, list] = message.blocks as [unknown, { text: { text: string } }];
  expect(list.text.text.split('\n').map((line) => /\*(.+)\*/.exec(line)?.[1])).toEqual(['New', 'Draft', 'Old']);
});

test('a quiz with an unknown status or date is listed without it', () => {
  const odd = { ...quiz('Odd', 'in_review'), date_created: null };
  const message = drawn(quizzesPage([odd, quiz('New')], { filter: {} }), nothing);
  expect(message.text).toBe('*2 quizzes*: 1 open, 1 in review');
  expect(textOf(message)).toContain('⚪ *Odd* · in review"');
  expect(textOf(shown(odd))).not.toContain('created');
});

test('a long list goes on with lines without menus, as many as Slack takes in a message', () => {
  for (const name of ['Quiz', 'A quiz with a name that goes on and on, as real ones sometimes do']) {
    const message = drawn(
      quizzesPage(
        Array.from({ length: 250 }, (_, n) => quiz(`${name} ${n}`)),
        { filter: {} },
      ),
      everything,
    );
    const menus = menusOf(message).length;
    const lines = textOf(message).match(/🟢/gu)?.length ?? 0;
    expect(fitsSlack(message)).toBe(true);
    expect(menus).toBeGreaterThanOrEqual(30);
    expect(menus).toBeLessThanOrEqual(40);
    expect(textOf(message)).toContain(
      `…and ${250 - lines} more. To narrow the list, type \`/quiz list\` and part of a name.`,
    );
  }
});

test('a menu leaves out an action whose value is longer than Slack takes', () => {
  const [options] = menusOf(
    drawn(quizzesPage([{ ...quiz('New'), quiz_id: 'x'.repeat(115) }], { filter: {} }), everything),
  );
  expect(options?.map(({ text }) => text.text)).toEqual(['Close', 'View']);
});

test('a quiz with the name <!channel> shows its name and notifies nobody', () => {
  const message = shown(quiz('<!channel> & <https://x|y>', 'closed'), {
    groups: [{ group_id: 'g', group_name: '<!here>' }],
  });
  expect(textOf(message)).toContain('🔒 *&lt;!channel&gt; &amp; &lt;https://x|y&gt;*');
  expect(sentTexts(message.blocks).join()).not.toMatch(/<!(channel|here)>/);
});
