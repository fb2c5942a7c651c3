import { context, type Message } from './views/blocks/message.ts';
import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { OwnNames } from '../domain/own-names.ts';
import { marked, say, shortName } from '../domain/said.ts';
import type { AgentPlatform, AssistantDoor } from '../features/agents/tokens.ts';
import { callSlack } from './errors.ts';
import { createSignatureCheck } from './in/http.ts';
import { readMentions } from './in/delivery.ts';
import type { OpenDirectMessages } from './people/direct-messages.ts';
import type { OwnWorkspace } from './people/people.ts';
import { writeTexts } from './connection/outgoing.ts';
import { outcomeMessage } from './views/outcome.ts';
import { createRender } from '../words/render.ts';

/**
 * Whom Slack names in a message of Slackbot: https://docs.slack.dev/ai/slackbot-mcp-client, “Slack identity auth”. In an
 * organization, `team_id` can be null. The page leaves open whether `initialize` and `tools/list` name a person too.
 */
const named = z.object({
  params: z.object({
    _meta: z.object({
      slack: z.object({
        user_id: z.string().regex(/^[UW][A-Z0-9]{1,30}$/),
        team_id: z.string().nullish(),
        enterprise_id: z.string().nullish(),
      }),
    }),
  }),
});

/** Slackbot as a client of the Model Context Protocol. Its requests are signed like every other of Slack’s. */
export function createAssistantDoor(deps: {
  signingSecret: string;
  own: () => Promise<OwnWorkspace>;
  now: () => number;
}): AssistantDoor {
  const signature = createSignatureCheck(deps);
  return {
    isClaimed: ({ headers }) =>
      headers['x-slack-signature'] !== undefined || headers['x-slack-request-timestamp'] !== undefined,
    refusalByHead: signature.refusalByHead,
    refusalByBody: signature.refusalByBody,
    async callerIn(message) {
      const { success, data } = named.safeParse(message);
      if (!success) return undefined;
      const {
        params: {
          _meta: {
            slack: { user_id: personId, team_id: teamId, enterprise_id: enterpriseId },
          },
        },
      } = data;
      const own = await deps.own();
      const isOwn = teamId === own.teamId || (typeof enterpriseId === 'string' && enterpriseId === own.enterpriseId);
      // As for commands, what an organization of ours sends belongs to the bot’s own workspace.
      return isOwn && own.teamId
        ? { personId, teamId: own.teamId, through: 'assistant' }
        : { refused: 'This bot serves another workspace.' };
    },
  };
}

/** What Slack does for tools: shows outcomes, reads mentions, and sends people what they have to press. */
export function createAgentPlatform(deps: {
  client: WebClient;
  openDirectMessages: OpenDirectMessages;
  names: OwnNames;
  timeZone: string;
}): AgentPlatform {
  const { client, names, timeZone } = deps;
  const render = createRender(names, undefined, timeZone);
  return {
    pictureOf(operation, input, outcome) {
      const { blocks } = writeTexts(outcomeMessage(operation, input, outcome), render);
      return { slack: { blocks: blocksForAssistant(blocks) } };
    },
    inOwnNames: (sentence) => render(marked('sentence', sentence)),
    readText: (text) =>
      readMentions(
        text
          .trim()
          .replace(/^#?(C[A-Z0-9]{8,})$/, '<#$1>')
          .replace(/^@?([UW][A-Z0-9]{8,})$/, '<@$1>'),
      ),
    async sendToPress(caller, operation, input, outcome) {
      const message = outcomeMessage(operation, input, outcome);
      const { text, blocks } = askedByMessage(message, caller.tokenName);
      const channel = await deps.openDirectMessages(caller.personId);
      await callSlack(async () =>
        client.chat.postMessage({ channel, text, blocks, unfurl_links: false, unfurl_media: false }),
      );
    },
    toolMeta: { slack: { supportsBlockKit: true } },
  };
}

/** A message with what a person has to press, below a line that says which agent asked. `tokenName`: undefined for Slackbot. */
export function askedByMessage({ text, blocks, plain = blocks }: Message, tokenName: string | undefined): Message {
  const line =
    tokenName === undefined
      ? say`🤖 Slackbot asked for this in your name.`
      : say`🤖 The agent with your access token *${shortName(tokenName)}* asked for this in your name.`;
  return { text, blocks: [context(line), ...plain] };
}

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

function blocksForAssistant(blocks: readonly KnownBlock[]): object[] {
  return blocks
    .filter(({ type }) => drawn.has(type))
    .slice(0, blocksAtMost)
    .map((block) => {
      if (block.type !== 'section') return block;
      const { accessory: _, ...section } = block;
      return section;
    });
}
