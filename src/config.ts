import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { faultsOf, faultsOfGroups, faultsOfRedis, faultsOfWebhook } from './configuration/faults.ts';
import { givenIn, noticesOf } from './configuration/given.ts';
import { withPassword } from './configuration/values.ts';
import { botVariables, processVariables, variables } from './configuration/variables.ts';
import { InvigilatorError } from './domain/errors.ts';
import type { OwnNames } from './domain/own-names.ts';
import { faultsOfLimits } from './governance/rights/rights.ts';

/** The bot's version, from its package. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** At most: a year is kept whole. */
const yearMs = 366 * 24 * 3_600_000;

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
  faults.push(...faultsOfGroups(env), ...faultsOfLimits(given['RIGHTS']));
  if (parsed.success) faults.push(...faultsOfWebhook(parsed.data));
  if (parsed.success && fileFaults['REDIS_URL'] === undefined) faults.push(...faultsOfRedis(parsed.data));
  if (!parsed.success || faults.length > 0)
    throw new ConfigError([...faults, ...(tenant === undefined ? noticesOf(env) : [])]);

  const set = parsed.data;
  return {
    tenant,
    slack: {
      botToken: set.SLACK_BOT_TOKEN,
      signingSecret: set.SLACK_SIGNING_SECRET,
      appToken: set.SLACK_APP_TOKEN,
      apiUrl: set.SLACK_API_URL.endsWith('/') ? set.SLACK_API_URL : `${set.SLACK_API_URL}/`,
    },
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
    ...processConfigOf(set, env),
    timeZone: set.TIME_ZONE,
  };
}

function processConfigOf(set: z.output<typeof processVariables>, env: Record<string, string | undefined>) {
  return {
    /** What is probably meant otherwise, as sentences for the operator. */
    notices: noticesOf(env),
    http: { port: set.PORT, host: set.HOST },
    dataDir: set.DATA_DIR,
    redisUrl: redisUrlOf(set),
    logLevel: set.LOG_LEVEL,
    proxies: { https: set.HTTPS_PROXY ?? set.HTTP_PROXY, http: set.HTTP_PROXY, except: set.NO_PROXY },
    /** Of authorities that are trusted beside Node’s own. */
    certificates: set.NODE_EXTRA_CA_CERTS,
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
    ...faultsOfGroups(env),
    ...ofBots.map((name) => `${name} is set beside TENANTS_FILE. Give it to a tenant in the file, and unset it.`),
  ];
  if (parsed.success && fileFaults['REDIS_URL'] === undefined) faults.push(...faultsOfRedis(parsed.data));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return processConfigOf(parsed.data, env);
}

/** The variables that are set, as a file of tenants may name them. */
export function variablesOf(env: Record<string, string | undefined> = process.env): Readonly<Record<string, string>> {
  return givenIn(env).set;
}

/**
 * Reads where bots keep their state.
 * @throws {ConfigError} with every fault at once
 */
export function readStoreConfig(env: Record<string, string | undefined> = process.env): {
  dataDir: string;
  redisUrl: string | undefined;
} {
  const { given, fileFaults } = givenIn(env);
  const parsed = variables.pick({ DATA_DIR: true, REDIS_URL: true, REDIS_PASSWORD: true }).safeParse(given);
  const ofRedis = [fileFaults['REDIS_URL'], fileFaults['REDIS_PASSWORD']].filter((text) => text !== undefined);
  const faults = [...ofRedis, ...faultsOf(parsed, fileFaults)];
  if (parsed.success && faults.length === 0) faults.push(...faultsOfRedis(parsed.data));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return { dataDir: parsed.data.DATA_DIR, redisUrl: redisUrlOf(parsed.data) };
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
  if (given['REDIS_URL'] === undefined && fileFaults['REDIS_URL'] === undefined)
    throw new ConfigError([
      'REDIS_URL is not set. Set it to the address of the Redis that is to hold the bot’s state.',
    ]);
  const { dataDir, redisUrl = '' } = readStoreConfig(env);
  return { dataDir, redisUrl };
}

/**
 * Reads the settings of `npm run manifest`, which runs before there is an app and its tokens.
 * @throws {ConfigError} with every fault at once
 */
export function readManifestConfig(env: Record<string, string | undefined> = process.env): {
  names: OwnNames;
  /** Whether there is an app token. */
  isSocketMode: boolean;
  hasSigningSecret: boolean;
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
  const isSet = (name: string) => name in given || name in fileFaults;
  return {
    names: { commandPrefix: set.COMMAND_PREFIX, botName: set.BOT_NAME },
    isSocketMode: isSet('SLACK_APP_TOKEN'),
    hasSigningSecret: isSet('SLACK_SIGNING_SECRET'),
    mcpEnabled: set.MCP_ENABLED,
    workflowStepsEnabled: set.WORKFLOW_STEPS_ENABLED,
    tenantsFile: set.TENANTS_FILE,
  };
}

/** The secret values of the configuration. The log redacts them. */
export function secretsOf(config: Config | ProcessConfig): string[] {
  const passwordIn = (address: string) => decodeURIComponent(new URL(address).password);
  const ofBot =
    'slack' in config
      ? [
          config.slack.botToken,
          config.slack.signingSecret,
          config.slack.appToken,
          config.quizApi.apiKey,
          ...config.webhook.secrets,
        ]
      : [];
  const ofProxies = [config.proxies.https, config.proxies.http].map((uri) => uri && passwordIn(uri));
  return [...ofBot, config.redisUrl && passwordIn(config.redisUrl), ...ofProxies].filter(
    (secret): secret is string => secret !== undefined && secret !== '',
  );
}

function redisUrlOf({
  REDIS_URL: address,
  REDIS_PASSWORD: password,
}: Pick<z.output<typeof variables>, 'REDIS_URL' | 'REDIS_PASSWORD'>): string | undefined {
  return address === undefined || password === undefined ? address : withPassword(address, password);
}
