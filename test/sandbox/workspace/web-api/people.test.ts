import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../../src/sandbox/workspace/clock.ts';
import { botUserId, people } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { manifestPath, openWorkspace } from '../support/bolt-bot.ts';
import { answerOf, call } from '../support/web-api.ts';

const { maya, hana, katarzyna, dora, ivo, lena, ada, rosa, zoe } = people;
let workspace: Workspace;

afterEach(() => workspace.close());

async function open(at = '2026-07-01T12:00:00Z', scope = 'dnd:read'): Promise<void> {
  const path = join(temporaryDirectory(), 'manifest.yml');
  writeFileSync(path, readFileSync(manifestPath, 'utf8').replace(/^( +)- commands$/m, `$1- commands\n$1- ${scope}`));
  workspace = await openWorkspace({ manifestPath: path, clock: manualClock(Date.parse(at)) });
}

interface Member {
  id: string;
  deleted: boolean;
  tz?: string;
  tz_offset?: number;
  is_bot: boolean;
  is_restricted: boolean;
  is_stranger: boolean;
}

describe('users.list (https://docs.slack.dev/reference/methods/users.list)', () => {
  it('lists everybody over several short pages: guests, strangers, bots and deactivated people included', async () => {
    await open();
    const members: Member[] = [];
    let pages = 0;
    for (let cursor = ''; ; pages += 1) {
      const answer = Object(await answerOf(workspace, 'users.list', { limit: 200, cursor }));
      members.push(...answer.members);
      expect(answer.members.length).toBeLessThanOrEqual(10);
      cursor = answer.response_metadata.next_cursor;
      if (cursor === '') break;
    }
    expect(pages).toBeGreaterThan(0);
    const find = (id: string) => members.find((member) => member.id === id);
    expect(new Set(members.map(({ id }) => id)).size).toBe(members.length);
    expect(find(lena.id)).toMatchObject({ is_restricted: true });
    expect(find(ivo.id)).toMatchObject({ is_stranger: true });
    expect(find(botUserId)).toMatchObject({ is_bot: true });
    expect(find(dora.id)).toMatchObject({ deleted: true });
    expect(find(dora.id)).not.toHaveProperty('tz');
    expect(find(hana.id)).toMatchObject({ tz: 'Asia/Tokyo', tz_offset: 9 * 3600 });
  });

  it('takes 20 calls a minute', async () => {
    await open();
    for (let i = 0; i < 20; i += 1) expect(await answerOf(workspace, 'users.list')).toMatchObject({ ok: true });
    expect(await call(workspace, 'users.list')).toMatchObject({ status: 429, retryAfter: '3' });
  });
});

describe('users.info', () => {
  it.each([
    ['2026-07-01T12:00:00Z', -4],
    ['2026-12-01T12:00:00Z', -5],
  ])('names the zone and its offset on %s', async (at, hours) => {
    await open(at);
    expect(await answerOf(workspace, 'users.info', { user: maya.id })).toMatchObject({
      user: { tz: 'America/New_York', tz_offset: hours * 3600 },
    });
  });
});

describe('dnd.teamInfo (https://docs.slack.dev/reference/methods/dnd.teamInfo)', () => {
  it('needs dnd:read', async () => {
    await open(undefined, 'reactions:write');
    expect(await answerOf(workspace, 'dnd.teamInfo', { users: maya.id })).toMatchObject({
      error: 'missing_scope',
      needed: 'dnd:read',
    });
  });

  it.each([
    ['before the evening', '2026-07-01T12:00:00Z', '2026-07-02T00:00:00Z', '2026-07-02T12:00:00Z'],
    ['during the night', '2026-07-02T05:00:00Z', '2026-07-02T00:00:00Z', '2026-07-02T12:00:00Z'],
    ['over the change of the clocks', '2026-11-01T05:00:00Z', '2026-11-01T00:00:00Z', '2026-11-01T13:00:00Z'],
  ])('says the present or the next hours: %s', async (_when, at, from, to) => {
    await open(at);
    const hours = {
      dnd_enabled: true,
      next_dnd_start_ts: Date.parse(from) / 1000,
      next_dnd_end_ts: Date.parse(to) / 1000,
    };
    expect(await answerOf(workspace, 'dnd.teamInfo', { users: `${maya.id},${katarzyna.id}` })).toMatchObject({
      users: { [maya.id]: hours, [katarzyna.id]: { dnd_enabled: false } },
    });
  });

  it('takes up to 50 people', async () => {
    await open();
    expect(await answerOf(workspace, 'dnd.teamInfo', { users: '' })).toMatchObject({ error: 'no_users_provided' });
    expect(
      await answerOf(workspace, 'dnd.teamInfo', { users: Array.from({ length: 51 }, () => maya.id).join(',') }),
    ).toMatchObject({ error: 'too_many_users' });
  });
});

describe('users.profile.get and team.profile.get (https://docs.slack.dev/reference/methods/team.profile.get)', () => {
  const scope = 'users.profile:read';

  it.each([
    ['users.profile.get', { user: rosa.id }],
    ['team.profile.get', {}],
  ])('%s needs users.profile:read', async (method, args) => {
    await open();
    expect(await answerOf(workspace, method, args)).toMatchObject({
      error: 'missing_scope',
      needed: scope,
    });
  });

  it('names fields with what people cannot edit themselves, and what they hold for a person', async () => {
    await open(undefined, scope);
    expect(await answerOf(workspace, 'team.profile.get')).toMatchObject({
      profile: {
        fields: [
          { id: 'Xf0MANAGER', label: 'Manager', type: 'user', options: { is_protected: true } },
          { id: 'Xf0REPORTSTO', type: 'user', options: null },
          { id: 'Xf0LOCATION', type: 'text', options: { is_scim: true } },
        ],
      },
    });
    expect(await answerOf(workspace, 'users.profile.get', { user: rosa.id })).toMatchObject({
      profile: { fields: { Xf0MANAGER: { value: zoe.id, alt: '' } } },
    });
    expect(await answerOf(workspace, 'users.profile.get', { user: ada.id })).toMatchObject({ profile: { fields: [] } });
    expect(await answerOf(workspace, 'users.profile.get', { user: 'U0NOBODY' })).toMatchObject({
      error: 'user_not_found',
    });
  });

  it('takes 100 calls a minute for profiles, and 50 for their fields', async () => {
    await open(undefined, scope);
    for (const [method, most] of [
      ['users.profile.get', 100],
      ['team.profile.get', 50],
    ] as const) {
      for (let i = 0; i < most; i += 1) await answerOf(workspace, method, { user: ada.id });
      expect(await call(workspace, method, { user: ada.id })).toMatchObject({ status: 429 });
    }
  });
});

describe('conversations.open (https://docs.slack.dev/reference/methods/conversations.open)', () => {
  it('needs people, at most eight, and takes 50 calls a minute', async () => {
    await open();
    expect(await answerOf(workspace, 'conversations.open', {})).toMatchObject({ error: 'users_list_not_supplied' });
    expect(
      await answerOf(workspace, 'conversations.open', { users: Array.from({ length: 9 }, () => ada.id).join(',') }),
    ).toMatchObject({ error: 'too_many_users' });
    for (let i = 2; i < 50; i += 1) await answerOf(workspace, 'conversations.open', { users: ada.id });
    expect(await call(workspace, 'conversations.open', { users: ada.id })).toMatchObject({ status: 429 });
  });
});

describe('the language of a person’s Slack', () => {
  const ask = async (method: string, args: Record<string, unknown>) => Object(await answerOf(workspace, method, args));

  it('is in users.info and users.list only where it is asked for', async () => {
    await open();
    await workspace.setLocale(rosa.id, 'de-DE');
    expect((await ask('users.info', { user: rosa.id })).user).not.toHaveProperty('locale');
    expect((await ask('users.info', { user: rosa.id, include_locale: true })).user).toHaveProperty('locale', 'de-DE');
    expect((await ask('users.info', { user: ada.id, include_locale: true })).user).toHaveProperty('locale', 'en-US');
    const { members } = await ask('users.list', { limit: 200, include_locale: true });
    expect(members.find(({ id }: Member) => id === rosa.id)).toHaveProperty('locale', 'de-DE');
    expect((await ask('users.list', { limit: 200 })).members[0]).not.toHaveProperty('locale');
    expect((await ask('users.lookupByEmail', { email: rosa.email, include_locale: true })).user).not.toHaveProperty(
      'locale',
    );
  });

  it('comes with the event about its change', async () => {
    await open();
    await workspace.setLocale(rosa.id, 'pl-PL');
    expect(workspace.deliveries.map(({ body }) => Object(body).event)).toContainEqual(
      expect.objectContaining({ type: 'user_change', user: expect.objectContaining({ id: rosa.id, locale: 'pl-PL' }) }),
    );
    await expect(workspace.setLocale('U0NOBODY', 'pl-PL')).rejects.toThrow('nobody has the ID U0NOBODY');
  });
});
