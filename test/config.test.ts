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
  test('takes an address of quizzes only with {quiz_id} in it', () => {
    expect(readConfig({ ...enough, QUIZ_TAKE_URL: 'https://quiz.example/take/{quiz_id}' }).quizTakeUrl).toBe(
      'https://quiz.example/take/{quiz_id}',
    );
    expect(faultsOf({ ...enough, QUIZ_TAKE_URL: 'https://quiz.example/take' })).toEqual([
      'QUIZ_TAKE_URL must be an http or https address that contains {quiz_id}, such as https://quiz.example/take/{quiz_id}.',
    ]);
    expect(faultsOf({ ...enough, QUIZ_TAKE_URL: 'javascript:{quiz_id}' })).toHaveLength(1);
  });

  test.each(['exam', 'q', 'client-a', 'quiz_2', '2nd', 'a'.repeat(20)])(
    'takes %s as what commands begin with',
    (prefix) => {
      expect(readConfig({ ...enough, COMMAND_PREFIX: prefix }).names.commandPrefix).toBe(prefix);
    },
  );

  test.each(['/exam', 'Exam', 'prüfung', 'exam quiz', '-exam', 'exam-', 'exam-user', 'exam-alerts', 'a'.repeat(21)])(
    'does not take %s as what commands begin with',
    (prefix) => {
      expect(faultsOf({ ...enough, COMMAND_PREFIX: prefix })).toEqual([expect.stringMatching(/^COMMAND_PREFIX must/)]);
    },
  );

  test.each(['Examiner', 'Prüfer', 'Quiz Bot 2', 'Client A’s quizzes', 'X', 'n'.repeat(35)])(
    'takes %s as its name',
    (name) => {
      expect(readConfig({ ...enough, BOT_NAME: name }).names.botName).toBe(name);
    },
  );

  test.each(['*Examiner*', '<@U1>', 'Exam & Co', 'Examiner.', '@Examiner', 'n'.repeat(36), 'Exam\niner'])(
    'does not take %s as its name',
    (name) => {
      expect(faultsOf({ ...enough, BOT_NAME: name })).toEqual([expect.stringMatching(/^BOT_NAME must/)]);
    },
  );

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

  test.each([
    ['SLACK_TOKEN', 'SLACK_APP_TOKEN'],
    ['QUIZ_TIMEZONE', 'QUIZ_TIME_ZONE'],
    ['WEBHOOK_SECRETS', 'WEBHOOK_SECRET'],
    ['WEBHOOK_SCHEMES', 'WEBHOOK_SCHEME'],
    ['TIMEZONE', 'TIME_ZONE'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['REDIS_URI', 'REDIS_URL'],
  ])('says that %s is not read where %s may be meant', (name, meant) => {
    const { notices } = readConfig({ ...enough, [name]: 'canary' });
    expect(notices).toEqual([`${name} is no variable of the bot, so it is not read. ${meant} may be meant.`]);
  });

  test('says of a variable that is missing how it was misspelt', () => {
    const { QUIZ_API_KEY: key, ...others } = enough;
    expect(faultsOf({ ...others, QUIZ_APIKEY: key })).toEqual([
      expect.stringMatching(/^QUIZ_API_KEY is not set/),
      'QUIZ_APIKEY is no variable of the bot, so it is not read. QUIZ_API_KEY may be meant.',
    ]);
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

  test('says that a variable which is no secret cannot be a file', () => {
    expect(readConfig({ ...enough, OWNERS_FILE: '/run/owners' }).notices).toEqual([
      'OWNERS_FILE is not read, because only secrets may be files: set OWNERS to its value.',
    ]);
  });

  test.each([
    ['SLACK_BOT_TOKEN', 'xapp-1-canary', /must be the bot token .* begins with xoxb-/],
    ['SLACK_BOT_TOKEN', 'xoxp-canary', /must be the bot token/],
    ['SLACK_APP_TOKEN', 'xoxb-canary', /must be an app-level token, which begins with xapp-/],
    ['SLACK_SIGNING_SECRET', 'xapp-canary', /is a token of Slack\. Copy the signing secret/],
    ['QUIZ_API_KEY', 'xoxb-canary', /is a token of Slack\. Copy the API key/],
  ])('refuses as %s a value of another kind, without repeating it', (name, value, said) => {
    const [fault, ...others] = faultsOf({ ...enough, [name]: value });
    expect(others).toEqual([]);
    expect(fault).toMatch(said);
    expect(fault).not.toContain(value);
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

  test('takes a language that the bot speaks, and a way to address people', () => {
    const config = readConfig({ ...enough, LANGUAGE: 'pl', FORMALITY: 'informal' });
    expect([config.language, config.formality]).toEqual(['pl', 'informal']);
    expect(readConfig({ ...enough, LANGUAGE: 'de_AT:de:en' }).language).toBe('de');
    expect(faultsOf({ ...enough, LANGUAGE: 'it_IT:de', FORMALITY: 'du' })).toEqual([
      'LANGUAGE must be one of en, de, fr, es, nl, pl.',
      'FORMALITY must be one of formal, informal.',
    ]);
  });

  test('reads the time zone of the quiz account, apart from that of the bot', () => {
    const config = readConfig({ ...enough, QUIZ_TIME_ZONE: 'America/Denver' });
    expect([config.quizApi.timeZone, config.timeZone]).toEqual(['America/Denver', 'UTC']);
    expect(faultsOf({ ...enough, QUIZ_TIME_ZONE: 'MST7 or so' })).toEqual([
      'QUIZ_TIME_ZONE must be a time zone name such as Europe/Berlin.',
    ]);
  });

  test.each([
    ['https://slack.com/api/', true],
    ['https://slack-gov.com/api/', true],
    ['http://127.0.0.1:8080/api/', true],
    ['http://localhost:8080/api', true],
    ['http://[::1]:8080/api/', true],
    ['http://slack.com/api/', false],
    ['http://10.0.0.5/api/', false],
    ['http://127.0.0.1.evil.example/api/', false],
    ['http://127.0.0.1@evil.example/api/', false],
  ])('%s as the address of Slack: %s, since the token is sent there', (address, isTaken) => {
    const faults = faultsOf({ ...enough, SLACK_API_URL: address });
    expect(faults.map((fault) => fault.split(' ', 5).join(' '))).toEqual(
      isTaken ? [] : ['SLACK_API_URL must begin with https://'],
    );
  });

  test('takes a variable set to nothing as not set', () => {
    expect(faultsOf({ ...enough, QUIZ_API_KEY: '  ' })).toHaveLength(1);
    expect(readConfig({ ...enough, PORT: '' }).http.port).toBe(3000);
  });

  test('refuses plain http for the quiz service, but not over loopback', () => {
    expect(faultsOf({ ...enough, QUIZ_API_URL: 'http://quiz.example' })).toEqual([expect.stringContaining('403.4')]);
    expect(faultsOf({ ...enough, QUIZ_API_URL: 'http://127.0.0.1.quiz.example' })).toHaveLength(1);
    for (const loopback of [
      'http://127.0.0.1:4010',
      'http://localhost:4010',
      'http://[::1]:4010',
      'http://127.8.9.1',
    ]) {
      expect(faultsOf({ ...enough, QUIZ_API_URL: loopback })).toEqual([]);
    }
  });

  test('refuses what is no address at all with one line', () => {
    expect(faultsOf({ ...enough, QUIZ_API_URL: 'quiz.example' })).toEqual([
      'QUIZ_API_URL must be an http or https address.',
    ]);
    expect(faultsOf({ ...enough, QUIZ_API_URL: '' })).toEqual([
      expect.stringMatching(/^QUIZ_API_URL is not set\. Set it to /),
    ]);
    expect(faultsOf({ ...enough, QUIZ_API_URL: 'ftp://quiz.example' })).toHaveLength(1);
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
    for (const wrong of ['0', '-1', '721', 'a day'])
      expect(faultsOf({ ...enough, APPROVAL_TTL_HOURS: wrong })).toEqual([expect.stringContaining('hours')]);
    expect(faultsOf({ ...enough, ALLOW_SELF_APPROVAL: 'yes' })).toEqual([
      'ALLOW_SELF_APPROVAL must be one of true, false.',
    ]);
  });

  test('reads since when the key of evidence packs has to be made, as a day or a time in UTC', () => {
    const since = (text: string) => readConfig({ ...enough, EVIDENCE_KEY_SINCE: text }).evidenceKeySince;
    expect(since('2027-03-01')).toBe(Date.UTC(2027, 2, 1));
    expect(since('2027-03-01T09:30Z')).toBe(Date.UTC(2027, 2, 1, 9, 30));
    for (const wrong of ['tomorrow', '2027-13-01', '2027-03-01T09:30'])
      expect(faultsOf({ ...enough, EVIDENCE_KEY_SINCE: wrong })).toEqual([
        'EVIDENCE_KEY_SINCE must be a day such as 2027-03-01, or a time in UTC such as 2027-03-01T09:30Z.',
      ]);
  });

  test('reads for how many years campaigns are kept after their end', () => {
    const yearsOf = (text: string) => readConfig({ ...enough, RETENTION_YEARS: text }).retentionMs / (366 * 86_400_000);
    expect(['1', '7', '30'].map(yearsOf)).toEqual([1, 7, 30]);
    for (const wrong of ['0', '31', '2.5', '-3', '1e1', 'for good'])
      expect(faultsOf({ ...enough, RETENTION_YEARS: wrong })).toEqual([
        'RETENTION_YEARS must be a whole number of years from 1 to 30.',
      ]);
  });

  test('takes Redis with or without TLS, and nothing else, for REDIS_URL', () => {
    expect(readConfig({ ...enough, REDIS_URL: 'rediss://bot:secret@redis.example:6380' }).redisUrl).toBe(
      'rediss://bot:secret@redis.example:6380',
    );
    expect(faultsOf({ ...enough, REDIS_URL: 'https://redis.example' })).toEqual([expect.stringContaining('redis://')]);
    expect(faultsOf({ ...enough, REDIS_URL: 'redis' })).toHaveLength(1);
  });

  test('takes a unix socket for REDIS_URL', () => {
    expect(readConfig({ ...enough, REDIS_URL: 'unix:///run/redis.sock?db=1' }).redisUrl).toBe(
      'unix:///run/redis.sock?db=1',
    );
  });

  test.each([
    'redis+sentinel://a:26379/mymaster',
    'redis-sentinel://a:26379,b:26379/mymaster/0',
    'sentinel://:hush@a:26379?name=mymaster',
    'redis://a:26379/mymaster',
    'redis://a:26379/0?sentinelMasterId=mymaster',
    'redis://a:26379?master_name=mymaster',
    'redis+cluster://a:6379',
    'redis://a:6379,b:6379',
    'redis://:hush@a:6379,redis://b:6379',
  ])('refuses %s for REDIS_URL, and says what to do for Sentinel and for several addresses', (REDIS_URL) => {
    expect(faultsOf({ ...enough, REDIS_URL })).toEqual([
      'REDIS_URL must be the address of one Redis. The bot does not follow Redis Sentinel or Redis Cluster by itself: set the address of a proxy that follows the primary, such as HAProxy.',
    ]);
  });

  test.each([
    ['redis:///?path=/run/redis.sock', 'must name a socket as unix:///run/redis.sock'],
    ['redis://localhost?path=/run/redis.sock&db=1', 'must name a socket as unix:///run/redis.sock'],
    ['redis://redis.example?db=1', 'must end with the port or the database'],
    ['redis://redis.example#1', 'must end with the port or the database'],
    ['redis://redis.example/quiz', 'must have the number of a database'],
    ['unix:///run/redis.sock?path=/run/other.sock', 'must have nothing after the path of the socket but a database'],
    ['unix:///run/redis.sock?db=one', 'must have nothing after the path of the socket but a database'],
  ])('refuses %s for REDIS_URL: the client would use another Redis or database', (REDIS_URL, said) => {
    expect(faultsOf({ ...enough, REDIS_URL })).toEqual([expect.stringContaining(`REDIS_URL ${said}`)]);
  });

  test.each(['redis://h', 'redis://h/', 'redis://h:6379/15', 'redis://:a,b@h:6379', 'redis://h:26379/0', 'unix:///s'])(
    'takes %s for REDIS_URL',
    (REDIS_URL) => expect(readConfig({ ...enough, REDIS_URL }).redisUrl).toBe(REDIS_URL),
  );

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

  test('takes several schemes of webhooks, each once, and refuses a name it does not know', () => {
    expect(readConfig({ ...enough, WEBHOOK_SCHEME: ' timestamp-secret, body ,body' }).webhook.schemes).toEqual([
      'timestamp-secret',
      'body',
    ]);
    for (const wrong of ['md5', 'body,md5', 'Body', ',']) {
      expect(faultsOf({ ...enough, WEBHOOK_SCHEME: wrong })).toEqual([
        'WEBHOOK_SCHEME must be one or more of body, timestamp-body, standard, timestamp-secret, separated by commas.',
      ]);
    }
    expect(faultsOf({ ...enough, WEBHOOK_SCHEME: 'body,standard', WEBHOOK_SECRET: 'whsec_%' })).toHaveLength(1);
  });

  test('refuses a secret of Standard Webhooks that cannot be one, without repeating it', () => {
    const standard = { ...enough, WEBHOOK_SCHEME: 'standard' };
    expect(
      faultsOf({ ...standard, WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw,plain text of a secret' }),
    ).toEqual([]);
    for (const wrong of ['whsec_', 'whsec_not-base64', 'fine,whsec_%%%%']) {
      expect(faultsOf({ ...standard, WEBHOOK_SECRET: wrong })).toEqual([
        'WEBHOOK_SECRET must be base64 after whsec_: copy it again from where the webhook was made.',
      ]);
    }
    expect(faultsOf({ ...enough, WEBHOOK_SECRET: 'whsec_not-base64-at-all-here' })).toEqual([]);
  });

  test('refuses a secret of webhooks that can be guessed, without repeating it', () => {
    for (const short of ['q', 'x'.repeat(15), 'x'.repeat(16) + ',q', 'whsec_AAAAAAAAAAAA'])
      expect(faultsOf({ ...enough, WEBHOOK_SECRET: short })).toEqual([
        'WEBHOOK_SECRET must have at least 16 characters: anyone can guess a shorter one. Make a new one with openssl rand -hex 32, and set it in the quiz account, too.',
      ]);
    expect(faultsOf({ ...enough, WEBHOOK_SECRET: 'x'.repeat(16) })).toEqual([]);
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
