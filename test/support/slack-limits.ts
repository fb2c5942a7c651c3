import { toEnglish } from '../../src/words/to-english.ts';
import { pseudoLanguage } from './pseudo-language.ts';
import { checkBlocks, messageSize, type BlockRules } from '../../src/sandbox/workspace/block-kit/validate.ts';
import type { Block } from '../../src/sandbox/workspace/block-kit/blocks.ts';
import { limits } from '../../src/sandbox/workspace/limits.ts';
import { inEnglish } from '../../src/domain/said.ts';
import { changeShownTexts } from '../../src/slack/shown-texts.ts';
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

/** The errors Slack would return for these blocks, in English and in a language that is a third longer. */
export function problemsOfSaid({ surface, blocks, text }: Said): string[] {
  const sent: unknown = JSON.parse(JSON.stringify(blocks));
  return Object.entries(readers).flatMap(([reader, translate]) => {
    const { errors = [] } = checkBlocks(changeShownTexts(sent, translate), { surface });
    const bytes = Buffer.byteLength(changeShownTexts(text ?? '', translate, 'text'));
    return [...errors, ...(bytes <= maxTextBytes ? [] : [`the text has ${bytes} bytes`])].map(
      (problem) => `${reader}: ${problem}`,
    );
  });
}

/** Whether the workspace takes the whole message in each language. */
export function problemsOfSize({ blocks, plain = [] }: Message): string[] {
  return [blocks, plain].flatMap((shown) =>
    Object.entries(readers).flatMap(([reader, translate]) => {
      const size = messageSize(changeShownTexts(shown, translate) as unknown as Block[]);
      return size > limits.messageSize.max ? [`${reader}: a message of the size ${size}`] : [];
    }),
  );
}

const readers = { English: toEnglish, 'a longer language': pseudoLanguage };

/** The errors that a current or an older Slack workspace would return for a message, and its unescaped mentions and links. */
export function problemsOfMessage({ text, blocks, plain = blocks }: Message): string[] {
  return [
    ...problemsOfSaid({ surface: 'message', blocks, text }),
    ...(text === '' ? ['the text is empty'] : []),
    ...(checkBlocks(changeShownTexts(plain, toEnglish), { surface: 'message', unknownTypes: recentBlockTypes })
      .errors ?? []),
    ...[text, ...mrkdwnTexts(blocks), ...mrkdwnTexts(plain)].filter((markup) => /<(?!!date\^\d+\^)/.test(markup)),
  ];
}

/** Every mrkdwn text in blocks. */
export function mrkdwnTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mrkdwnTexts);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'mrkdwn' && 'text' in value ? [inEnglish(String(value.text))] : [];
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
