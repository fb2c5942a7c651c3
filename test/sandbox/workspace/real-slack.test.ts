import { describe, expect, it } from 'vitest';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { openWorkspace } from './support/bolt-bot.ts';
import { answerOf, call as answered, text } from './support/web-api.ts';
import { modal, plain, useStage } from './support/stage.ts';

// What Slack does and a kinder replacement does not. Each group names the source of its rules.

const stage = useStage();
const call = stage.ask;
const inResults = { channel: channels.results.id };
const section = (length: number) => ({ type: 'section', text: plain(text(length)) });

describe('ephemeral messages (https://docs.slack.dev/reference/methods/chat.postEphemeral)', () => {
  const postEphemeral = () => call('chat.postEphemeral', { ...inResults, user: people.ada.id, text: 'Psst' });
  const shown = () => stage.workspace.ephemerals(people.ada.id).map((message) => message.text);

  it('do not reach a person who is away, and no error says so', async () => {
    expect(await postEphemeral()).toMatchObject({ ok: true, message_ts: expect.any(String) });
    await stage.ada.say(channels.results.id, 'I am back');
    expect(shown()).toEqual([]);
  });

  it('reach a person who was active within 10 minutes', async () => {
    await stage.ada.say(channels.results.id, 'Good morning');
    stage.clock.advance(10 * 60_000);
    await postEphemeral();
    expect(shown()).toEqual(['Psst']);
    stage.clock.advance(1);
    await postEphemeral();
    expect(shown()).toEqual(['Psst']);
  });

  it('are gone once the person closes Slack, and are in no history', async () => {
    await stage.ada.say(channels.results.id, 'Good morning');
    await postEphemeral();
    stage.ada.leave();
    expect(shown()).toEqual([]);
    expect(Object(await call('conversations.history', inResults)).messages).toMatchObject([{ text: 'Good morning' }]);
  });
});

describe('response URLs (https://docs.slack.dev/interactivity/handling-user-interaction#message_responses)', () => {
  const respond = (body: object) =>
    fetch(String(stage.bot.received.at(-1)?.payload['response_url']), { method: 'POST', body: JSON.stringify(body) });
  const buttons = [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: plain('Go') }] }];

  async function clickInThread(): Promise<{ parent: unknown; ts: unknown }> {
    const { ts: parent } = await call('chat.postMessage', { ...inResults, text: 'Parent' });
    const { ts } = await call('chat.postMessage', { ...inResults, text: 'Reply', thread_ts: parent, blocks: buttons });
    await stage.ada.click({ ...inResults, ts: String(ts) }, 'go');
    return { parent, ts };
  }

  it('answer the person alone unless they say `in_channel`', async () => {
    await stage.ada.command('/quiz list');
    await respond({ text: 'For Ada' });
    await respond({ text: 'For all', response_type: 'in_channel' });
    expect(stage.workspace.ephemerals(people.ada.id)).toMatchObject([{ text: 'For Ada' }]);
    expect(stage.workspace.messages(channels.results.id)).toMatchObject([{ text: 'For all' }]);
  });

  it('replace the message of a thread unless they decline it', async () => {
    const { ts } = await clickInThread();
    await respond({ text: 'Replaced' });
    expect(stage.workspace.messages(channels.results.id).find((message) => message.ts === ts)?.text).toBe('Replaced');
  });

  it('answer in the thread that they name, and otherwise in the channel', async () => {
    const { parent } = await clickInThread();
    await respond({ text: 'In the channel', replace_original: false });
    await respond({ text: 'In the thread', replace_original: false, thread_ts: parent });
    const threads = stage.workspace.ephemerals(people.ada.id).map((message) => [message.text, message.threadTs]);
    expect(threads).toEqual([
      ['In the channel', undefined],
      ['In the thread', parent],
    ]);
  });

  it('are not subject to the limit of a message (https://github.com/slackapi/bolt-js/issues/2867)', async () => {
    await stage.ada.command('/quiz list');
    expect(
      (
        await respond({
          text: 'Long',
          blocks: [...Array(10).keys()].map(() => ({ type: 'section', text: plain(text(2_000)) })),
        })
      ).status,
    ).toBe(200);
  });
});

describe('threads (https://docs.slack.dev/messaging/sending-and-scheduling-messages#threading)', () => {
  it('are read apart from their channel, save for a reply that is broadcast', async () => {
    const { ts } = await call('chat.postMessage', { ...inResults, text: 'Parent' });
    await call('chat.postMessage', { ...inResults, text: 'Quiet', thread_ts: ts });
    await call('chat.postMessage', { ...inResults, text: 'Loud', thread_ts: ts, reply_broadcast: true });
    expect(await call('conversations.history', inResults)).toMatchObject({
      messages: [{ text: 'Loud', subtype: 'thread_broadcast', thread_ts: ts }, { text: 'Parent' }],
    });
    expect(Object(await call('conversations.replies', { ...inResults, ts })).messages).toHaveLength(3);
  });
});

describe('the size of a message (https://github.com/slackapi/bolt-js/issues/2509, 2867)', () => {
  const fiveBlocks = (length: number) => [...[3_000, 3_000, 3_000, 3_000].map(section), section(length - 12_000)];

  it.each([
    ['text in five blocks', fiveBlocks(12_797), fiveBlocks(12_798)],
    ['text and a divider', [...fiveBlocks(12_672), { type: 'divider' }], [...fiveBlocks(12_673), { type: 'divider' }]],
  ])('counts %s', async (_what, accepted, refused) => {
    expect(await call('chat.postMessage', { ...inResults, text: 'Long', blocks: accepted })).toMatchObject({
      ok: true,
    });
    expect(await call('chat.postMessage', { ...inResults, text: 'Long', blocks: refused })).toMatchObject({
      error: 'msg_blocks_too_long',
    });
  });
});

describe('chat.update (https://docs.slack.dev/reference/methods/chat.update)', () => {
  it('takes 4,000 bytes of text, counted in UTF-8', async () => {
    const { ts } = await call('chat.postMessage', { ...inResults, text: 'Hello' });
    expect(await call('chat.update', { ...inResults, ts, text: 'é'.repeat(2_000) })).toMatchObject({ ok: true });
    expect(await call('chat.update', { ...inResults, ts, text: `${'é'.repeat(2_000)}!` })).toMatchObject({
      error: 'msg_too_long',
    });
  });

  it('removes the blocks of a message that is given only text, and keeps the text of one that is given only blocks', async () => {
    const blocks = [{ type: 'divider' }];
    const { ts } = await call('chat.postMessage', { ...inResults, text: 'Hello', blocks });
    await call('chat.update', { ...inResults, ts, blocks: [...blocks, ...blocks] });
    expect(stage.workspace.messages(channels.results.id)).toMatchObject([{ text: 'Hello', blocks: [{}, {}] }]);
    await call('chat.update', { ...inResults, ts, text: 'Bye' });
    expect(stage.workspace.messages(channels.results.id)[0]).not.toHaveProperty('blocks');
  });

  it('answers `is_inactive` in an archived channel', async () => {
    const id = 'C0CLOSING';
    const workspace = await openWorkspace({
      channels: [{ id, name: 'closing', kind: 'public', members: [people.ada.id, 'U0INVIGIL8R'] }],
    });
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: id, text: 'Hello' });
    workspace.setChannel(id, { isArchived: true });
    expect(await answerOf(workspace, 'chat.update', { channel: id, ts, text: 'Bye' })).toMatchObject({
      error: 'is_inactive',
    });
    await workspace.close();
  });
});

describe('direct messages (https://docs.slack.dev/reference/methods/conversations.open, chat.postMessage#channels)', () => {
  it("go to Slackbot's conversation where the channel is a person's id", async () => {
    const { channel } = await call('chat.postMessage', { channel: people.ada.id, text: 'Hello' });
    expect(stage.workspace.directMessages(people.ada.id)).toEqual([]);
    expect(stage.workspace.slackbotMessages(people.ada.id)).toMatchObject([{ text: 'Hello' }]);
    expect(await call('conversations.history', { channel })).toMatchObject({ error: 'channel_not_found' });
  });

  it('go to the bot’s own conversation once it is opened', async () => {
    const { channel } = await call('conversations.open', { users: people.ada.id });
    await call('chat.postMessage', { channel: Object(channel).id, text: 'Hello' });
    expect(stage.workspace.directMessages(people.ada.id)).toMatchObject([{ text: 'Hello' }]);
  });

  it('are refused with a deactivated person', async () => {
    expect(await call('conversations.open', { users: people.dora.id })).toMatchObject({ error: 'user_disabled' });
  });
});

describe('people (https://docs.slack.dev/reference/objects/user-object, types of @slack/web-api)', () => {
  it('of another enterprise can have the address of a colleague', async () => {
    expect(await call('users.info', { user: people.ivo.id })).toMatchObject({
      user: {
        team_id: 'T0PARTNER',
        is_stranger: true,
        enterprise_user: { enterprise_id: 'E0PARTNER' },
        profile: { email: people.ada.email },
      },
    });
  });

  it('can have an address that they have not confirmed', async () => {
    expect(await call('users.info', { user: people.aisha.id })).toMatchObject({ user: { is_email_confirmed: false } });
    expect(await call('users.info', { user: people.ada.id })).toMatchObject({ user: { is_email_confirmed: true } });
  });
});

describe('Enterprise organizations (https://docs.slack.dev/enterprise/developing-for-enterprise-orgs)', () => {
  it('name themselves in auth.test and in payloads; views of an installation for all workspaces name no workspace', async () => {
    const enterprise = { id: 'E0OWN', name: 'Quiz Example', isInstalledForAll: true };
    const workspace = await openWorkspace({ enterprise, bot: { url: stage.bot.url } });
    expect(await answerOf(workspace, 'auth.test')).toMatchObject({
      enterprise_id: 'E0OWN',
      is_enterprise_install: true,
    });
    await workspace.as(people.ada.id).command('/quiz list');
    expect(stage.bot.received.at(-1)?.payload).toMatchObject({ enterprise_id: 'E0OWN', is_enterprise_install: 'true' });
    await workspace.as(people.ada.id).shortcut('close-quiz');
    expect(stage.bot.received.at(-1)?.payload).toMatchObject({
      team: null,
      enterprise: { id: 'E0OWN' },
      is_enterprise_install: true,
    });
    await workspace.close();
  });
});

describe('views (https://docs.slack.dev/surfaces/modals)', () => {
  it.each(['expired_trigger_id', 'internal_error'])('now and then do not open: %s', async (error) => {
    stage.workspace.faults.inject({ kind: 'api-error', error }, { method: 'views.open', times: 1 });
    expect(await call('views.open', { trigger_id: await stage.trigger(), view: modal() })).toMatchObject({ error });
    expect(await call('views.open', { trigger_id: await stage.trigger(), view: modal() })).toMatchObject({ ok: true });
  });

  it('keep what was chosen in an input whose block_id stays (https://docs.slack.dev/reference/block-kit/blocks/input-block)', async () => {
    const view = await stage.open();
    await stage.ada.fill(view, { name: 'Typed' });
    const initial = (block_id: string) =>
      modal({
        blocks: [
          {
            type: 'input',
            block_id,
            label: plain('Name'),
            element: { type: 'plain_text_input', action_id: 'name', initial_value: 'New' },
          },
        ],
      });
    await call('views.update', { view_id: view.id, view: initial('name') });
    expect(stage.shown().state.values).toMatchObject({ name: { name: { value: 'Typed' } } });
    await call('views.update', { view_id: view.id, view: initial('another') });
    expect(stage.shown().state.values).toMatchObject({ another: { name: { value: 'New' } } });
  });
});

describe('channels shared with other companies (https://docs.slack.dev/apis/slack-connect)', () => {
  const picker = (filter?: object) =>
    modal({
      blocks: [
        {
          type: 'input',
          block_id: 'channel',
          label: plain('Channel'),
          element: { type: 'conversations_select', action_id: 'channel', ...(filter && { filter }) },
        },
      ],
    });

  it('are offered by pickers that do not exclude them', async () => {
    await stage.ada.fill(await stage.open(picker()), { channel: channels.partners.id });
    const excluding = await stage.open(picker({ exclude_external_shared_channels: true }));
    await expect(stage.ada.fill(excluding, { channel: channels.partners.id })).rejects.toThrow(
      'does not offer partners',
    );
  });

  it('say with whom they are shared', async () => {
    expect(await call('conversations.info', { channel: channels.partners.id })).toMatchObject({
      channel: { is_ext_shared: true, connected_team_ids: ['T0PARTNER'] },
    });
    expect(await call('conversations.info', inResults)).toMatchObject({ channel: { is_ext_shared: false } });
  });
});

describe('faults that a test asks for', () => {
  const hello = { ...inResults, text: 'Hello' };
  const post = (args: object = {}) => call('chat.postMessage', { ...hello, ...args });

  it('a lost answer: the message is posted, the connection closes', async () => {
    stage.workspace.faults.inject({ kind: 'lost-answer' }, { method: 'chat.postMessage', times: 1 });
    await expect(post()).rejects.toThrow('fetch failed');
    expect(stage.workspace.messages(channels.results.id)).toHaveLength(1);
    expect(await post()).toMatchObject({ ok: true });
  });

  it('a lost request: the connection closes, nothing is posted', async () => {
    stage.workspace.faults.inject({ kind: 'lost-request' }, { times: 1 });
    await expect(post()).rejects.toThrow('fetch failed');
    expect(stage.workspace.messages(channels.results.id)).toEqual([]);
  });

  it('429 for every call until the fault is removed', async () => {
    const calm = stage.workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 7 });
    expect(await answered(stage.workspace, 'auth.test')).toMatchObject({ status: 429, retryAfter: '7' });
    expect(await answered(stage.workspace, 'users.list')).toMatchObject({ status: 429 });
    calm();
    expect(await answered(stage.workspace, 'auth.test')).toMatchObject({ status: 200 });
  });

  it('a 500 with an HTML body', async () => {
    stage.workspace.faults.inject({ kind: 'http-error', status: 500 }, { times: 1 });
    const response = await fetch(`${stage.workspace.apiUrl}auth.test`, { method: 'POST' });
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('<html>');
  });

  it('latency, as long as the clock says', async () => {
    stage.workspace.faults.inject({ kind: 'latency', ms: 2500 }, { times: 1 });
    let isAnswered = false;
    const answer = post().then((called) => {
      isAnswered = true;
      return called;
    });
    await stage.workspace.until(() => stage.workspace.faults.delayed > 0);
    expect(isAnswered).toBe(false);
    stage.clock.advance(2500);
    expect(await answer).toMatchObject({ ok: true });
  });

  it('affect only the calls they select', async () => {
    stage.workspace.faults.inject(
      { kind: 'api-error', error: 'account_inactive' },
      { method: 'chat.postMessage', when: (args) => args['channel'] === channels.training.id },
    );
    expect(await post()).toMatchObject({ ok: true });
    expect(await post({ channel: channels.training.id })).toMatchObject({
      ok: false,
      error: 'account_inactive',
    });
  });
});
