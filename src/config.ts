import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { InvigilatorError } from './domain/errors.ts';
import { commandEndings, standardNames, type OwnNames } from './domain/own-names.ts';
import { noLimits, readLimits } from './domain/rights-limits.ts';
import { redisAddress, withPassword } from './redis-address.ts';
import { readSecretFiles } from './secret-files.ts';
import { readHolidays } from './time/holidays.ts';
import { formalities, languageCodes, languageOf } from './words/languages.ts';

/** The bot's version, from its package. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const signatureScheme = z.enum(['body', 'timestamp-body', 'standard', 'timestamp-secret']);

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const signatureSchemes = list
  .refine((names) => names.length > 0 && names.every((name) => signatureScheme.safeParse(name).success), {
    error: `must be one or more of ${signatureScheme.options.join(', ')}, separated by commas.`,
    abort: true,
  })
  .transform((names) => [...new Set(names)].map((name) => signatureScheme.parse(name)));

const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');

/** In characters. Who guesses the secret can invent submissions. */
const shortestWebhookSecret = 16;

/** At most: a year is kept whole. */
const yearMs = 366 * 24 * 3_600_000;

const noUrl = 'must be an http or https address.';
const url = z.url({ protocol: /^https?$/, error: noUrl, abort: true });

const portNumber = 'must be a port number from 0 to 65535.';

const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'must be a time zone name such as Europe/Berlin.' })
  .default('UTC');

const moment = 'must be a day such as 2027-03-01, or a time in UTC such as 2027-03-01T09:30Z.';

const years = 'must be a whole number of years from 1 to 30.';

const hours = 'must be a number of hours, above 0 and at most 720.';

const holidayRule =
  'must be dates such as 2026-12-25, or Europe/Berlin:2026-10-03 for the people in a time zone, separated by commas';

/** Slack takes 32 characters of a command: https://docs.slack.dev/reference/app-manifest, `slash_commands`. The longest ending has 9. */
const commandPrefix =
  'must be 1 to 20 lower-case letters, digits, hyphens and underscores without a slash, such as exam, and begin and end with a letter or digit.';

/** Slack takes 35 characters as the name of an app. Other characters are markup somewhere, or cannot be typed in a mention. */
const botName =
  'must be 1 to 35 letters, digits, spaces, periods, hyphens, apostrophes and underscores, and begin and end with a letter or digit.';

/** Many systems set `LANGUAGE` to a list of locales: https://www.gnu.org/software/gettext/manual/html_node/The-LANGUAGE-variable.html */
const language = z.string().transform((text, { addIssue }) => {
  const [first] = text.split(':');
  const spoken = languageOf(first);
  if (spoken !== undefined) return spoken;
  addIssue(`must be one of ${languageCodes.join(', ')}.`);
  return z.NEVER;
});

const conversationId = z
  .string()
  .regex(
    /^[CGD][A-Z0-9]+$/,
    'must be the id of a channel, such as C0123456789 (it stands at the end of the channel’s details in Slack).',
  );

/** As OpenTelemetry writes them: https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables */
const headers = list.transform((pairs, { addIssue }) => {
  const entries = pairs.map((pair) => /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*)$/.exec(pair)?.slice(1).map(decoded));
  if (entries.every((entry) => entry !== undefined)) return Object.fromEntries(entries) as Record<string, string>;
  addIssue('must be headers such as api-key=…, separated by commas.');
  return z.NEVER;
});

const variables = z.object({
  SLACK_BOT_TOKEN: z.string({
    error: 'is not set. Set it to the bot token of the Slack app (OAuth & Permissions, xoxb-…).',
  }),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_APP_TOKEN: z.string().optional(),
  SLACK_CONFIG_TOKEN: z.string().optional(),
  SLACK_API_URL: url
    .refine(isEncrypted, {
      error: 'must begin with https:// (the bot sends its token there; only a loopback address may use plain http).',
    })
    .default('https://slack.com/api/'),
  COMMAND_PREFIX: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9_-]{0,18}[a-z0-9])?$/, { error: commandPrefix, abort: true })
    .refine((prefix) => commandEndings.every((ending) => ending === '' || !prefix.endsWith(ending)), {
      error: `must not end with one of ${commandEndings.slice(1).join(', ')}, with which the commands of the bot end.`,
    })
    .default(standardNames.commandPrefix),
  BOT_NAME: z
    .string()
    .regex(/^(?=.{1,35}$)[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .’'_-]*[\p{L}\p{M}\p{N}])?$/u, botName)
    .default(standardNames.botName),
  QUIZ_API_URL: z
    .url({
      protocol: /^https?$/,
      error: ({ input }) =>
        input === undefined ? 'is not set. Set it to the base address of the quiz service, without /api.' : noUrl,
      abort: true,
    })
    .refine(isEncrypted, {
      error:
        'must begin with https:// (the quiz service refuses plain http with 403.4; only a loopback address may use it).',
    })
    .refine((text) => !/\/api\/?$/.test(new URL(text).pathname), {
      error: 'must not end in /api: give the base address, the bot adds /api/v1 itself.',
    }),
  QUIZ_API_KEY: z.string({
    error: 'is not set. Set it to the API key from the API tab of the quiz account’s settings.',
  }),
  QUIZ_TIME_ZONE: timeZone,
  GROUPS: list.default([]),
  QUIZ_GROUPS: list.default([]),
  WEBHOOK_SECRET: list.default([]),
  WEBHOOK_ALLOW_UNSIGNED: yesOrNo.default(false),
  WEBHOOK_SCHEME: signatureSchemes.default(['body']),
  WEBHOOK_SIGNATURE_HEADER: z.string().default('X-Webhook-Signature'),
  WEBHOOK_TIMESTAMP_HEADER: z.string().default('X-Webhook-Timestamp'),
  ALERTS_CHANNEL: conversationId.optional(),
  APPROVALS_CHANNEL: conversationId.optional(),
  APPROVAL_TTL_HOURS: z
    .string()
    .regex(/^\d{1,4}(\.\d+)?$/, { error: hours, abort: true })
    .transform(Number)
    .pipe(z.number().positive(hours).max(720, hours))
    .default(24),
  ALLOW_SELF_APPROVAL: yesOrNo.default(false),
  AUDIT_CHANNEL: conversationId.optional(),
  OWNERS: list
    .refine((ids) => ids.every((id) => /^[UW][A-Z0-9]+$/.test(id)), {
      error: 'must be Slack user ids such as U0123456789, separated by commas.',
    })
    .default([]),
  RIGHTS: list
    .transform((entries, { addIssue }) => {
      const { limits, problems } = readLimits(entries);
      if (problems.length > 0)
        addIssue(
          `must be operations with what is left of them, such as delete-quiz:nobody, separated by commas: ${problems.join(', and ')}.`,
        );
      return limits;
    })
    .default(noLimits),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, { error: portNumber, abort: true })
    .transform(Number)
    .pipe(z.number().max(65_535, portNumber))
    .default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  REDIS_URL: redisAddress.optional(),
  REDIS_PASSWORD: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  NO_COLOR: z.string().optional(),
  TENANTS_FILE: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.default({}),
  TIME_ZONE: timeZone,
  EVIDENCE_KEY_SINCE: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/, { error: moment, abort: true })
    .transform((text) => Date.parse(text))
    .refine((at) => !Number.isNaN(at), moment)
    .optional(),
  RETENTION_YEARS: z
    .string()
    .regex(/^\d{1,2}$/, { error: years, abort: true })
    .transform(Number)
    .pipe(z.number().min(1, years).max(30, years))
    .default(3),
  QUIZ_TAKE_URL: z
    .string()
    .refine(
      (text) => text.includes('{quiz_id}') && URL.canParse(text.replaceAll('{quiz_id}', 'id')) && /^https?:/.test(text),
      {
        error: 'must be an http or https address that contains {quiz_id}, such as https://quiz.example/take/{quiz_id}.',
      },
    )
    .optional(),
  NOTIFY_RESPONDENTS: yesOrNo.default(true),
  MANAGER_FIELD: z.string().optional(),
  LANGUAGE: language.default('en'),
  FORMALITY: z.enum(formalities).default('formal'),
  MCP_ENABLED: yesOrNo.default(false),
  WORKFLOW_STEPS_ENABLED: yesOrNo.default(false),
  HOLIDAYS: list
    .transform((entries, { addIssue }) => {
      const { holidays, problems } = readHolidays(entries);
      if (problems.length > 0) addIssue(`${holidayRule}: ${problems.join(', and ')}.`);
      return holidays;
    })
    .default(new Set<string>()),
});

/** What may also stand in a file, which the variable with `_FILE` after its name names. */
const secretNames = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_CONFIG_TOKEN',
  'QUIZ_API_KEY',
  'WEBHOOK_SECRET',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const satisfies (keyof typeof variables.shape)[];

/** The variables of the process, which its bots share. All others are about one bot. */
const processVariables = variables.pick({
  PORT: true,
  HOST: true,
  DATA_DIR: true,
  REDIS_URL: true,
  REDIS_PASSWORD: true,
  LOG_LEVEL: true,
  NO_COLOR: true,
  OTEL_EXPORTER_OTLP_ENDPOINT: true,
  OTEL_EXPORTER_OTLP_HEADERS: true,
  TENANTS_FILE: true,
});

const processNames: ReadonlySet<string> = new Set(Object.keys(processVariables.shape));

/** The variables that are about one bot, with whether each is a secret. */
export const botVariables: ReadonlyMap<string, { isSecret: boolean }> = new Map(
  Object.keys(variables.shape)
    .filter((name) => !processNames.has(name))
    .map((name) => [name, { isSecret: (secretNames as readonly string[]).includes(name) }]),
);

/** The configuration. Times and sizes that are not configurable are constants in the files that use them. */
export type Config = ReturnType<typeof readConfig>;

/** The part of it that is about the process rather than a bot in it. */
export type ProcessConfig = ReturnType<typeof processConfigOf>;

/** The configuration cannot be used; `faults` holds one line per variable, each saying what to set. */
export class ConfigError extends InvigilatorError {
  readonly code = 'config_invalid';
  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * Reads the configuration from environment variables. A variable set to nothing counts as not set.
 *
 * @param tenant whose bot it is, where the process runs several
 * @throws {ConfigError} with every fault at once
 */
export function readConfig(env: Record<string, string | undefined> = process.env, tenant?: string) {
  const { given, fileFaults } = givenIn(env);
  const parsed = variables.safeParse(given);
  const faults = [...Object.values(fileFaults), ...faultsOf(parsed, fileFaults)];
  const isWithoutSlackSecret = [given, fileFaults].every(
    (names) => names['SLACK_APP_TOKEN'] === undefined && names['SLACK_SIGNING_SECRET'] === undefined,
  );
  if (isWithoutSlackSecret) {
    faults.push(
      'SLACK_SIGNING_SECRET is not set. Set it to the signing secret of the Slack app (Basic Information), or set SLACK_APP_TOKEN for Socket Mode.',
    );
  }
  if (parsed.success) faults.push(...faultsOfWebhook(parsed.data), ...faultsOfGroups(parsed.data, env));
  if (parsed.success && fileFaults['REDIS_URL'] === undefined) faults.push(...faultsOfRedis(parsed.data));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);

  const set = parsed.data;
  return {
    tenant,
    slack: {
      botToken: set.SLACK_BOT_TOKEN,
      signingSecret: set.SLACK_SIGNING_SECRET,
      appToken: set.SLACK_APP_TOKEN,
      apiUrl: set.SLACK_API_URL.endsWith('/') ? set.SLACK_API_URL : `${set.SLACK_API_URL}/`,
    },
    /** With it, the doctor reads the configuration of the app; the bot does not use it. */
    slackConfigToken: set.SLACK_CONFIG_TOKEN,
    /** What the bot and its commands are called in the workspace. */
    names: { commandPrefix: set.COMMAND_PREFIX, botName: set.BOT_NAME },
    /** `timeZone` is that of the account’s dates. */
    quizApi: { baseUrl: set.QUIZ_API_URL, apiKey: set.QUIZ_API_KEY, timeZone: set.QUIZ_TIME_ZONE },
    webhook: {
      secrets: set.WEBHOOK_SECRET,
      allowsUnsigned: set.WEBHOOK_ALLOW_UNSIGNED,
      schemes: set.WEBHOOK_SCHEME,
      signatureHeader: set.WEBHOOK_SIGNATURE_HEADER,
      timestampHeader: set.WEBHOOK_TIMESTAMP_HEADER,
    },
    /** The groups of the account that the bot is for, by name or ID; none: it is for the whole account. */
    groups: [...set.GROUPS, ...set.QUIZ_GROUPS],
    quizTakeUrl: set.QUIZ_TAKE_URL,
    notifiesRespondents: set.NOTIFY_RESPONDENTS,
    /** The field of profiles that names a person’s manager, by label or ID; undefined: “Manager”, where people cannot edit it. */
    managerField: set.MANAGER_FIELD,
    /** What channels read, and people in whose language the bot doesn’t speak. */
    language: set.LANGUAGE,
    /** How people are addressed in languages with two ways. */
    formality: set.FORMALITY,
    /** Whether Slackbot and agents may call tools at `POST /mcp`. */
    mcpEnabled: set.MCP_ENABLED,
    /** Whether workflows may run steps. */
    workflowStepsEnabled: set.WORKFLOW_STEPS_ENABLED,
    holidays: set.HOLIDAYS,
    alertsChannel: set.ALERTS_CHANNEL,
    approvals: {
      channel: set.APPROVALS_CHANNEL,
      ttlMs: set.APPROVAL_TTL_HOURS * 3_600_000,
      allowsSelfApproval: set.ALLOW_SELF_APPROVAL,
    },
    auditChannel: set.AUDIT_CHANNEL,
    /** A key of evidence packs that is older is replaced from then on, in milliseconds since the epoch; undefined: none is. */
    evidenceKeySince: set.EVIDENCE_KEY_SINCE,
    /** How long campaigns are kept after their end, with what people had to do, their messages and results. */
    retentionMs: set.RETENTION_YEARS * yearMs,
    owners: set.OWNERS,
    /** What the operator takes from everyone, by operation. */
    rights: set.RIGHTS,
    ...processConfigOf(set),
    timeZone: set.TIME_ZONE,
  };
}

function processConfigOf(set: z.output<typeof processVariables>) {
  return {
    http: { port: set.PORT, host: set.HOST },
    dataDir: set.DATA_DIR,
    redisUrl: redisUrlOf(set),
    logLevel: set.LOG_LEVEL,
    /** https://no-color.org: any value turns colors off. */
    allowsColor: set.NO_COLOR === undefined,
    /** The receiver of traces; undefined: no traces. */
    tracesEndpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracesHeaders: set.OTEL_EXPORTER_OTLP_HEADERS,
    /** Lists the bots of the process; undefined: the environment describes the only one. */
    tenantsFile: set.TENANTS_FILE,
  };
}

/**
 * Reads what the bots of a process share. The environment has nothing about a bot then.
 * @throws {ConfigError} with every fault at once
 */
export function readProcessConfig(env: Record<string, string | undefined> = process.env): ProcessConfig {
  const { given, fileFaults } = givenIn(env);
  const parsed = processVariables.safeParse(given);
  const ofBots = [...botVariables.keys()].filter((name) => name in given || `${name}_FILE` in given);
  const faults = [
    ...Object.values(fileFaults),
    ...faultsOf(parsed, fileFaults),
    ...ofBots.map((name) => `${name} is set beside TENANTS_FILE. Give it to a tenant in the file, and unset it.`),
  ];
  if (parsed.success && fileFaults['REDIS_URL'] === undefined) faults.push(...faultsOfRedis(parsed.data));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return processConfigOf(parsed.data);
}

/** The variables that are set, as a file of tenants may name them. */
export function variablesOf(env: Record<string, string | undefined> = process.env): Readonly<Record<string, string>> {
  return givenIn(env).set;
}

/**
 * Reads the settings of `npm run move-to-redis`: the folder of the SQLite file and the address of Redis.
 * @throws {ConfigError} with every fault at once
 */
export function readMoveConfig(env: Record<string, string | undefined> = process.env): {
  dataDir: string;
  redisUrl: string;
} {
  const { given, fileFaults } = givenIn(env);
  const parsed = variables.pick({ DATA_DIR: true, REDIS_URL: true, REDIS_PASSWORD: true }).safeParse(given);
  const ofRedis = [fileFaults['REDIS_URL'], fileFaults['REDIS_PASSWORD']].filter((text) => text !== undefined);
  const faults = [...ofRedis, ...faultsOf(parsed, fileFaults)];
  if (given['REDIS_URL'] === undefined && fileFaults['REDIS_URL'] === undefined)
    faults.push('REDIS_URL is not set. Set it to the address of the Redis that is to hold the bot’s state.');
  else if (parsed.success && faults.length === 0) faults.push(...faultsOfRedis(parsed.data));
  const redisUrl = parsed.success ? redisUrlOf(parsed.data) : undefined;
  if (!parsed.success || redisUrl === undefined || faults.length > 0) throw new ConfigError(faults);
  return { dataDir: parsed.data.DATA_DIR, redisUrl };
}

/**
 * Reads the settings of `npm run manifest`, which runs before there is an app and its tokens.
 * @throws {ConfigError} with every fault at once
 */
export function readManifestConfig(env: Record<string, string | undefined> = process.env): {
  names: OwnNames;
  /** Whether there is an app token. */
  isSocketMode: boolean;
  mcpEnabled: boolean;
  workflowStepsEnabled: boolean;
  /** Where the tenants are described, if there are several. */
  tenantsFile: string | undefined;
} {
  const { given, fileFaults } = givenIn(env);
  const parsed = variables
    .pick({ COMMAND_PREFIX: true, BOT_NAME: true, MCP_ENABLED: true, WORKFLOW_STEPS_ENABLED: true, TENANTS_FILE: true })
    .safeParse(given);
  if (!parsed.success) throw new ConfigError(faultsOf(parsed, {}));
  const set = parsed.data;
  return {
    names: { commandPrefix: set.COMMAND_PREFIX, botName: set.BOT_NAME },
    isSocketMode: [given, fileFaults].some((names) => names['SLACK_APP_TOKEN'] !== undefined),
    mcpEnabled: set.MCP_ENABLED,
    workflowStepsEnabled: set.WORKFLOW_STEPS_ENABLED,
    tenantsFile: set.TENANTS_FILE,
  };
}

/** The secret values of the configuration. The log redacts them. */
export function secretsOf(config: Config | ProcessConfig): string[] {
  const redisPassword = config.redisUrl && decodeURIComponent(new URL(config.redisUrl).password);
  const ofBot =
    'slack' in config
      ? [
          config.slack.botToken,
          config.slack.signingSecret,
          config.slack.appToken,
          config.slackConfigToken,
          config.quizApi.apiKey,
          ...config.webhook.secrets,
        ]
      : [];
  return [...ofBot, redisPassword, ...Object.values(config.tracesHeaders)].filter(
    (secret): secret is string => secret !== undefined && secret !== '',
  );
}

type RedisVariables = Pick<z.output<typeof variables>, 'REDIS_URL' | 'REDIS_PASSWORD'>;

function redisUrlOf({ REDIS_URL: address, REDIS_PASSWORD: password }: RedisVariables): string | undefined {
  return address === undefined || password === undefined ? address : withPassword(address, password);
}

function faultsOfRedis({ REDIS_URL: address, REDIS_PASSWORD: password }: RedisVariables): string[] {
  if (password === undefined) return [];
  if (address === undefined)
    return ['REDIS_PASSWORD must not be set without REDIS_URL: set the address of Redis, or unset the password.'];
  return new URL(address).password === ''
    ? []
    : ['REDIS_PASSWORD must not be set where REDIS_URL has a password: remove one of them.'];
}

function faultsOfWebhook({
  WEBHOOK_SECRET: secrets,
  WEBHOOK_SCHEME: schemes,
  WEBHOOK_ALLOW_UNSIGNED: allowsUnsigned,
}: z.output<typeof variables>): string[] {
  const faults: string[] = [];
  if (allowsUnsigned && secrets.length > 0) {
    faults.push(
      'WEBHOOK_ALLOW_UNSIGNED must not be true where WEBHOOK_SECRET is set: unset it to take signed webhooks only, or unset the secret.',
    );
  }
  if (schemes.includes('standard') && secrets.some((secret) => /^whsec_(?![A-Za-z0-9+/]{2,}={0,2}$)/.test(secret))) {
    faults.push('WEBHOOK_SECRET must be base64 after whsec_: copy it again from where the webhook was made.');
  } else if (secrets.some((secret) => secret.replace(/^whsec_/, '').length < shortestWebhookSecret)) {
    faults.push(
      `WEBHOOK_SECRET must have at least ${shortestWebhookSecret} characters: anyone can guess a shorter one. Make a new one with openssl rand -hex 32, and set it in the quiz account, too.`,
    );
  }
  return faults;
}

/** A name that got lost on the way must not open the whole account: of these variables alone, nothing is not the same as not set. */
function faultsOfGroups(
  { GROUPS: groups, QUIZ_GROUPS: quizGroups }: z.output<typeof variables>,
  env: Record<string, string | undefined>,
): string[] {
  const empty = Object.entries({ GROUPS: groups, QUIZ_GROUPS: quizGroups })
    .filter(([name, names]) => env[name] !== undefined && names.length === 0)
    .map(([name]) => `${name} is set to nothing: name a group of the account, or unset it for the whole account.`);
  const isTwice = groups.length > 0 && quizGroups.length > 0;
  return isTwice ? ['QUIZ_GROUPS must not be set where GROUPS is: it means the same.'] : empty;
}

/** The variables that are set to something, with the secrets that stand in files. */
function givenIn(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => [name, value?.trim()])
      .filter(([, value]) => value !== '' && value !== undefined),
  ) as Record<string, string>;
  const { secrets, faults: fileFaults } = readSecretFiles(set, secretNames);
  return { set, given: { ...set, ...secrets }, fileFaults };
}

/** A sentence for each variable that is wrong, except for those whose file is. */
function faultsOf(
  parsed: { success: true } | { success: false; error: z.ZodError },
  fileFaults: Readonly<Record<string, string>>,
): string[] {
  const issues = parsed.success ? [] : parsed.error.issues;
  return issues.filter(({ path: [name] }) => !(String(name) in fileFaults)).map(fault);
}

function fault(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')} ${message(issue)}`;
}

function message(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}.`;
  return issue.message;
}

/** Whether nobody on the way can read what is sent there. */
function isEncrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
