import type { WebClient } from '@slack/web-api';
import type { Agent } from 'undici';
import { fetch as undiciFetch } from 'undici';
import type { OwnNames } from '../../domain/own-names.ts';
import { createBotIdentity, createWorkspaces } from '../connection/connection.ts';
import { createRateLimitFetch } from '../connection/fetch.ts';
import { createOutgoingTexts, inEnglishOnly } from '../connection/outgoing-texts.ts';
import { silent } from '../connection/silent-logger.ts';
import { createWorkspaceClient } from '../connection/workspace-client.ts';
import { createOwnMessages, type OwnMessages } from './own-messages.ts';

/** What the questions to Slack are asked with. */
export interface TrialSlack {
  client: WebClient;
  messages: OwnMessages;
  signal: AbortSignal;
  now: () => number;
}

/** How Slack is reached, and as whom. */
export interface TrialConnection {
  botToken: string;
  apiUrl: string;
  names: OwnNames;
  dispatcher: Agent;
}

export interface TrialClock {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

/** A trial has time: it waits as long as Slack asks for. */
const patience = { longestWaitMs: 60_000, triesAtMost: 5 };

/** Does not retry, since a message that is posted again would be left behind. */
export function createTrialSlack(
  connection: TrialConnection,
  channel: string,
  signal: AbortSignal,
  clock: TrialClock,
): TrialSlack {
  const client = trialClient(connection, clock);
  return { client, messages: createOwnMessages(client, channel, signal), signal, now: clock.now };
}

export function trialClient(
  { botToken, apiUrl, names, dispatcher }: TrialConnection,
  { now, sleep }: TrialClock,
): WebClient {
  const fetch = async (
    ...[url, init]: Parameters<NonNullable<ConstructorParameters<typeof WebClient>[1]>['fetch'] & {}>
  ) => undiciFetch(url, { ...(init as Parameters<typeof undiciFetch>[1]), dispatcher });
  const client: WebClient = createWorkspaceClient(
    botToken,
    {
      slackApiUrl: apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: silent,
      fetch: createRateLimitFetch(
        createOutgoingTexts({ names, apiUrl, ...inEnglishOnly }).inCalls(fetch),
        sleep,
        patience,
      ),
    },
    () => workspaces(),
  );
  const workspaces = createWorkspaces({ client, identity: createBotIdentity(client, now), now });
  return client;
}
