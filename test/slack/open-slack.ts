import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { slackLogger } from '../../src/slack/connection/client.ts';
import { sending } from '../support/as-sent.ts';
import { recordingLog } from '../support/log.ts';

/** A workspace of the sandbox for one test, with a client of the bot that writes in English and tries each call once. */
export async function openSlack(options: Partial<Parameters<typeof startWorkspace>[0]> = {}) {
  const botToken = 'xoxb-open';
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken,
    signingSecret: 'signing',
    strictness: { rateLimits: false },
    ...options,
  });
  onTestFinished(() => workspace.close());
  const { log, lines } = recordingLog();
  const client = new WebClient(botToken, {
    slackApiUrl: workspace.apiUrl,
    fetch: sending(workspace.apiUrl),
    timeout: 2_000,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: slackLogger(log),
  });
  return { workspace, client, log, lines };
}
