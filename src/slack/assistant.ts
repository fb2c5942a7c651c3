import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { OwnNames } from '../domain/own-names.ts';
import type { AgentPlatform, AssistantDoor } from '../features/agents/caller.ts';
import type { OwnWorkspace } from './people/people.ts';
import { callSlack } from './errors.ts';
import type { OpenDirectMessages } from './people/direct-messages.ts';
import { readMentions } from './incoming-text.ts';
import { createInOwnNames, createRender } from '../words/render.ts';
import { writeTexts } from './shown-texts.ts';
import { createSignatureCheck } from './in/http.ts';
import { askedByMessage } from './views/administration/asked-by-agent.ts';
import { blocksForAssistant } from './views/assistant-blocks.ts';
import { outcomeMessage } from './views/outcome.ts';
import { plainLines } from './views/blocks/plain-lines.ts';

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
  const render = createRender(names);
  return {
    show(operation, input, outcome) {
      const { blocks, plain = blocks } = writeTexts(outcomeMessage(operation, input, outcome, timeZone), render);
      return { lines: plainLines(plain), meta: { slack: { blocks: blocksForAssistant(blocks) } } };
    },
    inOwnNames: createInOwnNames(names),
    readText: (text) =>
      readMentions(
        text
          .trim()
          .replace(/^#?(C[A-Z0-9]{8,})$/, '<#$1>')
          .replace(/^@?([UW][A-Z0-9]{8,})$/, '<@$1>'),
      ),
    async sendToPress(caller, operation, input, outcome) {
      const message = outcomeMessage(operation, input, outcome, timeZone);
      const { text, blocks } = askedByMessage(message, caller.tokenName);
      const channel = await deps.openDirectMessages(caller.personId);
      await callSlack(async () =>
        client.chat.postMessage({ channel, text, blocks, unfurl_links: false, unfurl_media: false }),
      );
    },
    toolMeta: { slack: { supportsBlockKit: true } },
  };
}
