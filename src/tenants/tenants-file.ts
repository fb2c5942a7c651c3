import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { faultOfGroups } from '../configuration/faults.ts';
import { botVariables } from '../configuration/variables.ts';

/** A tenant of the file: one app in one workspace, with one quiz account. */
export type TenantEntry =
  | {
      kind: 'bot';
      config: Config;
      /** The account that it shares with other tenants, or may share; undefined: one of its own. */
      account: string | undefined;
    }
  /** One sentence each. */
  | { kind: 'faulty'; faults: readonly string[]; account: string | undefined };

/** The tenants of the file, by name. */
type TenantList = ReadonlyMap<string, TenantEntry>;

/** Slack’s and the service’s addresses end with it, folders and keys of the store have it in their names. */
export const isTenantName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,39}$/.test(name);
export const nameRule =
  'must have at most 40 lower-case letters, digits, hyphens and underscores, such as acme-training';

const setting = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))]);
const settings = z.record(z.string(), setting.nullable());
const fileShape = z.strictObject({
  accounts: z.record(z.string(), z.unknown()).default({}),
  tenants: z.record(z.string(), z.unknown()),
});
type Settings = z.output<typeof settings>;
type BotEntry = Extract<TenantEntry, { kind: 'bot' }>;

/** What an account is, rather than the bot that uses it. */
const isOfAccount = (name: string): boolean => /^(?:QUIZ_API_URL|QUIZ_API_KEY|QUIZ_TIME_ZONE|WEBHOOK_)/i.test(name);

/** Up to version 1.7. */
const isForGroups = (name: string): boolean => /^(?:QUIZ_)?GROUPS$/i.test(name);

/**
 * Reads a file of tenants. A tenant that is described wrongly is `faulty`, and the others are as they say.
 *
 * @param env the environment: what the process's bots share, and secrets that tenants name
 * @throws {ConfigError} where the file as a whole can't be read, or tenants of the same account say different things of it
 */
export function readTenants(text: string, env: Readonly<Record<string, string>>): TenantList {
  const { accounts, tenants } = parseFile(text);
  const named = Object.entries(tenants).map(([name, given]) => [name, readTenant(name, given, accounts, env)] as const);
  return withSharedAccounts(withoutTwins(new Map(named)));
}

/**
 * Reads what a tenant is called and which parts of its bot are turned on, as variables. Its secrets need not exist yet: each is
 * “set”.
 *
 * @throws {ConfigError} where the file can't be read, or has no such tenant
 */
export function settingsOfTenant(text: string, name: string): Record<string, string> {
  const { tenants } = parseFile(text);
  if (!(name in tenants)) throw new ConfigError([noTenant(name, Object.keys(tenants))]);
  const given = settings.safeParse(tenants[name]);
  if (!given.success) throw new ConfigError(faultsOfShape(given.error));
  return Object.fromEntries(
    Object.entries(given.data).map(([key, value]) => {
      const [, variable = key, isSecret] = /^([A-Z_]+?)(_FILE|_ENV)?$/.exec(key.toUpperCase()) ?? [];
      return [variable, isSecret === undefined ? String(value ?? '') : 'set'];
    }),
  );
}

export function noTenant(name: string, names: readonly string[]): string {
  return `TENANTS_FILE has no tenant ${name}. It has: ${names.join(', ') || 'none'}.`;
}

function parseFile(text: string): z.output<typeof fileShape> {
  const document = parseDocument(text, { prettyErrors: true });
  const [broken] = document.errors;
  if (broken !== undefined) throw new ConfigError([`TENANTS_FILE is not YAML: ${firstLineOf(broken.message)}`]);
  const read = fileShape.safeParse(document.toJS());
  if (read.success) return read.data;
  throw new ConfigError(
    read.error.issues.map(({ path, message }) =>
      path.length === 0
        ? `TENANTS_FILE must have “tenants”, and may have “accounts”: ${message}.`
        : `TENANTS_FILE: ${path.join(' › ')} can’t be read: ${message}.`,
    ),
  );
}

function readTenant(
  name: string,
  given: unknown,
  accounts: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
): TenantEntry {
  if (!isTenantName(name)) return faulty(`The name ${name} ${nameRule}.`);
  const read = settings.safeParse(given);
  if (!read.success) return faulty(...faultsOfShape(read.error));
  const { account, removed, ...own } = read.data;
  if (removed !== undefined)
    return faulty(
      `removed is not supported any more. Remove the entry of ${name}. To erase its data as well, stop the bot, and run npm run erase-tenant -- ${name}.`,
    );
  const accountName = account === undefined ? undefined : String(account);
  const isKnown = accountName === undefined || Object.hasOwn(accounts, accountName);
  if (!isKnown) return faulty(`account names ${accountName}, which “accounts” doesn’t have.`);
  const ofAccount = settings.safeParse(accountName === undefined ? {} : accounts[accountName]);
  if (!ofAccount.success) return faulty(...faultsOfShape(ofAccount.error).map((fault) => `${accountName}: ${fault}`));
  const twice = Object.keys(own).filter((key) => accountName !== undefined && isOfAccount(key));
  const misplaced = Object.keys(ofAccount.data).filter((key) => !isOfAccount(key) && !isForGroups(key));
  const { values, faults } = variablesFrom({ ...ofAccount.data, ...own }, env);
  const all = [
    ...twice.map((key) => `${key} is that of the account ${accountName}. Remove it here.`),
    ...misplaced.map((key) => `${key} is not about an account. Give it to each tenant of ${accountName}.`),
    ...(accountName !== undefined && !isTenantName(accountName) ? [`account: the name ${nameRule}.`] : []),
    ...faults,
  ];
  const wrong = (some: readonly string[]): TenantEntry => ({ kind: 'faulty', faults: some, account: accountName });
  if (all.length > 0) return wrong(all);
  try {
    const config = readConfig({ ...env, ...values, TENANTS_FILE: undefined }, name);
    return { kind: 'bot', config: inOwnFolder(config, name), account: accountName };
  } catch (error) {
    if (error instanceof ConfigError) return wrong(error.faults);
    throw error;
  }
}

const faulty = (...faults: readonly string[]): TenantEntry => ({ kind: 'faulty', faults, account: undefined });

function faultsOfShape(error: z.ZodError): string[] {
  return error.issues.map(({ path: [variable] }) =>
    variable === undefined
      ? 'It must have settings, each with its value.'
      : `${String(variable)} must be a value, or a list of values.`,
  );
}

const inOwnFolder = (config: Config, name: string): Config => ({
  ...config,
  dataDir: join(config.dataDir, 'tenants', name),
});

/** The settings as variables, with the secrets that they name in the environment. */
function variablesFrom(
  given: Settings,
  env: Readonly<Record<string, string>>,
): { values: Record<string, string>; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    const [, name = key, ending] = /^([A-Z_]+?)(_FILE|_ENV)?$/.exec(key.toUpperCase()) ?? [];
    const variable = botVariables.get(name);
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    if (isForGroups(key)) faults.push(faultOfGroups(key));
    else if (variable === undefined || (ending !== undefined && !variable.isSecret)) faults.push(unknownSetting(key));
    else if (ending === undefined && variable.isSecret)
      faults.push(
        `${name} must not stand in the file. Name a file that holds it with ${name}_FILE, or a variable with ${name}_ENV.`,
      );
    else if (ending === '_ENV' && env[text] === undefined)
      faults.push(`${name}_ENV names ${text}, which is not set. Set it to the secret, or correct the name.`);
    else values[ending === '_FILE' ? `${name}_FILE` : name] = ending === '_ENV' ? env[text]! : text;
  }
  return { values, faults };
}

function unknownSetting(key: string): string {
  return `${key} is not a setting of a tenant. It can have the variables of docs/configuration.md that are about one bot, and account.`;
}

/** Two bots with one token would both answer. */
function withoutTwins(list: Map<string, TenantEntry>): Map<string, TenantEntry> {
  const owners = new Map<string, string>();
  for (const [name, entry] of list) {
    if (entry.kind !== 'bot') continue;
    const owner = owners.get(entry.config.slack.botToken);
    owners.set(entry.config.slack.botToken, owner ?? name);
    if (owner !== undefined)
      list.set(name, faulty(`SLACK_BOT_TOKEN is that of ${owner}, too. Make an app of its own for each tenant.`));
  }
  return list;
}

/**
 * Bots with the same key have the same account, also where each describes it by itself. They share it: two budgets would not know
 * of each other's requests. What they say differently of it, one of them says wrongly, and nobody can tell which.
 */
function withSharedAccounts(list: Map<string, TenantEntry>): TenantList {
  const bots = [...list].filter((one): one is [string, BotEntry] => one[1].kind === 'bot');
  const faults: string[] = [];
  for (const users of Map.groupBy(bots, ([, { config }]) => config.quizApi.apiKey).values()) {
    const [[first, { config }], ...others] = users as [[string, BotEntry], ...[string, BotEntry][]];
    if (others.length === 0) continue;
    for (const [name, other] of others) {
      const theirs = aboutAccount(other.config);
      const different = Object.entries(aboutAccount(config)).flatMap(([variable, value]) =>
        isDeepStrictEqual(value, theirs[variable]) ? [] : [variable],
      );
      if (different.length > 0)
        faults.push(
          `${first} and ${name} have the same quiz account by their QUIZ_API_KEY, and differ in ${different.join(', ')}. Describe the account once, under “accounts”, and name it in both.`,
        );
    }
    const account = users.find(([, entry]) => entry.account !== undefined)?.[1].account ?? `${first}+others`;
    for (const [name, entry] of users) list.set(name, { ...entry, account });
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return list;
}

function aboutAccount({ quizApi, webhook }: Config): Readonly<Record<string, unknown>> {
  return {
    QUIZ_API_URL: new URL(quizApi.baseUrl).href.replace(/\/$/, ''),
    QUIZ_TIME_ZONE: quizApi.timeZone,
    WEBHOOK_SECRET: webhook.secrets,
    WEBHOOK_SCHEME: webhook.schemes,
    WEBHOOK_ALLOW_UNSIGNED: webhook.allowsUnsigned,
    WEBHOOK_SIGNATURE_HEADER: webhook.signatureHeader,
    WEBHOOK_TIMESTAMP_HEADER: webhook.timestampHeader,
  };
}

const firstLineOf = (text: string): string => text.split('\n', 1)[0]!.replace(/:$/, '.');

/** The text of the file. @throws {ConfigError} where it can't be read */
export function readTenantsFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new ConfigError([
      `TENANTS_FILE names ${path}, which can’t be read (${code}). Correct the path, or create the file.`,
    ]);
  }
}
