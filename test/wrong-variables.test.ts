import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, readProcessConfig } from '../src/config.ts';
import { secretNames, variables } from '../src/configuration/variables.ts';

type Name = keyof typeof variables.shape;

interface Examples {
  right: string;
  /** Other right values. */
  also?: readonly string[];
  /** In the ways in which people set it: another form, a wrong unit, out of range. */
  wrong: readonly string[];
}

const examples: Record<Name, Examples> = {
  SLACK_BOT_TOKEN: { right: 'xoxb-1-of-the-test', wrong: ['1234567890', 'xapp-1-of-the-test', 'xoxp-1-of-the-test'] },
  SLACK_SIGNING_SECRET: { right: 'f00d00f00d00f00d', wrong: ['xoxb-1-of-the-test'] },
  SLACK_APP_TOKEN: { right: 'xapp-1-of-the-test', wrong: ['f00d00f00d00f00d'] },
  SLACK_API_URL: {
    right: 'https://slack.com/api/',
    also: [
      'https://slack-gov.com/api/',
      'http://127.0.0.1:8080/api/',
      'http://localhost:8080/api',
      'http://[::1]:8080/api/',
    ],
    wrong: [
      'slack.com/api',
      'http://slack.com/api/',
      'http://10.0.0.5/api/',
      'http://127.0.0.1.evil.example/api/',
      'http://127.0.0.1@evil.example/api/',
    ],
  },
  COMMAND_PREFIX: {
    right: 'exam',
    also: ['q', 'client-a', 'quiz_2', '2nd', 'a'.repeat(20)],
    wrong: ['/exam', 'Exam', 'prüfung', 'exam quiz', '-exam', 'exam-', 'exam-user', 'exam-alerts', 'a'.repeat(21)],
  },
  BOT_NAME: {
    right: 'Examiner',
    also: ['Prüfer', 'Quiz Bot 2', 'Client A’s quizzes', 'X', 'n'.repeat(35)],
    wrong: ['*Examiner*', '<@U1>', 'Exam & Co', 'Examiner.', '@Examiner', 'Exam\niner', 'n'.repeat(36)],
  },
  QUIZ_API_URL: {
    right: 'https://quiz.example',
    also: ['http://127.0.0.1:4010', 'http://localhost:4010', 'http://[::1]:4010', 'http://127.8.9.1'],
    wrong: ['quiz.example', 'http://quiz.example', 'http://127.0.0.1.quiz.example', 'ftp://quiz.example'],
  },
  QUIZ_API_KEY: { right: '0123456789abcdef', wrong: [] },
  QUIZ_TIME_ZONE: { right: 'Europe/Berlin', wrong: ['Berlin', 'UTC+2', 'MESZ'] },
  WEBHOOK_SECRET: {
    right: '0123456789abcdef0',
    also: ['x'.repeat(16), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw,plain text of a secret'],
    wrong: [
      'changeme',
      'whsec_changeme!',
      'q',
      'x'.repeat(15),
      `${'x'.repeat(16)},q`,
      'whsec_AAAAAAAAAAAA',
      'whsec_not-base64-at-all',
      'a secret that is fine,whsec_%%%%%%%%%%%%',
    ],
  },
  WEBHOOK_ALLOW_UNSIGNED: { right: 'false', wrong: ['yes', '1', 'TRUE'] },
  WEBHOOK_SCHEME: {
    right: 'body,standard',
    also: [' timestamp-secret, body ,body'],
    wrong: ['sha256', 'body;standard', 'md5', 'body,md5', 'Body', ','],
  },
  WEBHOOK_SIGNATURE_HEADER: { right: 'X-Signature', wrong: [] },
  WEBHOOK_TIMESTAMP_HEADER: { right: 'X-Timestamp', wrong: [] },
  ALERTS_CHANNEL: { right: 'C0123456789', wrong: ['#training', 'training'] },
  APPROVALS_CHANNEL: { right: 'G0123456789', wrong: ['#leads'] },
  APPROVAL_TTL_HOURS: { right: '24', also: ['0.5'], wrong: ['24h', '1 day', '0', '721', '-1'] },
  ALLOW_SELF_APPROVAL: { right: 'true', wrong: ['on'] },
  AUDIT_CHANNEL: { right: 'C0123456789', wrong: ['https://example.slack.com/archives/C0123456789'] },
  OWNERS: { right: 'U0123456789', wrong: ['@ada', 'ada@quiz.example', 'U1;U2'] },
  RIGHTS: { right: 'delete-quiz:nobody', wrong: ['delete-quiz', 'delete-quizz:nobody', 'delete-quiz:everybody'] },
  PORT: { right: '3000', wrong: ['3000/tcp', ':3000', '70000', '-1'] },
  HOST: { right: '127.0.0.1', wrong: [] },
  DATA_DIR: { right: './data', wrong: [] },
  REDIS_URL: {
    right: 'redis://127.0.0.1:6379/1',
    also: [
      'redis://h',
      'redis://h/',
      'redis://h:6379/15',
      'redis://:a,b@h:6379',
      'redis://h:26379/0',
      'rediss://bot:secret@redis.example:6380',
      'unix:///s',
      'unix:///run/redis.sock?db=1',
    ],
    wrong: [
      '127.0.0.1:6379',
      'https://redis.example',
      'redis',
      'redis+sentinel://a:26379/mymaster',
      'redis-sentinel://a:26379,b:26379/mymaster/0',
      'sentinel://:hush@a:26379?name=mymaster',
      'redis://a:26379/mymaster',
      'redis://a:26379/0?sentinelMasterId=mymaster',
      'redis://a:26379?master_name=mymaster',
      'redis+cluster://a:6379',
      'redis://a:6379,b:6379',
      'redis://:hush@a:6379,redis://b:6379',
      'redis:///?path=/run/redis.sock',
      'redis://localhost?path=/run/redis.sock&db=1',
      'redis://redis.example?db=1',
      'redis://redis.example#1',
      'redis://127.0.0.1:6379/one',
      'unix:///run/redis.sock?path=/run/other.sock',
      'unix:///run/redis.sock?db=one',
    ],
  },
  REDIS_PASSWORD: { right: '0123456789abcdef', wrong: [] },
  LOG_LEVEL: { right: 'info', wrong: ['verbose', 'INFO', '3'] },
  TENANTS_FILE: { right: '/etc/invigilator/tenants.yml', wrong: [] },
  TIME_ZONE: { right: 'Europe/Berlin', wrong: ['CET+1'] },
  EVIDENCE_KEY_SINCE: {
    right: '2027-03-01',
    also: ['2027-03-01T09:30Z'],
    wrong: ['01.03.2027', '2027-02-31T25:00Z', 'today', '2027-13-01', '2027-03-01T09:30'],
  },
  RETENTION_YEARS: { right: '3', also: ['1', '30'], wrong: ['36 months', '3y', '0', '31', '2.5', '-3', '1e1'] },
  QUIZ_TAKE_URL: {
    right: 'https://quiz.example/take/{quiz_id}',
    wrong: ['https://quiz.example/take/', 'javascript:{quiz_id}'],
  },
  NOTIFY_RESPONDENTS: { right: 'true', wrong: ['no'] },
  MANAGER_FIELD: { right: 'Manager', wrong: [] },
  LANGUAGE: { right: 'de', also: ['de_AT:de:en'], wrong: ['german', 'tlh', 'it_IT:de'] },
  FORMALITY: { right: 'formal', wrong: ['Sie'] },
  MCP_ENABLED: { right: 'true', wrong: ['enabled'] },
  WORKFLOW_STEPS_ENABLED: { right: 'true', wrong: ['1'] },
  HOLIDAYS: { right: '2026-12-25', wrong: ['25.12.2026', '2026-12-25;2026-12-26', 'Atlantis:2026-12-25'] },
  HTTPS_PROXY: { right: 'http://127.0.0.1:3128', wrong: ['socks5://127.0.0.1:1080'] },
  HTTP_PROXY: { right: 'http://127.0.0.1:3128', wrong: ['ftp://proxy.example'] },
  NO_PROXY: { right: 'localhost,.quiz.example', wrong: [] },
  NODE_EXTRA_CA_CERTS: { right: '/etc/ssl/certs/ca-certificates.crt', wrong: [] },
};

const enough: Partial<Record<Name, string>> = Object.fromEntries(
  (['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'QUIZ_API_URL', 'QUIZ_API_KEY'] as const).map((name) => [
    name,
    examples[name].right,
  ]),
);
/** Without these beside it, a variable has no meaning. */
const beside: Partial<Record<Name, Partial<Record<Name, string>>>> = {
  REDIS_PASSWORD: { REDIS_URL: 'redis://127.0.0.1:6379' },
  WEBHOOK_SECRET: { WEBHOOK_SCHEME: 'body,standard' },
};

/** What the bot says of its environment, and whether it starts. */
function outcomeOf(env: Record<string, string | undefined>): { isRefused: boolean; said: readonly string[] } {
  try {
    const { notices } = env['TENANTS_FILE'] ? readProcessConfig(env) : readConfig(env);
    return { isRefused: false, said: notices };
  } catch (error) {
    if (error instanceof ConfigError) return { isRefused: true, said: error.faults };
    throw error;
  }
}

const waysOf = (name: Name): (readonly [way: string, set: Record<string, string>])[] => {
  const { right, wrong } = examples[name];
  const stranger = name === 'SLACK_BOT_TOKEN' ? 'QUIZ_API_KEY' : 'SLACK_BOT_TOKEN';
  const misspelt = name.replace(/.(?=.$)/, '');
  return [
    ['empty', { [name]: '' }],
    ['in quotation marks', { [name]: `"${right}"` }],
    ['with a carriage return', { [name]: `${right}\r` }],
    ...wrong.map((value) => [`\`${value.length > 60 ? `${value.slice(0, 8)}…` : value}\``, { [name]: value }] as const),
    [`the value of ${stranger}`, { [name]: examples[stranger].right }],
    [`misspelt as ${misspelt}`, { [misspelt]: right }],
    ...((secretNames as readonly string[]).includes(name)
      ? ([
          [`its file missing`, { [`${name}_FILE`]: '/nowhere/secret' }],
          ['set twice', { [name]: right, [`${name}_FILE`]: '/nowhere/secret' }],
        ] as const)
      : ([['as a file', { [`${name}_FILE`]: '/nowhere/file' }]] as const)),
  ];
};

const names = Object.keys(variables.shape) as Name[];
const rows = names.flatMap((name) =>
  waysOf(name).map(([way, set]) => {
    const isOfProcess = name === 'TENANTS_FILE' && 'TENANTS_FILE' in set && set['TENANTS_FILE'] !== '';
    const { [name]: _own, ...others } = { ...(isOfProcess ? {} : enough), ...beside[name] };
    return { name, way, set, ...outcomeOf({ ...others, ...set }) };
  }),
);

describe('a variable that is set wrong', () => {
  test.each(names)('%s: its right values are taken without a word, and no sentence repeats a secret', (name) => {
    const isOfProcess = name === 'TENANTS_FILE';
    const { right, also = [] } = examples[name];
    for (const value of [right, ...also]) {
      const env = { ...(isOfProcess ? {} : enough), ...beside[name], [name]: value };
      expect([value, outcomeOf(env)]).toEqual([value, { isRefused: false, said: [] }]);
    }
    for (const { said, set } of rows.filter((row) => row.name === name)) {
      const secrets = secretNames.flatMap((one) => (one === 'REDIS_URL' ? [] : (set[one]?.trim() ?? [])));
      expect(secrets.filter((secret) => secret.length > 8 && said.join('\n').includes(secret))).toEqual([]);
    }
  });

  test.each(names)('%s: whatever is not taken as it stands has a sentence that names it', (name) => {
    for (const { said, way } of rows.filter((row) => row.name === name && /^(?:`|the value)/.test(row.way))) {
      expect([way, said]).toEqual([way, [expect.stringContaining(name)]]);
      expect(said.join('')).not.toContain(examples.SLACK_BOT_TOKEN.right);
    }
  });

  // Other programs have names as short as `PORT`.
  test.each(names.filter((name) => name.length > 6))('%s misspelt is told by its right name', (name) => {
    const misspelt = rows.find((row) => row.name === name && row.way.startsWith('misspelt'));
    expect(misspelt?.said.join('\n')).toContain(name);
  });

  test('gets these sentences', async () => {
    const cell = (text: string) => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
    const lines = rows.map(
      ({ name, way, isRefused, said }) =>
        `| \`${name}\` | ${cell(way)} | ${isRefused ? 'no' : 'yes'} | ${said.length === 0 ? '' : said.map(cell).join('<br>')} |`,
    );
    const head = '| Variable | Set | Starts | Says |\n|---|---|---|---|';
    await expect(
      `# What is said of variables that are set wrong\n\nWritten by test/wrong-variables.test.ts. Where nothing is said, the value is taken, or counts as not set.\n\n${head}\n${lines.join('\n')}\n`,
    ).toMatchFileSnapshot('wrong-variables.md');
  });
});
