import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, readProcessConfig, readMoveConfig, secretsOf } from '../src/config.ts';
import { temporaryDirectory } from './support/temporary.ts';

const enough = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing',
  QUIZ_API_URL: 'https://quiz.example',
  QUIZ_API_KEY: 'key',
};

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('the configuration', () => {
  test('names a variable that is nearly one of the bot’s, also where that one is set', () => {
    const noticed = (more: object) => readConfig({ ...enough, WEBHOOK_SECRET: 'hush-hush-hush-hush', ...more }).notices;
    const unread = 'WEBHOOK_SCHEMA is no variable of the bot, so it is not read.';
    expect(noticed({ WEBHOOK_SCHEMA: 'body' })).toEqual([`${unread} WEBHOOK_SCHEME may be meant.`]);
    expect(noticed({ WEBHOOK_SCHEMA: 'body', WEBHOOK_SCHEME: 'body' })).toEqual([
      `${unread} WEBHOOK_SCHEME, which is set, may be meant.`,
    ]);
    expect(noticed({ SLACK_WEBHOOK_URL: 'https://hooks.slack.example', PORTS: '1' })).toEqual([]);
  });

  test.each(['GROUPS', 'QUIZ_GROUPS'])('is refused with %s, without which a bot would show more', (name) => {
    const fault = `${name} is not supported any more, and without it the bot shows what the rights in the quiz account allow. Give trainers their groups and quizzes there, and no administrators: docs/install.md, “Several clients in one account”. Then remove ${name}.`;
    for (const value of ['Client A', '']) {
      expect(faultsOf({ ...enough, [name]: value })).toEqual([fault]);
      expect(() => readProcessConfig({ TENANTS_FILE: 'tenants.yml', [name]: value })).toThrow(fault);
    }
  });

  test.each(['/api', '/api/', '/api/v1', '/api/v1/', '/API/V1//', '/', '//'])(
    'takes %s off the end of the address of the service, and says so',
    (added) => {
      for (const base of ['https://quiz.example', 'https://quiz.example/our/quizzes']) {
        const read = readConfig({ ...enough, QUIZ_API_URL: `"${base}${added}"\r` });
        expect(read.quizApi.baseUrl).toBe(base);
        expect(read.notices).toContain(`QUIZ_API_URL ends with ${added}, which the bot adds itself: remove it there.`);
      }
    },
  );

  test('takes off quotation marks and carriage returns, and names the variables once, without a value', () => {
    const rough = Object.fromEntries(
      Object.entries(enough).map(([name, value], at) => [name, [`"${value}"`, `'${value}' `, ` ${value}\r`][at % 3]!]),
    );
    const { notices, ...read } = readConfig(rough);
    const { notices: none, ...asMeant } = readConfig(enough);
    expect(none).toEqual([]);
    expect(read).toEqual(asMeant);
    expect(notices).toEqual([
      'The values of SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, QUIZ_API_KEY are in quotation marks, which the bot takes off: remove them from the file.',
      'The values of QUIZ_API_URL end with a carriage return, which the bot takes off: save the file with Unix line ends.',
    ]);
    expect(faultsOf({ ...enough, QUIZ_API_KEY: '""' })[0]).toMatch(/^QUIZ_API_KEY is not set/);
  });

  test('says nothing of variables of other programs', () => {
    const others = {
      PATH: '/bin',
      HOSTNAME: 'bot',
      SLACK_CHANNEL_OF_CI: 'x',
      QUIZ_PORT: 'tcp://10.0.0.1:80',
      NODE_ENV: 'production',
      npm_config_cache: '/tmp',
      LANG: 'de_DE.UTF-8',
      PS1: '"$ "',
      PUBLISHED_PORT: '3000',
      OTEL_SERVICE_NAME: 'bot',
      LC_ALL: 'C\r',
    };
    expect(readConfig({ ...enough, ...others }).notices).toEqual([]);
  });

  test('names each fault of RIGHTS, whatever its kind, beside those of other variables', () => {
    const faults = faultsOf({ ...enough, RIGHTS: 'delete-quiz:noone,fly:nobody,show-results:approval', PORT: 'x' });
    expect(faults.join('\n')).toContain('delete-quiz:noone says neither');
    expect(faults).toContain('RIGHTS names fly, which is no operation: docs/permissions-and-approvals.md lists them.');
    expect(faults).toContainEqual(expect.stringMatching(/^RIGHTS has show-results:approval/));
    expect(faults).toContainEqual(expect.stringMatching(/^PORT must/));
  });

  test('reads proxies as other programs do', () => {
    const proxies = {
      https_proxy: 'proxy.example:3128',
      HTTPS_PROXY: 'http://not.this',
      HTTP_PROXY: '"http://proxy.example"',
      NO_PROXY: '.intern, quiz.example:443 10.0.0.1',
    };
    expect(readConfig({ ...enough, ...proxies }).proxies).toEqual({
      https: 'http://proxy.example:3128',
      http: 'http://proxy.example',
      except: ['.intern', 'quiz.example:443', '10.0.0.1'],
    });
    expect(readConfig({ ...enough, HTTP_PROXY: 'http://proxy.example' }).proxies.https).toBe('http://proxy.example');
    expect(faultsOf({ ...enough, HTTPS_PROXY: 'socks5://proxy.example' })).toEqual([
      'HTTPS_PROXY must be the http or https address of a proxy, such as http://proxy.example:3128.',
    ]);
  });

  test('reads the certificates of an authority, and says what is wrong with their file', () => {
    const file = join(temporaryDirectory(), 'ca.pem');
    const certificate = '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----';
    writeFileSync(file, `Company CA\n${certificate}\n${certificate}\n`);
    expect(readConfig({ ...enough, NODE_EXTRA_CA_CERTS: file }).certificates).toEqual([certificate, certificate]);
    writeFileSync(file, 'no certificate');
    expect(faultsOf({ ...enough, NODE_EXTRA_CA_CERTS: file })).toEqual([
      `NODE_EXTRA_CA_CERTS names ${file}, which has no certificate: name a file with “BEGIN CERTIFICATE” in it.`,
    ]);
    expect(faultsOf({ ...enough, NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' })).toEqual([
      'NODE_EXTRA_CA_CERTS names /nowhere/ca.pem, which cannot be read (ENOENT): name a file that the bot’s user may read.',
    ]);
  });

  test('needs four variables and has a default for every other', () => {
    expect(readConfig(enough)).toEqual({
      notices: [],
      slack: { botToken: 'xoxb-1', signingSecret: 'signing', appToken: undefined, apiUrl: 'https://slack.com/api/' },
      names: { commandPrefix: 'quiz', botName: 'Invigilator' },
      quizApi: { baseUrl: 'https://quiz.example', apiKey: 'key', timeZone: 'UTC' },
      webhook: {
        secrets: [],
        allowsUnsigned: false,
        schemes: ['body'],
        signatureHeader: 'X-Webhook-Signature',
        timestampHeader: 'X-Webhook-Timestamp',
      },
      quizTakeUrl: undefined,
      notifiesRespondents: true,
      language: 'en',
      formality: 'formal',
      mcpEnabled: false,
      workflowStepsEnabled: false,
      holidays: new Set(),
      alertsChannel: undefined,
      approvals: { channel: undefined, ttlMs: 24 * 3_600_000, allowsSelfApproval: false },
      auditChannel: undefined,
      retentionMs: 3 * 366 * 24 * 3_600_000,
      owners: [],
      rights: new Map(),
      http: { port: 3000, host: '0.0.0.0' },
      dataDir: './data',
      redisUrl: undefined,
      logLevel: 'info',
      proxies: { https: undefined, http: undefined, except: [] },
      certificates: [],
      timeZone: 'UTC',
    });
  });

  test('tells every fault at once, in one line each that names the variable', () => {
    const faults = faultsOf({
      PORT: 'eighty',
      TIME_ZONE: 'Mars/Olympus',
      LOG_LEVEL: 'loud',
      OWNERS: 'ada@quiz.example',
      ALERTS_CHANNEL: '#results',
    });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(
      expect.arrayContaining([
        'SLACK_BOT_TOKEN',
        'SLACK_SIGNING_SECRET',
        'QUIZ_API_URL',
        'QUIZ_API_KEY',
        'PORT',
        'TIME_ZONE',
        'LOG_LEVEL',
        'OWNERS',
        'ALERTS_CHANNEL',
      ]),
    );
    for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+ (must|is) .+\.$|^[A-Z_]+ is not set\. Set it to .+\.$/);
    expect(faults.join('')).not.toContain('\n');
  });

  test('reads holidays of everyone and of time zones, and says which of them it cannot read', () => {
    const { holidays } = readConfig({ ...enough, HOLIDAYS: '2026-12-25, Europe/Berlin:2026-10-03,' });
    expect(holidays).toEqual(new Set(['2026-12-25', 'Europe/Berlin:2026-10-03']));
    expect(faultsOf({ ...enough, HOLIDAYS: '25.12.2026,Berlin:2026-10-03,2026-12-26' })).toEqual([
      'HOLIDAYS must be dates such as 2026-12-25, or Europe/Berlin:2026-10-03 for the people in a time zone, separated by commas: 25.12.2026 names no day that exists, and Berlin:2026-10-03 names no time zone that exists.',
    ]);
  });

  test('reads what the values of variables mean', () => {
    const means = {
      COMMAND_PREFIX: 'exam',
      BOT_NAME: 'Examiner',
      QUIZ_TAKE_URL: 'https://quiz.example/take/{quiz_id}',
      QUIZ_TIME_ZONE: 'America/Denver',
      WEBHOOK_SCHEME: ' timestamp-secret, body ,body',
      LANGUAGE: 'de_AT:de:en',
      FORMALITY: 'informal',
      EVIDENCE_KEY_SINCE: '2027-03-01T09:30Z',
      RETENTION_YEARS: '7',
      REDIS_URL: 'unix:///run/redis.sock?db=1',
    };
    expect(readConfig({ ...enough, ...means })).toMatchObject({
      names: { commandPrefix: 'exam', botName: 'Examiner' },
      quizTakeUrl: 'https://quiz.example/take/{quiz_id}',
      quizApi: { timeZone: 'America/Denver' },
      timeZone: 'UTC',
      webhook: { schemes: ['timestamp-secret', 'body'] },
      language: 'de',
      formality: 'informal',
      evidenceKeySince: Date.UTC(2027, 2, 1, 9, 30),
      retentionMs: 7 * 366 * 86_400_000,
      redisUrl: 'unix:///run/redis.sock?db=1',
    });
    expect(readConfig({ ...enough, EVIDENCE_KEY_SINCE: '2027-03-01' }).evidenceKeySince).toBe(Date.UTC(2027, 2, 1));
  });

  test('reads how approvals are done', () => {
    const config = readConfig({
      ...enough,
      APPROVALS_CHANNEL: 'G0LEADS',
      APPROVAL_TTL_HOURS: '0.5',
      ALLOW_SELF_APPROVAL: 'true',
      AUDIT_CHANNEL: 'C0AUDIT',
    });
    expect(config.approvals).toEqual({ channel: 'G0LEADS', ttlMs: 1_800_000, allowsSelfApproval: true });
    expect(config.auditChannel).toBe('C0AUDIT');
  });

  test('wants no signing secret in Socket Mode', () => {
    const { SLACK_SIGNING_SECRET: _, ...socket } = { ...enough, SLACK_APP_TOKEN: 'xapp-1' };
    expect(readConfig(socket).slack.appToken).toBe('xapp-1');
  });

  test('reads lists separated by commas', () => {
    const config = readConfig({
      ...enough,
      WEBHOOK_SECRET: 'a-new-secret-of-the-account, an-old-secret-of-the-account',
      OWNERS: 'U0ADA1,U0TOM1,',
    });
    expect(config.webhook.secrets).toEqual(['a-new-secret-of-the-account', 'an-old-secret-of-the-account']);
    expect(config.owners).toEqual(['U0ADA1', 'U0TOM1']);
  });

  test('takes unsigned webhooks where it is told to, and not beside a secret', () => {
    expect(readConfig({ ...enough, WEBHOOK_ALLOW_UNSIGNED: 'true' }).webhook.allowsUnsigned).toBe(true);
    expect(
      readConfig({ ...enough, WEBHOOK_ALLOW_UNSIGNED: 'false', WEBHOOK_SECRET: 'hush-hush-hush-hush' }).webhook
        .allowsUnsigned,
    ).toBe(false);
    const faults = faultsOf({ ...enough, WEBHOOK_ALLOW_UNSIGNED: 'true', WEBHOOK_SECRET: 'hush-hush-hush-hush' });
    expect(faults).toEqual([
      expect.stringMatching(/^WEBHOOK_ALLOW_UNSIGNED must not be true where WEBHOOK_SECRET is set: unset .+\.$/),
    ]);
    expect(faults.join('')).not.toContain('hush');
  });

  test('knows which of its values are secret', () => {
    const config = readConfig({
      ...enough,
      SLACK_APP_TOKEN: 'xapp-1',
      WEBHOOK_SECRET: 'new-secret-of-webhooks,old-secret-of-webhooks',
      REDIS_URL: 'redis://:of%2Fredis@redis.example',
    });
    expect(secretsOf(config)).toEqual([
      'xoxb-1',
      'signing',
      'xapp-1',
      'key',
      'new-secret-of-webhooks',
      'old-secret-of-webhooks',
      'of/redis',
    ]);
    expect(secretsOf(readConfig({ ...enough, REDIS_URL: 'redis://redis.example' }))).toEqual([
      'xoxb-1',
      'signing',
      'key',
    ]);
  });
});

describe('the configuration of a move', () => {
  test('needs the address of Redis, and nothing else', () => {
    expect(readMoveConfig({ REDIS_URL: ' redis://127.0.0.1 ' })).toEqual({
      dataDir: './data',
      redisUrl: 'redis://127.0.0.1',
    });
    expect(readMoveConfig({ REDIS_URL: 'rediss://redis.example:6380/1', DATA_DIR: '/data', PORT: 'eighty' })).toEqual({
      dataDir: '/data',
      redisUrl: 'rediss://redis.example:6380/1',
    });
    expect(() => readMoveConfig({ REDIS_URL: ' ' })).toThrow(/^REDIS_URL is not set\. /);
    expect(() => readMoveConfig({ REDIS_URL: 'http://redis.example' })).toThrow(
      /^REDIS_URL must be an address such as redis:/,
    );
  });
});

function fileWith(text: string, mode = 0o600): string {
  const path = join(temporaryDirectory(), 'secret');
  writeFileSync(path, text, { mode });
  return path;
}

const { QUIZ_API_KEY: _, ...withoutKey } = enough;

describe('a secret that is given as a file', () => {
  test('is read, for every secret there is, and redacted like the others', () => {
    const secrets = {
      SLACK_BOT_TOKEN: 'xoxb-of-file',
      SLACK_SIGNING_SECRET: 'signing-of-file',
      SLACK_APP_TOKEN: 'xapp-of-file',
      QUIZ_API_KEY: 'key-of-file',
      WEBHOOK_SECRET: 'new-secret-of-webhooks,old-secret-of-webhooks',
      REDIS_URL: 'rediss://bot@redis.example:6380/1',
      REDIS_PASSWORD: 'of/redis 100%',
      HTTPS_PROXY: 'http://bot:of%2Fproxy@proxy.example:3128',
      HTTP_PROXY: 'http://bot:of-plain-proxy@proxy.example:3128',
    };
    const files = Object.entries(secrets).map(([name, text]) => [`${name}_FILE`, fileWith(text)]);
    const config = readConfig({ QUIZ_API_URL: enough.QUIZ_API_URL, ...Object.fromEntries(files) });
    expect(config).toMatchObject({
      slack: { botToken: 'xoxb-of-file', signingSecret: 'signing-of-file', appToken: 'xapp-of-file' },
      quizApi: { apiKey: 'key-of-file' },
      webhook: { secrets: ['new-secret-of-webhooks', 'old-secret-of-webhooks'] },
      redisUrl: 'rediss://bot:of%2Fredis%20100%25@redis.example:6380/1',
    });
    expect(secretsOf(config)).toEqual([
      'xoxb-of-file',
      'signing-of-file',
      'xapp-of-file',
      'key-of-file',
      'new-secret-of-webhooks',
      'old-secret-of-webhooks',
      'of/redis 100%',
      'of/proxy',
      'of-plain-proxy',
    ]);
  });

  test.each(['key\n', 'key\r\n', '\n key \n\n', '\u{FEFF}key'])('%j is read without what editors add', (text) => {
    expect(readConfig({ ...withoutKey, QUIZ_API_KEY_FILE: fileWith(text) }).quizApi.apiKey).toBe('key');
  });

  test('counts as not given where its variable is set to nothing', () => {
    expect(readConfig({ ...enough, QUIZ_API_KEY_FILE: ' ' }).quizApi.apiKey).toBe('key');
    expect(readConfig({ ...enough, QUIZ_API_KEY: '', QUIZ_API_KEY_FILE: fileWith('other') }).quizApi.apiKey).toBe(
      'other',
    );
  });

  test.each([
    ['a file that does not exist', () => join(temporaryDirectory(), 'none'), 'which does not exist. Create '],
    ['a path through a file', () => `${fileWith('key')}/key`, 'which does not exist. Create '],
    ['a folder', () => temporaryDirectory(), 'which is a folder. Name the file '],
    ['an empty file', () => fileWith('\n'), 'which is empty. Write the secret into it.'],
    ['a file of several lines', () => fileWith('QUIZ_API_KEY=hush\nOTHER=hush\n'), 'which has several lines. Write '],
  ])('is refused with one sentence that says what to do: %s', (_what, make, said) => {
    const path = make();
    const faults = faultsOf({ ...withoutKey, QUIZ_API_KEY_FILE: path });
    expect(faults).toEqual([expect.stringContaining(`QUIZ_API_KEY_FILE names ${path}, ${said}`)]);
    expect(faults[0]).not.toContain('hush');
  });

  test.skipIf(process.getuid?.() === undefined)('is refused where the bot’s user may not read it', () => {
    const path = fileWith('hush', 0o000);
    const isRoot = process.getuid?.() === 0;
    // Root may read every file, so it becomes another user while it reads.
    if (isRoot) process.seteuid!(65_534);
    try {
      expect(faultsOf({ ...withoutKey, QUIZ_API_KEY_FILE: path })).toEqual([
        expect.stringMatching(/, which the bot’s user \(\d+\) may not read\. Let that user read the file and enter /),
      ]);
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  });

  test('that is wrong leaves the other faults to be told, and none about the variable it stands for', () => {
    const faults = faultsOf({
      PORT: 'eighty',
      SLACK_APP_TOKEN_FILE: '/nowhere/app',
      QUIZ_API_KEY_FILE: '/nowhere/key',
    });
    expect(faults.map((fault) => fault.split(' ')[0]!).toSorted()).toEqual([
      'PORT',
      'QUIZ_API_KEY_FILE',
      'QUIZ_API_URL',
      'SLACK_APP_TOKEN_FILE',
      'SLACK_BOT_TOKEN',
    ]);
  });
});

describe('the password of Redis', () => {
  test('goes into the address, also into that of a socket', () => {
    const redis = (env: Record<string, string>) => readConfig({ ...enough, ...env }).redisUrl;
    expect(redis({ REDIS_URL: 'redis://redis:6379', REDIS_PASSWORD: 'a@b:c' })).toBe('redis://:a%40b%3Ac@redis:6379');
    expect(redis({ REDIS_URL: 'unix:///run/redis.sock?db=1', REDIS_PASSWORD: 'hush' })).toBe(
      'unix://:hush@localhost/run/redis.sock?db=1',
    );
    expect(readMoveConfig({ REDIS_URL: 'redis://redis:6379', REDIS_PASSWORD_FILE: fileWith('hush\n') }).redisUrl).toBe(
      'redis://:hush@redis:6379',
    );
  });

  test('is refused without an address, and beside another password', () => {
    expect(faultsOf({ ...enough, REDIS_PASSWORD: 'hush' })).toEqual([
      'REDIS_PASSWORD must not be set without REDIS_URL: set the address of Redis, or unset the password.',
    ]);
    const both = { REDIS_URL: 'redis://:other@redis', REDIS_PASSWORD: 'hush' };
    const said = 'REDIS_PASSWORD must not be set where REDIS_URL has a password: remove one of them.';
    expect(faultsOf({ ...enough, ...both })).toEqual([said]);
    expect(() => readMoveConfig(both)).toThrow(said);
    expect(() => readMoveConfig({ REDIS_URL: 'redis://redis', REDIS_PASSWORD_FILE: '/nowhere' })).toThrow(
      /^REDIS_PASSWORD_FILE names \/nowhere, which does not exist\./,
    );
  });
});
