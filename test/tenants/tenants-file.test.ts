import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ConfigError } from '../../src/config.ts';
import { changesBetween } from '../../src/tenants/changes.ts';
import { readTenants, type TenantEntry } from '../../src/tenants/tenants-file.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const env = { A_TOKEN: 'xoxb-a', B_TOKEN: 'xoxb-b', SIGNING: 'signing', A_KEY: 'key-a', B_KEY: 'key-b' };
const tenant = (letter: 'A' | 'B', more: object = {}) => ({
  SLACK_BOT_TOKEN_ENV: `${letter}_TOKEN`,
  SLACK_SIGNING_SECRET_ENV: 'SIGNING',
  QUIZ_API_URL: 'https://quiz.example',
  QUIZ_API_KEY_ENV: `${letter}_KEY`,
  ...more,
});
const { QUIZ_API_URL: _, QUIZ_API_KEY_ENV: __, ...withoutAccount } = tenant('B');

const read = (file: object, more: Record<string, string> = {}) => readTenants(stringify(file), { ...env, ...more });
const only = (settings: object, name = 'acme') => read({ tenants: { [name]: settings } }).get(name)!;
const faultsOf = (entry: TenantEntry) => (entry.kind === 'faulty' ? entry.faults : []);

const refusalOf = (text: string) => {
  try {
    readTenants(text, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

describe('a tenant', () => {
  test('is configured with the variables of a bot, and has a folder of its own', () => {
    const entry = only(tenant('A', { TIME_ZONE: 'Europe/Berlin', OWNERS: ['U1', 'U2'], APPROVAL_TTL_HOURS: 4 }));
    expect(entry).toMatchObject({
      kind: 'bot',
      account: undefined,
      config: {
        tenant: 'acme',
        slack: { botToken: 'xoxb-a', signingSecret: 'signing' },
        quizApi: { apiKey: 'key-a' },
        timeZone: 'Europe/Berlin',
        owners: ['U1', 'U2'],
        approvals: { ttlMs: 4 * 3_600_000 },
        dataDir: 'data/tenants/acme',
      },
    });
  });

  test('reads its secrets from files', () => {
    const path = join(temporaryDirectory(), 'token');
    writeFileSync(path, 'xoxb-of-the-file\n');
    const { SLACK_BOT_TOKEN_ENV: ___, ...others } = tenant('A');
    expect(only({ ...others, SLACK_BOT_TOKEN_FILE: path })).toMatchObject({
      config: { slack: { botToken: 'xoxb-of-the-file' } },
    });
  });

  test('may be written in lower case', () => {
    expect(only({ ...tenant('A'), time_zone: 'Europe/Paris' })).toMatchObject({ config: { timeZone: 'Europe/Paris' } });
  });

  test('shares an account that is described once', () => {
    const accounts = { group: { QUIZ_API_URL: 'https://quiz.example', QUIZ_API_KEY_ENV: 'B_KEY' } };
    const list = read({
      accounts,
      tenants: {
        north: { ...withoutAccount, SLACK_BOT_TOKEN_ENV: 'A_TOKEN', account: 'group' },
        south: { ...withoutAccount, account: 'group' },
      },
    });
    expect([...list.values()]).toMatchObject([
      { kind: 'bot', account: 'group', config: { quizApi: { apiKey: 'key-b' } } },
      { kind: 'bot', account: 'group', config: { quizApi: { apiKey: 'key-b' } } },
    ]);
  });

  test('can be removed', () => {
    expect(only({ removed: 'keep' })).toEqual({ kind: 'removed', fate: 'keep' });
    expect(only({ removed: 'erase' })).toEqual({ kind: 'removed', fate: 'erase' });
    expect(faultsOf(only({ removed: true }))).toEqual([
      'removed must be keep, which keeps its data, or erase, which erases its data after 30 days.',
    ]);
  });
});

describe('is described wrongly, while the others are right:', () => {
  test.each<[string, object, RegExp]>([
    ['a secret in the file', { SLACK_BOT_TOKEN: 'xoxb-1' }, /^SLACK_BOT_TOKEN must not stand in the file\./],
    [
      'a variable that is not set',
      { QUIZ_API_KEY_ENV: 'NOWHERE' },
      /^QUIZ_API_KEY_ENV names NOWHERE, which is not set\./,
    ],
    [
      'a file that is not there',
      { WEBHOOK_SECRET_FILE: '/nowhere/secret' },
      /^WEBHOOK_SECRET_FILE names \/nowhere\/secret/,
    ],
    ['a setting of the process', { PORT: 3000 }, /^PORT is not a setting of a tenant\./],
    ['no setting at all', { TIMEZONE: 'UTC' }, /^TIMEZONE is not a setting of a tenant\./],
    ['a file for what is no secret', { TIME_ZONE_FILE: '/zone' }, /^TIME_ZONE_FILE is not a setting of a tenant\./],
    ['a value', { TIME_ZONE: 'Atlantis' }, /^TIME_ZONE must be a time zone name/],
    ['a right that does not exist', { RIGHTS: ['fly:nobody'] }, /fly/],
    [
      'groups, without which it would show more',
      { groups: ['North, South GmbH'] },
      /^groups is not supported any more, .*: docs\/tenants\.md, “Several clients in one account”\. Then remove groups\.$/,
    ],
    ['groups by their other name, even none', { QUIZ_GROUPS: null }, /^QUIZ_GROUPS is not supported any more/],
    ['an account that does not exist', { account: 'group' }, /^account names group, which “accounts” doesn’t have\./],
  ])('%s', (_what, more, fault) => {
    const list = read({ tenants: { acme: tenant('A', more), globex: tenant('B') } });
    expect(faultsOf(list.get('acme')!).join('\n')).toMatch(fault);
    expect(list.get('globex')).toMatchObject({ kind: 'bot' });
  });

  test('a name that addresses and folders can’t have', () => {
    for (const name of ['Acme', '../acme', 'a b', '-acme', 'a'.repeat(41)])
      expect(faultsOf(only(tenant('A'), name))).toHaveLength(1);
  });

  test('a token or a key that another one has', () => {
    const twins = read({
      tenants: {
        acme: tenant('A'),
        token: tenant('B', { SLACK_BOT_TOKEN_ENV: 'A_TOKEN' }),
        key: tenant('B', { QUIZ_API_KEY_ENV: 'A_KEY' }),
      },
    });
    expect(faultsOf(twins.get('token')!)).toEqual([
      'SLACK_BOT_TOKEN is that of acme, too. Make an app of its own for each tenant.',
    ]);
    expect(faultsOf(twins.get('key')!)).toEqual([
      'QUIZ_API_KEY is that of acme, too. Describe the account once, under “accounts”, and name it in each tenant that uses it.',
    ]);
  });

  test('what is about an account beside the account, and the other way round', () => {
    const accounts = {
      group: { QUIZ_API_URL: 'https://quiz.example', QUIZ_API_KEY_ENV: 'A_KEY', TIME_ZONE: 'UTC' },
    };
    const list = read({ accounts, tenants: { acme: tenant('A', { account: 'group' }) } });
    expect(faultsOf(list.get('acme')!)).toEqual([
      'QUIZ_API_URL is that of the account group. Remove it here.',
      'QUIZ_API_KEY_ENV is that of the account group. Remove it here.',
      'TIME_ZONE is not about an account. Give it to each tenant of group.',
    ]);
  });
});

test('a file that is not what it should be is refused as a whole, in one sentence', () => {
  expect(refusalOf('tenants: [')).toEqual([expect.stringMatching(/^TENANTS_FILE is not YAML: .*\.$/)]);
  expect(refusalOf('- acme')).toEqual([expect.stringMatching(/^TENANTS_FILE must have “tenants”/)]);
  expect(refusalOf('tenants:\n  acme: 5')).toEqual([
    expect.stringMatching(/^TENANTS_FILE: tenants › acme can’t be read/),
  ]);
});

test('only bots whose settings differ are stopped and started', () => {
  const list = (settings: Record<string, object>) => read({ tenants: settings });
  const bots = (settings: Record<string, object>) =>
    new Map([...list(settings)].flatMap(([name, entry]) => (entry.kind === 'bot' ? [[name, entry] as const] : [])));
  const running = bots({ acme: tenant('A'), globex: tenant('B') });
  const same = changesBetween(running, list({ acme: tenant('A'), globex: tenant('B') }));
  expect([same.toStop, [...same.toStart.keys()]]).toEqual([[], []]);
  const changed = changesBetween(
    running,
    list({ acme: tenant('A', { TIME_ZONE: 'Europe/Berlin' }), globex: tenant('B') }),
  );
  expect([changed.toStop, [...changed.toStart.keys()]]).toEqual([['acme'], ['acme']]);
  const removed = changesBetween(running, list({ acme: { removed: 'keep' } }));
  expect([removed.toStop, [...removed.toStart.keys()]]).toEqual([['acme', 'globex'], []]);
  const faulty = changesBetween(running, list({ acme: tenant('A', { TIME_ZONE: 'Atlantis' }), globex: tenant('B') }));
  expect([faulty.toStop, [...faulty.toStart.keys()]]).toEqual([[], []]);
});
