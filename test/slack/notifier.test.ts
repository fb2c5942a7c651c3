import { WebClient } from '@slack/web-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { slackLogger } from '../../src/slack/logger.ts';
import { createNotifier } from '../../src/slack/notifier.ts';
import { approvalRequest } from '../support/approval-request.ts';
import { recordingLog } from '../support/log.ts';

const { ada, erin } = people;
const { id: approvals } = channels.results;

async function setUp(administrators: readonly string[] = [ada.id, erin.id]) {
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken: 'xoxb-notifier', signingSecret: 'signing', strictness: { rateLimits: false } });
  onTestFinished(() => workspace.close());
  const { log, lines } = recordingLog();
  const client = new WebClient('xoxb-notifier', { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, logger: slackLogger(log) });
  const notifier = createNotifier({ client, channel: approvals, administrators: async () => [...administrators], allowsSelfApproval: false, timeZone: 'UTC', log });
  return { workspace, notifier, lines };
}

describe('a request for approval', () => {
  test('is posted in the approvals channel', async () => {
    const { workspace, notifier } = await setUp();
    expect(await notifier.post(approvalRequest())).toMatchObject({ posts: [{ channel: approvals }] });
    expect(workspace.messages(approvals)).toHaveLength(1);
  });

  test.each([
    ['channel_not_found', 'the bot does not know it'],
    ['not_in_channel', 'the bot is not in it'],
    ['is_archived', 'it is archived'],
    ['restricted_action', 'the bot may not post in it'],
    ['restricted_action_read_only_channel', 'the bot may not post in it'],
    ['restricted_action_thread_only_channel', 'the bot may not post in it'],
    ['no_permission', 'the bot may not post in it'],
  ])('goes to each administrator directly where the channel answers %s', async (error, why) => {
    const { workspace, notifier, lines } = await setUp();
    workspace.faults.inject({ kind: 'api-error', error }, { method: 'chat.postMessage', times: 1 });
    const { posts, trouble } = await notifier.post(approvalRequest());
    expect(posts).toHaveLength(2);
    expect([workspace.directMessages(ada.id), workspace.directMessages(erin.id)].map(({ length }) => length)).toEqual([1, 1]);
    expect(trouble).toBe(`The channel for approvals cannot be used (${why}), so the administrators got it directly.`);
    expect(lines.join('\n')).toContain('APPROVALS_CHANNEL cannot be used');
  });
});
