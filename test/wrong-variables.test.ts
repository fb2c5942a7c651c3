import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, readProcessConfig } from '../src/config.ts';
import { secretNames, variables } from '../src/configuration/variables.ts';

type Name = keyof typeof variables.shape;

/** A right value of each variable, and wrong ones in the ways in which people set it: another form, a wrong unit, out of range. */
const examples: Record<Name, { right: string; wrong: readonly string[] }> = {
  SLACK_BOT_TOKEN: { right: 'xoxb-1-of-the-test', wrong: ['1234567890'] },
  SLACK_SIGNING_SECRET: { right: 'f00d00f00d00f00d', wrong: ['xoxb-1-of-the-test'] },
  SLACK_APP_TOKEN: { right: 'xapp-1-of-the-test', wrong: ['f00d00f00d00f00d'] },
  SLACK_API_URL: { right: 'https://slack.com/api/', wrong: ['slack.com/api', 'http://slack.com/api/'] },
  COMMAND_PREFIX: { right: 'exam', wrong: ['/exam', 'Exam', 'exam-alerts'] },
  BOT_NAME: { right: 'Examiner', wrong: ['@Examiner', 'n'.repeat(36)] },
  QUIZ_API_URL: { right: 'https://quiz.example', wrong: ['quiz.example', 'http://quiz.example'] },
  QUIZ_API_KEY: { right: '0123456789abcdef', wrong: [] },
  QUIZ_TIME_ZONE: { right: 'Europe/Berlin', wrong: ['Berlin', 'UTC+2', 'MESZ'] },
  WEBHOOK_SECRET: { right: '0123456789abcdef0', wrong: ['changeme', 'whsec_changeme!'] },
  WEBHOOK_ALLOW_UNSIGNED: { right: 'false', wrong: ['yes', '1', 'TRUE'] },
  WEBHOOK_SCHEME: { right: 'body,standard', wrong: ['sha256', 'body;standard'] },
  WEBHOOK_SIGNATURE_HEADER: { right: 'X-Signature', wrong: [] },
  WEBHOOK_TIMESTAMP_HEADER: { right: 'X-Timestamp', wrong: [] },
  ALERTS_CHANNEL: { right: 'C0123456789', wrong: ['#training', 'training'] },
  APPROVALS_CHANNEL: { right: 'G0123456789', wrong: ['#leads'] },
  APPROVAL_TTL_HOURS: { right: '24', wrong: ['24h', '1 day', '0', '721'] },
  ALLOW_SELF_APPROVAL: { right: 'true', wrong: ['on'] },
  AUDIT_CHANNEL: { right: 'C0123456789', wrong: ['https://example.slack.com/archives/C0123456789'] },
  OWNERS: { right: 'U0123456789', wrong: ['@ada', 'ada@quiz.example', 'U1;U2'] },
  RIGHTS: { right: 'delete-quiz:nobody', wrong: ['delete-quiz', 'delete-quizz:nobody', 'delete-quiz:everybody'] },
  PORT: { right: '3000', wrong: ['3000/tcp', ':3000', '70000', '-1'] },
  HOST: { right: '127.0.0.1', wrong: [] },
  DATA_DIR: { right: './data', wrong: [] },
  REDIS_URL: {
    right: 'redis://127.0.0.1:6379/1',
    wrong: ['127.0.0.1:6379', 'redis-sentinel://a:26379', 'redis://a:6379,b:6379', 'redis://127.0.0.1:6379/one'],
  },
  REDIS_PASSWORD: { right: '0123456789abcdef', wrong: [] },
  LOG_LEVEL: { right: 'info', wrong: ['verbose', 'INFO', '3'] },
  TENANTS_FILE: { right: '/etc/invigilator/tenants.yml', wrong: [] },
  TIME_ZONE: { right: 'Europe/Berlin', wrong: ['CET+1'] },
  EVIDENCE_KEY_SINCE: { right: '2027-03-01', wrong: ['01.03.2027', '2027-02-31T25:00Z', 'today'] },
  RETENTION_YEARS: { right: '3', wrong: ['36 months', '3y', '0', '31', '2.5'] },
  QUIZ_TAKE_URL: { right: 'https://quiz.example/take/{quiz_id}', wrong: ['https://quiz.example/take/'] },
  NOTIFY_RESPONDENTS: { right: 'true', wrong: ['no'] },
  MANAGER_FIELD: { right: 'Manager', wrong: [] },
  LANGUAGE: { right: 'de', wrong: ['german', 'tlh'] },
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
    ...wrong.map((value) => [`\`${value.length > 30 ? `${value.slice(0, 8)}…` : value}\``, { [name]: value }] as const),
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
  test.each(names)('%s: its right value is taken without a word, and no sentence repeats a secret', (name) => {
    const isOfProcess = name === 'TENANTS_FILE';
    const env = { ...(isOfProcess ? {} : enough), ...beside[name], [name]: examples[name].right };
    expect(outcomeOf(env)).toEqual({ isRefused: false, said: [] });
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
