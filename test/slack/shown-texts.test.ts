import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSaid, isSaid, say } from '../../src/domain/said.ts';
import { catalog } from '../../src/operations/catalog.ts';
import { asWritten, writeTexts } from '../../src/slack/connection/outgoing.ts';
import { commandAndVerb, isTyped } from '../../src/operations/line/line.ts';
import { helpMessage } from '../../src/slack/views/help.ts';
import { commandsView } from '../../src/slack/views/help.ts';
import { createRender } from '../../src/words/render.ts';
import { mrkdwnTexts, problemsOfSaid } from '../support/slack-limits.ts';

const exam = createRender({ commandPrefix: 'exam', botName: 'Examiner' });
const long = createRender({ commandPrefix: 'e'.repeat(20), botName: 'B'.repeat(35) });

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });

/** A text in every place of messages, views, acknowledgements and endings of steps in which people see one. */
const everywhere = (text: string) => ({
  text,
  blocks: [
    { type: 'header', text: plain(text) },
    { type: 'section', text: mrkdwn(text), fields: [mrkdwn(text)] },
    {
      type: 'section',
      text: mrkdwn(text),
      accessory: { type: 'button', text: plain(text), accessibility_label: text },
    },
    { type: 'context', elements: [mrkdwn(text), { type: 'image', alt_text: text }] },
    {
      type: 'actions',
      elements: [
        { type: 'button', confirm: { title: plain(text), text: plain(text), confirm: plain(text), deny: plain(text) } },
        { type: 'overflow', options: [{ text: plain(text), description: plain(text) }] },
        { type: 'static_select', initial_option: { text: plain(text) }, placeholder: plain(text) },
      ],
    },
    { type: 'data_table', caption: text, rows: [[{ type: 'raw_text', text }]] },
    {
      type: 'data_visualization',
      title: text,
      chart: {
        type: 'bar',
        series: [{ name: text, data: [{ label: text, value: 1 }] }],
        axis_config: { categories: [text], x_label: text, y_label: text },
      },
    },
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] },
  ],
  view: {
    type: 'modal',
    title: plain(text),
    submit: plain(text),
    close: plain(text),
    blocks: [{ type: 'input', label: plain(text), hint: plain(text), element: { type: 'plain_text_input' } }],
  },
  options: [{ text: plain(text) }],
  option_groups: [{ label: plain(text), options: [{ text: plain(text) }] }],
  errors: { quiz: text, name: text, value: text },
  error: text,
});

/** A text in every place in which the bot finds it again, or that a person wrote. */
const nowhere = (text: string) => ({
  type: 'modal',
  callback_id: text,
  private_metadata: text,
  external_id: text,
  metadata: { event_type: text, event_payload: { text, title: text } },
  blocks: [
    { type: 'input', block_id: text, element: { type: 'plain_text_input', action_id: text, initial_value: text } },
    { type: 'actions', elements: [{ type: 'button', action_id: text, value: text, url: text }] },
    { type: 'actions', elements: [{ type: 'overflow', options: [{ value: text, url: text }] }] },
  ],
});

describe('the texts of what is sent', () => {
  test('are changed wherever people see them', () => {
    expect(writeTexts(everywhere(say`\`/quiz\`: Invigilator`), exam)).toEqual(everywhere('`/exam`: Examiner'));
  });

  test('stay where nobody sees them, without marks', () => {
    const hidden = JSON.stringify(writeTexts(nowhere(say`/quiz Invigilator ${'/quiz'}`), exam));
    expect(isSaid(hidden)).toBe(false);
    expect(hidden).toBe(JSON.stringify(nowhere('/quiz Invigilator /quiz')));
  });

  test('stay within Slack’s limits, however long the names are', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 10, 60, 130, 280, 1_985, 2_985), (length) => {
        const after = writeTexts(everywhere(say`${'x'.repeat(length)} /quiz-campaign`), long);
        const { blocks, view, options, option_groups: groups } = after;
        const most = (text: string | undefined, limit: number) => expect(text!.length).toBeLessThanOrEqual(limit);
        most(view.title.text, 24);
        most(view.submit.text, 24);
        most(view.blocks[0]?.label.text, 2_000);
        most(options[0]?.text.text, 75);
        most(groups[0]?.label.text, 75);
        most(Object(blocks[0]?.text).text, 150);
        most(blocks[1]?.fields?.[0]?.text, 2_000);
        most(blocks[2]?.accessory?.text?.text, 75);
        most(blocks[2]?.accessory?.accessibility_label, 75);
        most(after.text, 4_000);
      }),
    );
  });

  test('that get too long for a section go on in another, line by line', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `• /quiz list ${index} ${'x'.repeat(15)}`);
    const section = {
      type: 'section',
      block_id: 'lines',
      text: mrkdwn(asSaid(lines.join('\n'))),
      accessory: { type: 'overflow' },
    };
    const blocks = writeTexts<{ type: string; text?: { text: string } }[]>([section, { type: 'divider' }], long);
    const texts = blocks.flatMap(({ text }) => (text ? [text.text] : []));
    expect(texts.join('\n')).toBe(long(asSaid(lines.join('\n'))));
    expect(texts.every((text) => text.length <= 3_000)).toBe(true);
    expect(blocks).toHaveLength(texts.length + 1);
    expect(blocks.map((block) => 'accessory' in block)).toEqual([true, ...texts.map(() => false)]);
    expect(blocks.at(-1)).toEqual({ type: 'divider' });
  });

  test('are all there in the longest help, and Slack takes it', () => {
    const typed = catalog.filter(isTyped);
    const commands = [...new Set(typed.map((operation) => commandAndVerb(operation).command))];
    const helps = commands.map((command) =>
      helpMessage(
        command,
        typed.filter((operation) => commandAndVerb(operation).command === command),
        { isWhole: true },
      ),
    );
    for (const { text, blocks } of helps.map((help) => writeTexts(help, long)))
      expect(problemsOfSaid({ surface: 'message', text, blocks })).toEqual([]);
    const view = commandsView(typed);
    const { blocks } = writeTexts(view, long);
    expect(problemsOfSaid({ surface: 'modal', blocks })).toEqual([]);
    expect(mrkdwnTexts(blocks).join('\n')).toBe(
      mrkdwnTexts(view.blocks)
        .map((text) => long(text, 'markup'))
        .join('\n'),
    );
  });

  test('are as they were where a message of Slack’s is sent again', () => {
    const shown = { text: 'A &amp; B', blocks: [{ type: 'section', text: mrkdwn('*Rosa &amp; Kim* <@U1> /quiz') }] };
    expect(writeTexts(asWritten(shown), exam)).toEqual(shown);
  });

  test('are escaped where they are from outside, also where they look like marks of the bot', () => {
    const text = '\uFDEE<!channel>\uFDEF';
    for (const value of [text, say`${text}`, say`*${text}*: ${text}`]) expect(exam(value, 'markup')).not.toContain('<');
  });
});
