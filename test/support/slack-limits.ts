import { asSent } from './as-sent.ts';
import { pseudoLanguage } from './pseudo-language.ts';
import { type BlockRules, checkBlocks, messageSize } from '../../src/sandbox/workspace/block-kit/validate.ts';
import type { Block } from '../../src/sandbox/workspace/block-kit/blocks.ts';
import { limits } from '../../src/sandbox/workspace/limits.ts';
import { writeTexts } from '../../src/slack/connection/outgoing.ts';
import type { Render } from '../../src/words/render.ts';
import type { Message } from '../../src/slack/views/blocks/message.ts';

const maxTextBytes = 4_000;
/** Block types that older workspaces reject. */
const recentBlockTypes = new Set(['data_table', 'data_visualization']);

/** Blocks, their surface and an optional notification text. */
export interface Said {
  surface: BlockRules['surface'];
  blocks: unknown;
  text?: string;
}

/** The errors Slack would return for these blocks, in English and in a language that is a third longer, or in others. */
export function problemsOfSaid(
  { surface, blocks, text }: Said,
  by: Readonly<Record<string, Render>> = readers,
): string[] {
  const sent: unknown = JSON.parse(JSON.stringify(blocks));
  return Object.entries(by).flatMap(([reader, render]) => {
    const { errors = [] } = checkBlocks(writeTexts(sent, render), { surface });
    const bytes = Buffer.byteLength(writeTexts(text ?? '', render, 'text'));
    return [...errors, ...(bytes <= maxTextBytes ? [] : [`the text has ${bytes} bytes`])].map(
      (problem) => `${reader}: ${problem}`,
    );
  });
}

/** Whether the workspace takes the whole message in each language. What a picker offers is not seen with the message, and not measured. */
export function problemsOfSize({ blocks, plain = [] }: Message): string[] {
  return [blocks, plain].flatMap((shown) =>
    Object.entries(readers).flatMap(([reader, render]) => {
      const seen: Block[] = JSON.parse(
        JSON.stringify(writeTexts(shown, render), (_, value: unknown) =>
          Object(value).type === 'static_select' ? { ...Object(value), options: [] } : value,
        ),
      );
      const size = messageSize(seen);
      return size > limits.messageSize.max ? [`${reader}: a message of the size ${size}`] : [];
    }),
  );
}

const readers = { English: asSent, 'a longer language': pseudoLanguage };

/** The errors that a current or an older Slack workspace would return for a message, and its unescaped mentions and links. */
export function problemsOfMessage(message: Message): string[] {
  const { text, blocks, plain = blocks } = message;
  const sent = writeTexts({ text, blocks, plain }, asSent);
  return [
    ...problemsOfSaid({ surface: 'message', blocks, text }),
    ...(text === '' ? ['the text is empty'] : []),
    ...(checkBlocks(sent.plain, { surface: 'message', unknownTypes: recentBlockTypes }).errors ?? []),
    ...[sent.text, ...mrkdwnTexts(sent.blocks), ...mrkdwnTexts(sent.plain)].filter((markup) =>
      /<(?!!date\^\d+\^)/.test(markup),
    ),
  ];
}

/** Every text in Slack’s markup in blocks as it is sent. */
export const sentTexts = (blocks: unknown): string[] => mrkdwnTexts(writeTexts(blocks, asSent));

/** Every mrkdwn text in blocks. */
export function mrkdwnTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mrkdwnTexts);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'mrkdwn' && 'text' in value ? [String(value.text)] : [];
  return [...own, ...Object.values(value).flatMap(mrkdwnTexts)];
}

/** Difficult external texts that views must render, each with its description. */
export const oddTexts: [string, string][] = [
  ['1 character', 'x'],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['10,000 characters to escape', '&<>'.repeat(3_333)],
  ['right-to-left script', 'اختبار السلامة '.repeat(50)],
  ['emoji', '👩‍🚒'.repeat(500)],
  ['nothing', ''],
  ['white space', ' \n\t '],
  ['markup', '<!channel> *bold* `code` <https://x|y> <@U123>'],
];
