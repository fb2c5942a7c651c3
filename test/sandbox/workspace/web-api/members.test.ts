import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { botUserId, channels, people, rota, userGroups } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { manifestPath, openWorkspace } from '../support/bolt-bot.ts';
import { answerOf } from '../support/web-api.ts';

let workspace: Workspace;

afterEach(() => workspace.close());

describe('conversations.members (https://docs.slack.dev/reference/methods/conversations.members)', () => {
  const page = (args: object) =>
    answerOf(workspace, 'conversations.members', { channel: channels.training.id, ...args });
  const cursorOf = (answer: Record<string, unknown>): string => Object(answer['response_metadata']).next_cursor;

  beforeEach(async () => {
    workspace = await openWorkspace();
  });

  it('lists guests and bots among the members, over several pages whatever the limit is', async () => {
    const first = await page({ limit: 200 });
    const second = await page({ limit: 200, cursor: cursorOf(first) });
    expect(cursorOf(second)).toBe('');
    expect([Object(first).members, Object(second).members].flat()).toEqual([...channels.training.members]);
    expect(channels.training.members).toEqual(expect.arrayContaining([people.lena.id, rota.id, botUserId]));
  });

  it('refuses a limit that is no integer from 1 to 999, and a cursor of its own', async () => {
    for (const limit of [0, 1000, 'all', 1.5]) expect(await page({ limit })).toMatchObject({ error: 'invalid_limit' });
    for (const cursor of ['?', 'bm8=']) expect(await page({ cursor })).toMatchObject({ error: 'invalid_cursor' });
  });

  it('lists a public channel without the bot, and finds no private one', async () => {
    expect(await page({ channel: channels.general.id })).toMatchObject({ ok: true });
    await workspace.as(people.ada.id).remove(channels.leads.id);
    expect(await page({ channel: channels.leads.id })).toMatchObject({ error: 'channel_not_found' });
    expect(await page({ channel: 'C0NOWHERE' })).toMatchObject({ error: 'channel_not_found' });
  });
});

describe('usergroups.users.list (https://docs.slack.dev/reference/methods/usergroups.users.list)', () => {
  const { kitchen, winter } = userGroups;

  /** Starts a workspace whose manifest has the scope of user groups, or lacks it. */
  async function open(isGranted: boolean): Promise<void> {
    const path = join(temporaryDirectory(), 'manifest.yml');
    const lines = readFileSync(manifestPath, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('usergroups:read'));
    const scopes = isGranted
      ? lines.map((line) => line.replace(/^( +)- commands$/, '$1- commands\n$1- usergroups:read'))
      : lines;
    writeFileSync(path, scopes.join('\n'));
    workspace = await openWorkspace({ manifestPath: path });
  }

  it('needs usergroups:read', async () => {
    await open(false);
    expect(await answerOf(workspace, 'usergroups.users.list', { usergroup: kitchen.id })).toMatchObject({
      error: 'missing_scope',
      needed: 'usergroups:read',
    });
  });

  it('lists the members, deactivated people included', async () => {
    await open(true);
    const { users } = await answerOf(workspace, 'usergroups.users.list', { usergroup: kitchen.id });
    expect(users).toEqual([people.rosa.id, people.ravi.id, people.zoe.id, people.dora.id]);
  });

  it('finds a disabled group only when asked for it', async () => {
    await open(true);
    const find = (args: object) => answerOf(workspace, 'usergroups.users.list', { usergroup: winter.id, ...args });
    expect(await find({})).toMatchObject({ error: 'no_such_subteam' });
    expect(await find({ include_disabled: true })).toMatchObject({ users: [people.rosa.id] });
  });
});
