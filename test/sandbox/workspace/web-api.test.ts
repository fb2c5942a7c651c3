import { describe, expect, it } from 'vitest';
import {
  botUserId,
  channels,
  people,
  rota,
  teamId,
  teamName,
  userGroups,
} from '../../../src/sandbox/workspace/people.ts';
import { appToken, botToken } from './support/bolt-bot.ts';
import { cell, call, manifestWithout } from './support/web-api.ts';
import { useStage } from './support/stage.ts';

const { ada, rosa, zoe, maya, katarzyna, lena, ivo, dora, hana, erin, sam } = people;
const { kitchen, winter } = userGroups;
const results = { channel: channels.results.id };
const hello = { ...results, text: 'Hello' };
const free = { strictness: { rateLimits: false } };

const stage = useStage();
const { ask } = stage;
const post = (args: Record<string, unknown> = {}) => ask('chat.postMessage', { ...hello, ...args });
const shown = () => stage.workspace.messages(channels.results.id);
const many = (count: number) => Array.from({ length: count }, () => ada.id).join(',');

const tooMuch = { event_type: 'a', event_payload: { text: 'x'.repeat(16_000) } };

it.each([
  ['chat.shout', {}, 'unknown_method'],
  ['chat.postMessage', { ...hello, channel: 'C0NOWHERE' }, 'channel_not_found'],
  ['chat.postMessage', { ...hello, channel: channels.general.id }, 'not_in_channel'],
  ['chat.postMessage', { ...hello, channel: channels.archived.id }, 'is_archived'],
  ['chat.postMessage', { ...hello, text: '' }, 'no_text'],
  ['chat.postMessage', { ...hello, text: 'x'.repeat(40_001) }, 'msg_too_long'],
  ['chat.postMessage', { ...hello, blocks: '{"type":"section"}' }, 'invalid_blocks_format'],
  ['chat.postMessage', { ...hello, blocks: '[{' }, 'invalid_blocks_format'],
  ['chat.postMessage', { ...hello, metadata: { event_payload: {} } }, 'invalid_metadata_format'],
  ['chat.postMessage', { ...hello, metadata: tooMuch }, 'metadata_too_large'],
  ['chat.postMessage', { ...hello, thread_ts: '1.000000' }, 'thread_not_found'],
  ['chat.postEphemeral', { ...hello, channel: channels.partners.id, user: lena.id }, 'user_not_in_channel'],
  ['conversations.history', { channel: channels.general.id }, 'not_in_channel'],
  ['conversations.members', { ...results, limit: 0 }, 'invalid_limit'],
  ['conversations.members', { ...results, limit: 1000 }, 'invalid_limit'],
  ['conversations.members', { ...results, limit: 'all' }, 'invalid_limit'],
  ['conversations.members', { ...results, limit: 1.5 }, 'invalid_limit'],
  ['conversations.members', { ...results, cursor: '?' }, 'invalid_cursor'],
  ['conversations.members', { ...results, cursor: 'bm8=' }, 'invalid_cursor'],
  ['conversations.members', { channel: 'C0NOWHERE' }, 'channel_not_found'],
  ['conversations.open', {}, 'users_list_not_supplied'],
  ['conversations.open', { users: many(9) }, 'too_many_users'],
  ['usergroups.users.list', { usergroup: winter.id }, 'no_such_subteam'],
  ['users.info', { user: 'U0NOBODY' }, 'user_not_found'],
  ['users.lookupByEmail', { email: 'nobody@quiz.example' }, 'users_not_found'],
  ['users.profile.get', { user: 'U0NOBODY' }, 'user_not_found'],
  ['dnd.teamInfo', { users: '' }, 'no_users_provided'],
  ['dnd.teamInfo', { users: many(51) }, 'too_many_users'],
  ['files.getUploadURLExternal', { filename: 'a.png', length: 1, alt_txt: 'a'.repeat(1_001) }, 'alt_txt_too_large'],
  ['apps.connections.open', {}, 'not_allowed_token_type'],
])('%s refuses: %j', async (method, args, error) => {
  expect(await ask(method, args)).toMatchObject({ ok: false, error });
  expect(shown()).toEqual([]);
});

describe('tokens', () => {
  it.each([
    ['', 'not_authed'],
    ['xoxb-somebody-else', 'invalid_auth'],
    [appToken, 'not_allowed_token_type'],
  ])('“%s” cannot call auth.test', async (token, error) => {
    expect((await call(stage.workspace, 'auth.test', {}, token)).answer).toMatchObject({ ok: false, error });
  });

  it('are never recorded', async () => {
    await ask('users.info', { token: botToken, user: ada.id });
    expect(JSON.stringify(stage.workspace.calls)).not.toContain(botToken);
  });
});

describe('scopes', () => {
  it.each([
    ['chat:write', 'chat.postMessage', hello],
    ['users:read', 'users.info', { user: ada.id }],
    ['users:read.email', 'users.lookupByEmail', { email: ada.email }],
    ['users.profile:read', 'users.profile.get', { user: rosa.id }],
    ['users.profile:read', 'team.profile.get', {}],
    ['usergroups:read', 'usergroups.users.list', { usergroup: kitchen.id }],
    ['dnd:read', 'dnd.teamInfo', { users: maya.id }],
    ['channels:history', 'conversations.history', results],
    ['channels:read', 'conversations.info', results],
    ['groups:history', 'conversations.history', { channel: channels.leads.id }],
    ['im:write', 'conversations.open', { users: ada.id }],
    ['files:write', 'files.getUploadURLExternal', { filename: 'a.csv', length: 1 }],
  ])('without %s, %s is refused', async (scope, method, args) => {
    await stage.reopen({ manifestPath: manifestWithout(scope) });
    expect(await ask(method, args)).toMatchObject({
      ok: false,
      error: 'missing_scope',
      needed: expect.stringContaining(scope),
    });
  });

  it('users.info includes the e-mail address only with users:read.email', async () => {
    expect(await ask('users.info', { user: ada.id })).toMatchObject({ user: { profile: { email: ada.email } } });
    await stage.reopen({ manifestPath: manifestWithout('users:read.email') });
    expect(Object(await ask('users.info', { user: ada.id })).user.profile).not.toHaveProperty('email');
  });
});

describe('rate limits', () => {
  async function statuses(count: number, method: string, args: Record<string, unknown> = {}): Promise<number[]> {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) seen.push((await call(stage.workspace, method, args)).status);
    return seen;
  }

  it('a channel accepts one message per second after a short burst, then returns 429 with Retry-After', async () => {
    expect(await statuses(3, 'chat.postMessage', hello)).toEqual([200, 200, 200]);
    expect(await call(stage.workspace, 'chat.postMessage', hello)).toMatchObject({
      status: 429,
      retryAfter: '1',
      answer: { ok: false, error: 'ratelimited' },
    });
    expect(await statuses(1, 'chat.postMessage', { ...hello, channel: channels.training.id })).toEqual([200]);
    stage.clock.advance(1000);
    expect(await statuses(2, 'chat.postMessage', hello)).toEqual([200, 429]);
    expect(shown()).toHaveLength(4);
  });

  it('the workspace has a limit on its messages', async () => {
    await stage.reopen({ strictness: { messagesPerMinute: 2 } });
    const ids = [ada.id, rosa.id, zoe.id];
    const seen = await Promise.all(ids.map((channel) => statuses(1, 'chat.postMessage', { ...hello, channel })));
    expect(seen.flat().filter((status) => status === 429)).toHaveLength(1);
  });

  it.each([
    ['users.list', {}, 20],
    ['conversations.open', { users: ada.id }, 50],
    ['team.profile.get', {}, 50],
    ['users.profile.get', { user: ada.id }, 100],
  ])('%s takes a number of calls a minute, whatever other methods take', async (method, args, most) => {
    const seen = await statuses(most + 1, method, args);
    expect(seen.filter((status) => status === 200)).toHaveLength(most);
    expect(seen.at(-1)).toBe(429);
    expect(await statuses(1, 'users.info', { user: ada.id })).toEqual([200]);
    stage.clock.advance(60_000);
    expect(await statuses(1, method, args)).toEqual([200]);
  });
});

describe('messages', () => {
  it('have at most 40,000 characters, and invalid blocks are named with a JSON pointer', async () => {
    expect(await post({ text: 'x'.repeat(40_000) })).toMatchObject({ ok: true });
    const reason = 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]';
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }];
    expect(await post({ blocks })).toMatchObject({
      error: 'invalid_blocks',
      errors: [reason],
      response_metadata: { messages: [`[ERROR] ${reason}`] },
    });
  });

  it('have no new blocks in a legacy workspace', async () => {
    const blocks = [{ type: 'data_table', caption: 'Rows', rows: [[cell()], [cell()]] }];
    expect(await post({ blocks })).toMatchObject({ ok: true });
    stage.workspace.faults.setLegacy(true);
    expect(await post({ blocks })).toMatchObject({ error: 'invalid_blocks' });
  });

  it('keep threads flat: a reply to a reply belongs to the parent', async () => {
    const parent = await post();
    const reply = await post({ thread_ts: parent['ts'] });
    await post({ thread_ts: reply['ts'] });
    expect(shown().map(({ threadTs }) => threadTs)).toEqual([undefined, parent['ts'], parent['ts']]);
  });

  it('can be changed by the bot that sent them', async () => {
    const { ts } = await post();
    expect(await ask('chat.update', { ...results, ts, text: 'Changed' })).toMatchObject({ ok: true, text: 'Changed' });
    expect(shown()).toMatchObject([{ text: 'Changed', editedTs: expect.any(String) }]);
    const { ts: foreign } = await stage.workspace.as(rosa.id).say(channels.results.id, 'Mine');
    expect(await ask('chat.update', { ...results, ts: foreign, text: 'Yours' })).toMatchObject({
      error: 'cant_update_message',
    });
  });

  it('for one member of the channel are in no history, and cannot be changed', async () => {
    await stage.ada.openHome();
    const { message_ts: ts } = await ask('chat.postEphemeral', { ...hello, user: ada.id });
    expect(stage.workspace.ephemerals(ada.id, channels.results.id)).toMatchObject([{ text: 'Hello' }]);
    expect(await ask('conversations.history', results)).toMatchObject({ messages: [] });
    expect(await ask('chat.update', { ...results, ts, text: 'Loud' })).toMatchObject({ error: 'message_not_found' });
  });

  it('are read in pages, newest first, without replies, and with their metadata only on request', async () => {
    await stage.reopen(free);
    const metadata = { event_type: 'alert', event_payload: { id: 'a' } };
    const first = await post({ text: 'first', metadata });
    await post({ text: 'a reply', thread_ts: first['ts'] });
    await post({ text: 'second' });
    await post({ text: 'third' });
    const page = await ask('conversations.history', { ...results, limit: 2 });
    expect(page).toMatchObject({ has_more: true, messages: [{ text: 'third' }, { text: 'second' }] });
    const cursor = Object(page['response_metadata']).next_cursor;
    const brief = await ask('conversations.history', { ...results, cursor });
    expect(brief).toMatchObject({ has_more: false, messages: [{ text: 'first', metadata: { event_type: 'alert' } }] });
    expect(brief).not.toMatchObject({ messages: [{ metadata }] });
    const whole = await ask('conversations.history', { ...results, cursor, include_all_metadata: true });
    expect(whole).toMatchObject({ messages: [{ metadata }] });
    expect(await ask('conversations.replies', { ...results, ts: first['ts'] })).toMatchObject({
      messages: [{ text: 'first' }, { text: 'a reply' }],
    });
  });
});

describe('conversations', () => {
  it('list guests and bots among the members, over several pages whatever the limit is', async () => {
    const page = (args: object) => ask('conversations.members', { channel: channels.training.id, limit: 200, ...args });
    const first = Object(await page({}));
    const second = Object(await page({ cursor: first.response_metadata.next_cursor }));
    expect(second.response_metadata.next_cursor).toBe('');
    expect([...first.members, ...second.members]).toEqual([...channels.training.members]);
    expect(channels.training.members).toEqual(expect.arrayContaining([lena.id, rota.id, botUserId]));
  });

  it('that are private are invisible to the bot outside them; public ones are not', async () => {
    const leads = { channel: channels.leads.id };
    await stage.ada.remove(channels.leads.id);
    for (const method of ['conversations.info', 'conversations.members'])
      expect(await ask(method, leads)).toMatchObject({ error: 'channel_not_found' });
    expect(await ask('conversations.members', { channel: channels.general.id })).toMatchObject({ ok: true });
    await stage.ada.invite(channels.leads.id);
    expect(await ask('conversations.info', leads)).toMatchObject({ channel: { is_private: true, is_member: true } });
  });
});

interface Member {
  id: string;
}

describe('people', () => {
  const info = async (user: string, args: object = {}) => Object(await ask('users.info', { user, ...args })).user;

  it('are listed over several short pages: guests, strangers, bots and deactivated people included', async () => {
    const members: Member[] = [];
    let pages = 0;
    for (let cursor: string | undefined; cursor !== ''; pages += 1) {
      const answer = Object(await ask('users.list', { limit: 200, cursor }));
      members.push(...answer.members);
      expect(answer.members.length).toBeLessThanOrEqual(10);
      cursor = answer.response_metadata.next_cursor;
    }
    expect(pages).toBeGreaterThan(1);
    const find = (id: string) => members.find((member) => member.id === id);
    expect(new Set(members.map(({ id }) => id)).size).toBe(members.length);
    expect(find(lena.id)).toMatchObject({ is_restricted: true, is_bot: false });
    expect(find(ivo.id)).toMatchObject({ is_stranger: true });
    expect(find(botUserId)).toMatchObject({ is_bot: true });
    expect(find(dora.id)).toMatchObject({ deleted: true });
    expect(find(dora.id)).not.toHaveProperty('tz');
    expect(find(hana.id)).toMatchObject({ tz: 'Asia/Tokyo', tz_offset: 9 * 3600 });
  });

  it('change, and are found by e-mail address, regardless of case', async () => {
    stage.workspace.setPerson({ ...zoe, teamId: 'T0ELSEWHERE' });
    stage.workspace.setPerson({ ...sam, isDeleted: true });
    expect(await info(zoe.id)).toMatchObject({ is_stranger: true, team_id: 'T0ELSEWHERE' });
    expect(await info(sam.id)).toMatchObject({ deleted: true });
    expect(await ask('users.lookupByEmail', { email: 'ADA@quiz.example' })).toMatchObject({ user: { id: ada.id } });
  });

  it.each([
    ['2026-07-01T12:00:00Z', -4],
    ['2026-12-01T12:00:00Z', -5],
  ])('have a zone with its offset on %s', async (at, hours) => {
    stage.clock.advance(Date.parse(at) - stage.clock.now());
    expect(await info(maya.id)).toMatchObject({ tz: 'America/New_York', tz_offset: hours * 3600 });
  });

  it.each([
    ['before the evening', '2027-07-01T12:00:00Z', '2027-07-02T00:00:00Z', '2027-07-02T12:00:00Z'],
    ['during the night', '2027-07-02T05:00:00Z', '2027-07-02T00:00:00Z', '2027-07-02T12:00:00Z'],
    ['over the change of the clocks', '2026-11-01T05:00:00Z', '2026-11-01T00:00:00Z', '2026-11-01T13:00:00Z'],
  ])('have the present or the next hours of do not disturb: %s', async (_when, at, from, to) => {
    stage.clock.advance(Date.parse(at) - stage.clock.now());
    const [next_dnd_start_ts, next_dnd_end_ts] = [from, to].map((moment) => Date.parse(moment) / 1000);
    expect(await ask('dnd.teamInfo', { users: `${maya.id},${katarzyna.id}` })).toMatchObject({
      users: {
        [maya.id]: { dnd_enabled: true, next_dnd_start_ts, next_dnd_end_ts },
        [katarzyna.id]: { dnd_enabled: false },
      },
    });
  });

  it('have fields of their profile, with what they cannot edit themselves', async () => {
    expect(await ask('team.profile.get')).toMatchObject({
      profile: {
        fields: [
          { id: 'Xf0MANAGER', label: 'Manager', type: 'user', options: { is_protected: true } },
          { id: 'Xf0REPORTSTO', type: 'user', options: null },
          { id: 'Xf0LOCATION', type: 'text', options: { is_scim: true } },
        ],
      },
    });
    const fieldsOf = async (user: string) => Object(await ask('users.profile.get', { user })).profile.fields;
    expect(await fieldsOf(rosa.id)).toEqual({ Xf0MANAGER: { value: zoe.id, alt: '' } });
    expect(await fieldsOf(ada.id)).toEqual([]);
  });

  it('have a language, which is told where it is asked for, and when it changes', async () => {
    await stage.workspace.setLocale(rosa.id, 'de-DE');
    expect(stage.workspace.deliveries.map(({ body }) => Object(body).event)).toContainEqual(
      expect.objectContaining({ type: 'user_change', user: expect.objectContaining({ id: rosa.id, locale: 'de-DE' }) }),
    );
    const asked = { include_locale: true };
    expect(await info(rosa.id)).not.toHaveProperty('locale');
    expect(await info(rosa.id, asked)).toHaveProperty('locale', 'de-DE');
    expect(await info(ada.id, asked)).toHaveProperty('locale', 'en-US');
    const listed = async (args: object) => Object(await ask('users.list', { limit: 200, ...args })).members;
    expect((await listed(asked)).find(({ id }: Member) => id === rosa.id)).toHaveProperty('locale', 'de-DE');
    expect((await listed({}))[0]).not.toHaveProperty('locale');
    await expect(stage.workspace.setLocale('U0NOBODY', 'pl-PL')).rejects.toThrow('nobody has the ID U0NOBODY');
  });

  it('are in user groups, deactivated ones among them, and a disabled group is found only when asked for', async () => {
    const { users } = await ask('usergroups.users.list', { usergroup: kitchen.id });
    expect(users).toEqual([rosa.id, people.ravi.id, zoe.id, dora.id]);
    const disabled = await ask('usergroups.users.list', { usergroup: winter.id, include_disabled: true });
    expect(disabled).toMatchObject({ users: [rosa.id] });
  });
});

describe('the token of an organization (https://docs.slack.dev/enterprise/developing-for-enterprise-orgs)', () => {
  const second = { id: 'T0SECOND', name: 'Second workspace' };
  const enterprise = {
    id: 'E0OWN',
    name: 'Quiz Example',
    isInstalledForAll: true,
    workspaces: [{ id: teamId, name: teamName }, second],
  };
  const open = async () => {
    await stage.reopen({ enterprise });
    stage.workspace.setPerson({ ...erin, teamId: second.id, enterpriseId: enterprise.id });
  };

  // Those for which Slack's reference says “required if org token is used”.
  it.each([
    ['users.list', {}],
    ['usergroups.users.list', { usergroup: kitchen.id }],
    ['dnd.teamInfo', { users: ada.id }],
  ])('needs a workspace for %s, and that of a workspace needs none', async (method, args) => {
    expect(await ask(method, { ...args })).toMatchObject({ ok: true });
    await open();
    expect(await ask(method, { ...args })).toMatchObject({ error: 'missing_argument', arg: 'team_id' });
    expect(await ask(method, { ...args, team_id: enterprise.id })).toMatchObject({ error: 'team_access_not_granted' });
    expect(await ask(method, { ...args, team_id: teamId })).toMatchObject({ ok: true });
  });

  it('belongs to the organization, lists its workspaces, and sees the people of the one that it names', async () => {
    await open();
    expect(await ask('auth.test')).toMatchObject({ team_id: enterprise.id, enterprise_id: enterprise.id });
    expect(await ask('auth.teams.list')).toMatchObject({ teams: enterprise.workspaces });
    const idsIn = async (team: string) =>
      Object(await ask('users.list', { team_id: team, limit: 200 })).members.map(({ id }: Member) => id);
    expect(await idsIn(second.id)).toEqual([erin.id]);
    expect(await idsIn(teamId)).toContain(ada.id);
    expect(await idsIn(teamId)).not.toContain(erin.id);
    const answer = await ask('dnd.teamInfo', { users: `${ada.id},${erin.id}`, team_id: second.id });
    expect(Object.keys(Object(answer).users)).toEqual([erin.id]);
  });

  it('knows its own people by the organization, and outsiders by theirs', async () => {
    await open();
    const enterpriseOf = async (user: string) =>
      Object(await ask('users.info', { user })).user.enterprise_user?.enterprise_id;
    expect(await Promise.all([ada.id, erin.id, ivo.id].map(enterpriseOf))).toEqual([
      enterprise.id,
      enterprise.id,
      ivo.enterpriseId,
    ]);
  });
});

describe('files', () => {
  /** Runs the first two of the three steps. */
  async function upload(content: string, over: { filename?: string; length?: number } = {}) {
    const begun = { filename: 'results.csv', length: Buffer.byteLength(content), alt_txt: 'a'.repeat(1_000), ...over };
    const { upload_url: url, file_id: id } = await ask('files.getUploadURLExternal', begun);
    const response = await fetch(String(url), { method: 'POST', body: content });
    return { id, status: response.status };
  }
  const complete = (id: unknown, args: object = {}) =>
    ask('files.completeUploadExternal', { files: [{ id, title: 'Results' }], channel_id: results.channel, ...args });

  it.each([
    ['a section', {}, '', 'section'],
    ['nothing next to a comment', { initial_comment: 'Here' }, 'Here', undefined],
  ])('have blocks that show as %s', async (_, comment, text, type) => {
    const { id } = await upload('name,score\n');
    await complete(id, { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Results' } }], ...comment });
    expect([shown()[0]?.text, shown()[0]?.blocks?.[0]?.type]).toEqual([text, type]);
  });

  it('have a preview that ends with a whole character', async () => {
    const content = `x${'é'.repeat(700)}`;
    await complete((await upload(content)).id);
    expect(shown()[0]?.files?.[0]?.preview).toBe(content.slice(0, 600));
  });

  it('of another length than announced are rejected', async () => {
    const { id, status } = await upload('name,score\n', { length: 99 });
    expect(status).toBe(400);
    expect(await complete(id)).toMatchObject({ error: 'file_not_found' });
  });

  it.each([
    [channels.general.id, 'not_in_channel'],
    [channels.archived.id, 'is_archived'],
    ['C0NOWHERE', 'channel_not_found'],
  ])('cannot be shared in %s: %s', async (channel_id, error) => {
    expect(await complete((await upload('name,score\n')).id, { channel_id })).toMatchObject({ ok: false, error });
  });

  it('open inline if they are images, others are downloads', async () => {
    const { id } = await upload('<script>alert(1)</script>', { filename: 'page.html' });
    await complete(id);
    const { headers } = await fetch(`${stage.workspace.url}files/${String(id)}`);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });
});
