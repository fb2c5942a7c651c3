import { checkBlocks, type BlockRules } from '../../src/sandbox/workspace/block-kit/validate.ts';
import type { Message } from '../../src/slack/views/message.ts';
import { mrkdwnTexts } from './mrkdwn-texts.ts';

const longestText = 4_000;
/** What a workspace can be too old for. */
const youngBlocks = new Set(['data_table', 'data_visualization']);

/** Something the bot says, and where. */
export interface Said {
  surface: BlockRules['surface'];
  blocks: unknown;
  text?: string;
}

/** What Slack would refuse of it. */
export function problemsOfSaid({ surface, blocks, text }: Said): string[] {
  const { errors = [] } = checkBlocks(JSON.parse(JSON.stringify(blocks)), { surface });
  return text === undefined || text.length <= longestText ? errors : [...errors, `the text has ${text.length} characters`];
}

/** What Slack, young or old, would refuse of a message, and what it would read in it as a mention or a link. */
export function problemsOfMessage({ text, blocks, plain = blocks }: Message): string[] {
  return [
    ...problemsOfSaid({ surface: 'message', blocks, text }),
    ...(text === '' ? ['the text is empty'] : []),
    ...(checkBlocks(plain, { surface: 'message', unknownTypes: youngBlocks }).errors ?? []),
    ...[text, ...mrkdwnTexts(blocks), ...mrkdwnTexts(plain)].filter((markup) => /<(?!!date\^\d+\^)/.test(markup)),
  ];
}

/** Texts from outside that views have to cope with, by what is odd about them. */
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
