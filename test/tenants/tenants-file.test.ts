import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ConfigError } from '../../src/config.ts';
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

const refusalOf = (text: string, more: Record<string, string> = {}) => {
  try {
    readTenants(text, { ...env, ...more });
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

  test('shares an account that another one describes likewise by itself', () => {
    const list = read({
      tenants: {
        acme: tenant('A'),
        globex: tenant('B', { QUIZ_API_KEY_ENV: 'A_KEY', QUIZ_API_URL: 'https://QUIZ.example/' }),
      },
    });
    expect([...list.values()]).toMatchObject([
      { kind: 'bot', account: 'acme+others' },
      { kind: 'bot', account: 'acme+others' },
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
      /^groups is not supported any more, .*: docs\/install\.md, “Several clients in one account”\. Then remove groups\.$/,
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

  test('a token that another one has', () => {
    const twins = read({ tenants: { acme: tenant('A'), token: tenant('B', { SLACK_BOT_TOKEN_ENV: 'A_TOKEN' }) } });
    expect(faultsOf(twins.get('token')!)).toEqual([
      'SLACK_BOT_TOKEN is that of acme, too. Make an app of its own for each tenant.',
    ]);
  });

  test('what is no list of settings, alone or in its account', () => {
    const accounts = { group: 5 };
    const list = read({
      accounts,
      tenants: { acme: 5, beta: { ...withoutAccount, account: 'group' }, globex: tenant('B') },
    });
    expect(faultsOf(list.get('acme')!)).toEqual(['It must have settings, each with its value.']);
    expect(faultsOf(list.get('beta')!)).toEqual(['group: It must have settings, each with its value.']);
    expect(list.get('globex')).toMatchObject({ kind: 'bot' });
  });

  test('that it is removed, which erase-tenant does now', () => {
    expect(faultsOf(only({ removed: 'erase' }))).toEqual([
      'removed is not supported any more. Remove the entry of acme. To erase its data as well, stop the bot, and run npm run erase-tenant -- acme.',
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
  expect(refusalOf('tenants: 5')).toEqual([expect.stringMatching(/^TENANTS_FILE: tenants can’t be read/)]);
});

test.each<[string, object, string]>([
  ['address', { QUIZ_API_URL: 'https://other.example' }, 'QUIZ_API_URL'],
  ['time zone', { QUIZ_TIME_ZONE: 'Europe/Berlin' }, 'QUIZ_TIME_ZONE'],
  ['webhook', { WEBHOOK_SECRET_ENV: 'HOOK', WEBHOOK_SCHEME: 'standard' }, 'WEBHOOK_SECRET, WEBHOOK_SCHEME'],
])('tenants of the same account that differ in its %s are refused with both names', (_what, more, settings) => {
  const own = { ...tenant('B'), QUIZ_API_KEY_ENV: 'A_KEY', ...more };
  const file = { tenants: { acme: tenant('A'), globex: own } };
  expect(refusalOf(stringify(file), { HOOK: 'whsec_c2VjcmV0LW9mLXdlYmhvb2tz' })).toEqual([
    `acme and globex have the same quiz account by their QUIZ_API_KEY, and differ in ${settings}. Describe the account once, under “accounts”, and name it in both.`,
  ]);
});
