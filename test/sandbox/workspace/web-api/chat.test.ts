import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { openWorkspace } from '../support/bolt-bot.ts';
import { answerOf, call } from '../support/web-api.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace({ strictness: { rateLimits: false } });
});

afterEach(() => workspace.close());

const post = (args: Record<string, unknown>) =>
  answerOf(workspace, 'chat.postMessage', { channel: channels.results.id, text: 'Hello', ...args });

describe('chat.postMessage', () => {
  it.each([
    ['an unknown channel', { channel: 'C0NOWHERE' }, 'channel_not_found'],
    ['a channel the bot is not in', { channel: channels.general.id }, 'not_in_channel'],
    ['an archived channel', { channel: channels.archived.id }, 'is_archived'],
    ['no text and no blocks', { text: '' }, 'no_text'],
    ['a text over 40,000 characters', { text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['blocks that are not a list', { blocks: '{"type":"section"}' }, 'invalid_blocks_format'],
    ['blocks that are not JSON', { blocks: '[{' }, 'invalid_blocks_format'],
    ['metadata without an event type', { metadata: { event_payload: {} } }, 'invalid_metadata_format'],
    [
      'metadata over 16 KB',
      { metadata: { event_type: 'a', event_payload: { text: 'x'.repeat(16_000) } } },
      'metadata_too_large',
    ],
    ['an unknown thread', { thread_ts: '1.000000' }, 'thread_not_found'],
  ])('rejects %s', async (_name, args, error) => {
    expect(await post(args)).toMatchObject({ ok: false, error });
    expect(workspace.messages(channels.results.id)).toEqual([]);
  });

  it('accepts a text of exactly 40,000 characters', async () => {
    expect(await post({ text: 'x'.repeat(40_000) })).toMatchObject({ ok: true });
  });

  it('rejects invalid blocks with a JSON pointer', async () => {
    const answer = await post({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }] });
    const reason = 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]';
    expect(answer).toMatchObject({
      ok: false,
      error: 'invalid_blocks',
      errors: [reason],
      response_metadata: { messages: [`[ERROR] ${reason}`] },
    });
  });

  it('accepts forms and JSON, with blocks as JSON in a form field', async () => {
    const body = new URLSearchParams({
      token: 'xoxb-test-bot-token',
      channel: channels.results.id,
      text: 'Hello',
      blocks: JSON.stringify([{ type: 'divider' }]),
    });
    const response = await fetch(`${workspace.apiUrl}chat.postMessage`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ ok: true, channel: channels.results.id });
    expect(workspace.messages(channels.results.id)[0]?.blocks).toMatchObject([
      { type: 'divider', block_id: expect.any(String) },
    ]);
  });

  it('keeps threads flat: a reply to a reply belongs to the parent', async () => {
    const parent = await post({});
    const reply = await post({ thread_ts: parent['ts'] });
    await post({ thread_ts: reply['ts'] });
    expect(workspace.messages(channels.results.id).map((message) => message.threadTs)).toEqual([
      undefined,
      parent['ts'],
      parent['ts'],
    ]);
  });
});

describe('chat.postEphemeral', () => {
  it('shows a message to one member of the channel only', async () => {
    await workspace.as(people.ada.id).openHome();
    const answer = await answerOf(workspace, 'chat.postEphemeral', {
      channel: channels.results.id,
      user: people.ada.id,
      text: 'Psst',
    });
    expect(answer).toMatchObject({ ok: true });
    expect(workspace.ephemerals(people.ada.id, channels.results.id)).toMatchObject([{ text: 'Psst' }]);
    expect(workspace.messages(channels.results.id)).toEqual([]);
  });

  it('rejects people who are not in the channel', async () => {
    expect(
      await answerOf(workspace, 'chat.postEphemeral', {
        channel: channels.partners.id,
        user: people.lena.id,
        text: 'Psst',
      }),
    ).toMatchObject({ error: 'user_not_in_channel' });
  });
});

describe('chat.update', () => {
  it("changes the bot's own messages", async () => {
    const { ts } = await post({});
    expect(
      await answerOf(workspace, 'chat.update', { channel: channels.results.id, ts, text: 'Changed' }),
    ).toMatchObject({ ok: true, text: 'Changed' });
    expect(workspace.messages(channels.results.id)).toMatchObject([{ text: 'Changed', editedTs: expect.any(String) }]);
  });

  it('leaves messages of other people alone', async () => {
    const { ts } = await workspace.as(people.rosa.id).say(channels.results.id, 'Mine');
    expect(await answerOf(workspace, 'chat.update', { channel: channels.results.id, ts, text: 'Yours' })).toMatchObject(
      { error: 'cant_update_message' },
    );
  });

  it('does not find ephemeral messages', async () => {
    await workspace.as(people.ada.id).openHome();
    const ephemeral = await answerOf(workspace, 'chat.postEphemeral', {
      channel: channels.results.id,
      user: people.ada.id,
      text: 'Psst',
    });
    expect(
      await answerOf(workspace, 'chat.update', {
        channel: channels.results.id,
        ts: ephemeral['message_ts'],
        text: 'Loud',
      }),
    ).toMatchObject({ error: 'message_not_found' });
  });
});

describe('conversations.history', () => {
  const metadata = { event_type: 'alert', event_payload: { id: 'a' } };

  it('includes the metadata payload only on request', async () => {
    await post({ metadata });
    const brief = await answerOf(workspace, 'conversations.history', { channel: channels.results.id });
    const whole = await answerOf(workspace, 'conversations.history', {
      channel: channels.results.id,
      include_all_metadata: true,
    });
    expect(brief).toMatchObject({ messages: [{ metadata: { event_type: 'alert' } }] });
    expect(brief).not.toMatchObject({ messages: [{ metadata }] });
    expect(whole).toMatchObject({ messages: [{ metadata }] });
  });

  it('returns pages, newest first, without ephemeral messages and replies', async () => {
    const first = await post({ text: 'first' });
    await post({ text: 'a reply', thread_ts: first['ts'] });
    await workspace.as(people.ada.id).openHome();
    await answerOf(workspace, 'chat.postEphemeral', {
      channel: channels.results.id,
      user: people.ada.id,
      text: 'Psst',
    });
    await post({ text: 'second' });
    await post({ text: 'third' });
    const page = await call(workspace, 'conversations.history', { channel: channels.results.id, limit: 2 });
    expect(page.answer).toMatchObject({ has_more: true, messages: [{ text: 'third' }, { text: 'second' }] });
    const next = await answerOf(workspace, 'conversations.history', {
      channel: channels.results.id,
      limit: 2,
      cursor: Object(page.answer['response_metadata']).next_cursor,
    });
    expect(next).toMatchObject({ has_more: false, messages: [{ text: 'first' }] });
    expect(
      await answerOf(workspace, 'conversations.replies', { channel: channels.results.id, ts: first['ts'] }),
    ).toMatchObject({ messages: [{ text: 'first' }, { text: 'a reply' }] });
  });

  it('requires the bot to be in the channel', async () => {
    expect(await answerOf(workspace, 'conversations.history', { channel: channels.general.id })).toMatchObject({
      error: 'not_in_channel',
    });
  });
});
