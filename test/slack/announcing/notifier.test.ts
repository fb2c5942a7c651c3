import { describe, expect, test } from 'vitest';
import { inEnglish } from '../../../src/domain/said.ts';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../src/sandbox/workspace/workspace.ts';
import { createOpenDirectMessages } from '../../../src/slack/people/direct-messages.ts';
import { createNotifier } from '../../../src/slack/announcing/notifier.ts';
import { createPosting } from '../../../src/slack/announcing/post.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { openSlack } from '../open-slack.ts';

const { ada, dora, erin } = people;
const { id: approvals } = channels.results;

async function setUp(administrators: readonly string[] = [ada.id, erin.id]) {
  const { workspace, client, log, lines } = await openSlack();
  const untold: object[] = [];
  const notifier = createNotifier({
    posting: createPosting(client),
    channel: approvals,
    administrators: async () => [...administrators],
    allowsSelfApproval: false,
    openDirectMessages: createOpenDirectMessages({ client }),
    onNobodyTold: async (kind, facts) => void untold.push({ kind, ...facts }),
    log,
  });
  return { workspace, notifier, lines, untold };
}

describe('a request for approval', () => {
  test('has its words where Slack refuses its blocks', async () => {
    const { workspace, notifier } = await setUp();
    workspace.faults.inject({ kind: 'api-error', error: 'invalid_blocks' }, { method: 'chat.postMessage', times: 1 });
    const { posts } = await notifier.post(approvalRequest());
    expect(posts).toHaveLength(1);
    expect(inEnglish(workspace.messages(approvals)[0]?.text ?? '')).toContain('asks to suspend');
  });

  test.each([
    ['channel_not_found', 'Invigilator isn’t in the channel'],
    ['restricted_action_read_only_channel', 'only some people can post in the channel'],
  ])('goes to each administrator directly where the channel answers %s', async (error, why) => {
    const { workspace, notifier, lines } = await setUp();
    workspace.faults.inject({ kind: 'api-error', error }, { method: 'chat.postMessage', times: 1 });
    const { posts, trouble } = await notifier.post(approvalRequest());
    expect(posts).toHaveLength(2);
    expect([workspace.directMessages(ada.id), workspace.directMessages(erin.id)].map(({ length }) => length)).toEqual([
      1, 1,
    ]);
    expect(trouble).toBe(
      `The approvals channel can’t be used (${why}), so administrators got your request as a direct message.`,
    );
    expect(lines.join('\n')).toContain('APPROVALS_CHANNEL cannot be used');
  });

  test('reaches the other administrators where one of them has left', async () => {
    const { workspace, notifier, lines, untold } = await setUp([dora.id, erin.id]);
    workspace.faults.inject({ kind: 'api-error', error: 'is_archived' }, { method: 'chat.postMessage', times: 1 });
    expect((await notifier.post(approvalRequest())).posts).toHaveLength(1);
    expect([workspace.directMessages(dora.id), workspace.directMessages(erin.id)].map(({ length }) => length)).toEqual([
      0, 1,
    ]);
    expect(lines.join('\n')).toContain('an administrator cannot be reached');
    expect(untold).toEqual([]);
  });

  test('is posted later where Slack fails for every administrator', async () => {
    const { workspace, notifier } = await setUp();
    workspace.faults.inject({ kind: 'api-error', error: 'is_archived' }, { method: 'chat.postMessage', times: 1 });
    workspace.faults.inject({ kind: 'api-error', error: 'internal_error' }, { method: 'conversations.open', times: 2 });
    await expect(notifier.post(approvalRequest())).rejects.toMatchObject({ code: 'internal_error' });
  });

  test('is counted where every administrator has left, and so is its news where the requester has left', async () => {
    const { workspace, notifier, untold } = await setUp([dora.id]);
    workspace.faults.inject({ kind: 'api-error', error: 'is_archived' }, { method: 'chat.postMessage', times: 1 });
    const request = approvalRequest({ requesterId: dora.id });
    expect(await notifier.post(approvalRequest())).toMatchObject({ posts: [], trouble: expect.any(String) });
    expect(await notifier.postToRequester(request)).toBeUndefined();
    expect(await notifier.findRequesterPost(request)).toBeUndefined();
    expect(untold).toEqual([
      { kind: 'approval_request', request: request.id, people: [dora.id] },
      { kind: 'approval_news', request: request.id, people: [dora.id] },
    ]);
  });

  test('is in trouble without anybody who could decide', async () => {
    const { workspace, notifier } = await setUp([approvalRequest().requesterId]);
    workspace.faults.inject({ kind: 'api-error', error: 'is_archived' }, { method: 'chat.postMessage', times: 1 });
    expect(await notifier.post(approvalRequest())).toMatchObject({
      posts: [],
      trouble: expect.stringContaining('There’s no other administrator'),
    });
  });

  test.each([
    [{ kind: 'rate-limited', retryAfterS: 60 } as const, 'rate_limited'],
    [{ kind: 'api-error', error: 'internal_error' } as const, 'unclear'],
    [{ kind: 'api-error', error: 'invalid_auth' } as const, 'refused'],
  ])('is posted later where Slack fails otherwise: %j', async (fault, kind) => {
    const { workspace, notifier } = await setUp();
    workspace.faults.inject(fault, { method: 'chat.postMessage', times: 1 });
    await expect(notifier.post(approvalRequest())).rejects.toMatchObject({ name: 'PlatformError', kind });
    expect(workspace.directMessages(ada.id)).toEqual([]);
  });

  test('is found again in the channel and in direct messages', async () => {
    const { workspace, notifier } = await setUp();
    const request = approvalRequest();
    await notifier.post(request);
    await notifier.post(approvalRequest({ id: 'another' }));
    workspace.faults.inject({ kind: 'api-error', error: 'is_archived' }, { method: 'chat.postMessage', times: 1 });
    await notifier.post(request);
    const found = await notifier.findPosts(request);
    expect(found.map(({ channel }) => channel === approvals)).toEqual([true, false, false]);
  });

  test('is looked up where that is possible, past an administrator who has left and a channel that is closed', async () => {
    const { workspace, notifier } = await setUp();
    await notifier.post(approvalRequest());
    workspace.faults.inject({ kind: 'api-error', error: 'user_disabled' }, { method: 'conversations.open', times: 1 });
    expect(await notifier.findPosts(approvalRequest())).toHaveLength(1);
    workspace.faults.inject(
      { kind: 'api-error', error: 'not_in_channel' },
      { method: 'conversations.history', times: 1 },
    );
    expect(await notifier.findPosts(approvalRequest())).toEqual([]);
  });

  test.each(['ratelimited', 'internal_error'])(
    'is not taken for missing where Slack answers a lookup with %s',
    async (error) => {
      const { workspace, notifier } = await setUp();
      await notifier.post(approvalRequest());
      workspace.faults.inject({ kind: 'api-error', error }, { method: 'conversations.history', times: 1 });
      await expect(notifier.findPosts(approvalRequest())).rejects.toMatchObject({ name: 'PlatformError' });
    },
  );

  test('keeps an old message that can no longer be updated, and is updated later where Slack is away', async () => {
    const { workspace, notifier, lines } = await setUp();
    const {
      posts: [post],
    } = await notifier.post(approvalRequest());
    for (const error of ['message_not_found', 'is_inactive', 'cant_update_message', 'invalid_auth']) {
      workspace.faults.inject({ kind: 'api-error', error }, { method: 'chat.update', times: 1 });
      await notifier.update(approvalRequest(), post!);
    }
    expect(lines.filter((line) => line.includes('can no longer be updated'))).toHaveLength(4);
    for (const error of ['ratelimited', 'internal_error']) {
      workspace.faults.inject({ kind: 'api-error', error }, { method: 'chat.update', times: 1 });
      await expect(notifier.update(approvalRequest(), post!)).rejects.toMatchObject({ name: 'PlatformError' });
    }
  });
});

describe('the message of a requester', () => {
  const request = approvalRequest({
    requesterId: people.uma.id,
    posts: { messages: [{ channel: approvals, ts: '1' }] },
  });
  const denied = {
    ...request,
    state: 'closed',
    decision: { verdict: 'denied', by: ada.id, comment: 'Ask Erin first', at: 2_000 },
  } as const;
  const textsIn = (workspace: Workspace) => workspace.directMessages(people.uma.id).map(({ text }) => text);

  test('is one, found again, and updated', async () => {
    const { workspace, notifier } = await setUp();
    const post = await notifier.postToRequester(request);
    await notifier.postToRequester({ ...request, id: 'another' });
    expect(await notifier.findRequesterPost(request)).toEqual(post);
    expect(await notifier.updateRequesterPost(denied, post!)).toBe(true);
    expect(textsIn(workspace)).toEqual([
      `⛔ <@${ada.id}> denied: suspend *Rosa Almeida*. “Ask Erin first”`,
      '🙋 Approval requested: suspend *Rosa Almeida*',
    ]);
    expect(await notifier.findRequesterPost(request)).toEqual(post);
  });

  test('has a reply for a decision, which is found again by its stage', async () => {
    const { workspace, notifier } = await setUp();
    const post = (await notifier.postToRequester(request))!;
    expect(await notifier.hasReplied(denied, post, 'closed')).toBe(false);
    await notifier.reply(denied, post, 'closed');
    expect(await notifier.hasReplied(denied, post, 'closed')).toBe(true);
    expect(await notifier.hasReplied(denied, post, 'open after 1 failures')).toBe(false);
    expect(workspace.directMessages(people.uma.id).at(-1)).toMatchObject({
      threadTs: post.ts,
      text: `⛔ <@${people.uma.id}>: <@${ada.id}> denied: suspend *Rosa Almeida*. “Ask Erin first”`,
    });
  });

  test('that is gone is reported as gone, and a requester who has left keeps no reply from anybody', async () => {
    const { workspace, notifier, lines } = await setUp();
    const post = (await notifier.postToRequester(request))!;
    workspace.faults.inject({ kind: 'api-error', error: 'message_not_found' }, { method: 'chat.update', times: 1 });
    expect(await notifier.updateRequesterPost(denied, post)).toBe(false);
    workspace.faults.inject({ kind: 'api-error', error: 'internal_error' }, { method: 'chat.update', times: 1 });
    await expect(notifier.updateRequesterPost(denied, post)).rejects.toMatchObject({ name: 'PlatformError' });
    workspace.faults.inject({ kind: 'api-error', error: 'user_disabled' }, { method: 'chat.postMessage', times: 1 });
    await notifier.reply(denied, post, 'closed');
    expect(lines.join('')).toContain('the requester cannot be notified of a decision');
  });
});
