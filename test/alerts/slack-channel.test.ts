import { describe, expect, onTestFinished, test } from 'vitest';
import { createSlackChannel, explainSlackFailure } from '../../src/alerts/slack-channel.ts';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { slackLogger } from '../../src/slack/logger.ts';
import { section } from '../../src/slack/views/mrkdwn.ts';
import { recordingLog } from '../support/log.ts';

const { id: channelId } = channels.results;
const message = (text: string) => ({ text, blocks: [section({ mrkdwn: text })] });

async function setUp() {
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken: 'xoxb-queues', signingSecret: 'signing', strictness: { rateLimits: false } });
  onTestFinished(() => workspace.close());
  return { workspace, slack: createSlackChannel('xoxb-queues', { slackApiUrl: workspace.apiUrl, timeout: 2_000, logger: slackLogger(recordingLog().log) }) };
}

describe('a channel in Slack', () => {
  test('has a message that it was told, and finds it again by its id', async () => {
    const { workspace, slack } = await setUp();
    const ts = await slack.post(channelId, message('one'), { id: 'm-1' });
    await slack.post(channelId, message('two'), { id: 'm-2' });
    expect(workspace.messages(channelId).map(({ text }) => text)).toEqual(['one', 'two']);
    expect(await slack.find(channelId, 'm-1', {})).toBe(ts);
    expect(await slack.find(channelId, 'm-3', {})).toBeUndefined();
    expect(await slack.find(channelId, 'm-1', { sinceTs: ts })).toBeUndefined();
    expect(await slack.find(channelId, 'm-2', { sinceTs: ts })).toBeDefined();
  });

  test('finds a message that is many pages back', async () => {
    const { slack } = await setUp();
    const ts = await slack.post(channelId, message('first'), { id: 'first' });
    for (let count = 0; count < 410; count += 1) await slack.post(channelId, message('more'), { id: `m-${count}` });
    expect(await slack.find(channelId, 'first', {})).toBe(ts);
  });

  test('has threads, in which a message is found as well', async () => {
    const { slack } = await setUp();
    const threadTs = await slack.post(channelId, message('parent'), { id: 'p' });
    const ts = await slack.post(channelId, message('child'), { id: 'c', threadTs });
    expect(await slack.find(channelId, 'c', { threadTs, sinceTs: threadTs })).toBe(ts);
    expect(await slack.find(channelId, 'c', {})).toBeUndefined();
  });

  test('lets a message be changed', async () => {
    const { workspace, slack } = await setUp();
    const ts = await slack.post(channelId, message('one'));
    await slack.change(channelId, ts, message('two'));
    expect(workspace.messages(channelId).map(({ text }) => text)).toEqual(['two']);
  });

  test('finds what was taken although the answer was lost', async () => {
    const { workspace, slack } = await setUp();
    workspace.faults.inject({ kind: 'lost-answer' }, { method: 'chat.postMessage', times: 1 });
    const failure = await slack.post(channelId, message('one'), { id: 'm-1' }).catch(explainSlackFailure);
    expect(failure).toMatchObject({ kind: 'unclear' });
    expect(await slack.find(channelId, 'm-1', {})).toBeDefined();
  });

  test('is told in plain sections where it does not know the blocks, and in text alone where it does not take those', async () => {
    const { workspace, slack } = await setUp();
    const plain = message('in plain sections').blocks;
    workspace.faults.inject({ kind: 'api-error', error: 'invalid_blocks' }, { method: 'chat.postMessage', times: 1 });
    await slack.post(channelId, { ...message('the facts'), plain });
    workspace.faults.inject({ kind: 'api-error', error: 'msg_too_long' }, { method: 'chat.postMessage', times: 2 });
    await slack.post(channelId, { ...message('the facts alone'), plain });
    expect(workspace.messages(channelId).map(({ text, blocks }) => [text, JSON.stringify(blocks ?? [])])).toEqual([
      ['the facts', expect.stringContaining('in plain sections')],
      ['the facts alone', expect.not.stringContaining('in plain sections')],
    ]);
  });

  test.each([
    [{ kind: 'rate-limited', retryAfterS: 7 } as const, { kind: 'rate_limited', code: 'ratelimited', retryAfterMs: 7_000 }],
    [{ kind: 'http-error', status: 500 } as const, { kind: 'unclear' }],
    [{ kind: 'lost-request' } as const, { kind: 'unclear' }],
    [{ kind: 'api-error', error: 'internal_error' } as const, { kind: 'unclear', code: 'internal_error' }],
    [{ kind: 'api-error', error: 'not_in_channel' } as const, { kind: 'closed', code: 'not_in_channel' }],
    [{ kind: 'api-error', error: 'thread_not_found' } as const, { kind: 'thread gone', code: 'thread_not_found' }],
    [{ kind: 'api-error', error: 'invalid_auth' } as const, { kind: 'refused', code: 'invalid_auth' }],
  ])('fails in a way that says what to do: %j', async (fault, failure) => {
    const { workspace, slack } = await setUp();
    workspace.faults.inject(fault, { method: 'chat.postMessage', times: 1 });
    expect(await slack.post(channelId, message('one')).catch(explainSlackFailure)).toMatchObject(failure);
  });
});
