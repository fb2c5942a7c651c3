import { checkBlocks, type BlockRules } from '../../src/sandbox/workspace/block-kit/validate.ts';
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

/** The errors Slack would return for these blocks. */
export function problemsOfSaid({ surface, blocks, text }: Said): string[] {
  const { errors = [] } = checkBlocks(JSON.parse(JSON.stringify(blocks)), { surface });
  return text === undefined || Buffer.byteLength(text) <= maxTextBytes
    ? errors
    : [...errors, `the text has ${Buffer.byteLength(text)} bytes`];
}

/** The errors that a current or an older Slack workspace would return for a message, and its unescaped mentions and links. */
export function problemsOfMessage({ text, blocks, plain = blocks }: Message): string[] {
  return [
    ...problemsOfSaid({ surface: 'message', blocks, text }),
    ...(text === '' ? ['the text is empty'] : []),
    ...(checkBlocks(plain, { surface: 'message', unknownTypes: recentBlockTypes }).errors ?? []),
    ...[text, ...mrkdwnTexts(blocks), ...mrkdwnTexts(plain)].filter((markup) => /<(?!!date\^\d+\^)/.test(markup)),
  ];
}

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
