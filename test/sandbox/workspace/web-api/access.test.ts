import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace, WorkspaceOptions } from '../../../../src/sandbox/workspace/workspace.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { appToken, botToken, manifestPath, openWorkspace } from '../support/bolt-bot.ts';
import { answerOf, call } from '../support/web-api.ts';

let workspace: Workspace;

afterEach(() => workspace.close());

/** Starts a workspace whose manifest lacks these scopes. */
async function openWithout(scopes: string[], options: Partial<WorkspaceOptions> = {}): Promise<Workspace> {
  const path = join(temporaryDirectory(), 'manifest.yml');
  const lines = readFileSync(manifestPath, 'utf8').split('\n');
  writeFileSync(path, lines.filter((line) => !scopes.includes(line.trim().replace('- ', ''))).join('\n'));
  workspace = await openWorkspace({ manifestPath: path, ...options });
  return workspace;
}

describe('tokens', () => {
  it.each([
    ['none', '', 'not_authed'],
    ['a wrong token', 'xoxb-somebody-else', 'invalid_auth'],
    ["the app's", appToken, 'not_allowed_token_type'],
  ])('%s cannot call auth.test', async (_name, token, error) => {
    workspace = await openWorkspace();
    expect((await call(workspace, 'auth.test', {}, token)).answer).toMatchObject({ ok: false, error });
  });

  it('the bot token calls auth.test, but opens no socket', async () => {
    workspace = await openWorkspace();
    expect((await call(workspace, 'auth.test', {}, botToken)).answer).toMatchObject({
      ok: true,
      team_id: workspace.teamId,
    });
    expect((await call(workspace, 'apps.connections.open', {}, botToken)).answer).toMatchObject({
      error: 'not_allowed_token_type',
    });
  });

  it('are never recorded', async () => {
    workspace = await openWorkspace();
    await call(workspace, 'users.info', { token: botToken, user: people.ada.id });
    expect(JSON.stringify(workspace.calls)).not.toContain(botToken);
  });
});

describe('scopes', () => {
  it.each([
    ['chat:write', 'chat.postMessage', { channel: channels.results.id, text: 'Hello' }],
    ['users:read', 'users.info', { user: people.ada.id }],
    ['users:read.email', 'users.lookupByEmail', { email: 'ada@quiz.example' }],
    ['channels:history', 'conversations.history', { channel: channels.results.id }],
    ['channels:read', 'conversations.info', { channel: channels.results.id }],
    ['groups:history', 'conversations.history', { channel: channels.leads.id }],
    ['im:write', 'conversations.open', { users: people.ada.id }],
    ['files:write', 'files.getUploadURLExternal', { filename: 'a.csv', length: 1 }],
  ])('without %s, %s is refused', async (scope, method, args) => {
    await openWithout([scope]);
    expect(await answerOf(workspace, method, args)).toMatchObject({
      ok: false,
      error: 'missing_scope',
      needed: expect.stringContaining(scope),
    });
  });

  it('users.info includes the e-mail address only with users:read.email', async () => {
    await openWithout(['users:read.email']);
    expect(await answerOf(workspace, 'users.info', { user: people.ada.id })).toMatchObject({
      user: { profile: expect.not.objectContaining({ email: expect.anything() }) },
    });
    await workspace.close();
    workspace = await openWorkspace();
    expect(await answerOf(workspace, 'users.info', { user: people.ada.id })).toMatchObject({
      user: { profile: { email: 'ada@quiz.example' } },
    });
  });
});

describe('people', () => {
  it('guests, bots, strangers and deactivated people have their flags', async () => {
    workspace = await openWorkspace();
    workspace.setPerson({ ...people.zoe, teamId: 'T0ELSEWHERE' });
    workspace.setPerson({ ...people.sam, isDeleted: true });
    const user = async (id: string) => (await answerOf(workspace, 'users.info', { user: id }))['user'];
    expect(await user(people.lena.id)).toMatchObject({ is_restricted: true, is_bot: false });
    expect(await user('U0INVIGIL8R')).toMatchObject({ is_bot: true });
    expect(await user(people.zoe.id)).toMatchObject({ is_stranger: true, team_id: 'T0ELSEWHERE' });
    expect(await user(people.sam.id)).toMatchObject({ deleted: true });
    expect(await answerOf(workspace, 'users.info', { user: 'U0NOBODY' })).toMatchObject({ error: 'user_not_found' });
  });

  it('are found by e-mail address, regardless of case', async () => {
    workspace = await openWorkspace();
    expect(await answerOf(workspace, 'users.lookupByEmail', { email: 'ADA@quiz.example' })).toMatchObject({
      user: { id: people.ada.id },
    });
    expect(await answerOf(workspace, 'users.lookupByEmail', { email: 'nobody@quiz.example' })).toMatchObject({
      error: 'users_not_found',
    });
  });
});

it('an unknown method is named in the error', async () => {
  workspace = await openWorkspace();
  expect(await answerOf(workspace, 'chat.shout')).toMatchObject({ ok: false, error: 'unknown_method' });
});

it('a private channel without the bot is invisible to it', async () => {
  workspace = await openWorkspace();
  await workspace.as(people.ada.id).remove(channels.leads.id);
  expect(await answerOf(workspace, 'conversations.info', { channel: channels.leads.id })).toMatchObject({
    error: 'channel_not_found',
  });
  await workspace.as(people.ada.id).invite(channels.leads.id);
  expect(await answerOf(workspace, 'conversations.info', { channel: channels.leads.id })).toMatchObject({
    channel: { is_private: true, is_member: true },
  });
});
