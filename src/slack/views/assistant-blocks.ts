import type { KnownBlock } from '@slack/types';

/**
 * The blocks of the bot that Slackbot draws: one block of another type, and it draws none. Buttons other than calls of tools
 * are dead there, and a click on such a call cannot be told from a call by the model, so buttons are left out: what a person
 * has to press comes as a direct message. https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses
 */
const drawn: ReadonlySet<string> = new Set([
  'context',
  'divider',
  'header',
  'markdown',
  'rich_text',
  'section',
  'table',
  'data_table',
  'data_visualization',
]);
const blocksAtMost = 50;

export function blocksForAssistant(blocks: readonly KnownBlock[]): object[] {
  return blocks
    .filter(({ type }) => drawn.has(type))
    .slice(0, blocksAtMost)
    .map((block) => {
      if (block.type !== 'section') return block;
      const { accessory: _, ...section } = block;
      return section;
    });
}
