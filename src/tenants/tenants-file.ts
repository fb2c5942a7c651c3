import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { faultOfGroups } from '../configuration/faults.ts';
import { botVariables } from '../configuration/variables.ts';
import { faultsOfLimits } from '../governance/rights/limits.ts';

/** A tenant of the file: one app in one workspace, with one quiz account. */
export type TenantEntry =
  | {
      kind: 'bot';
      config: Config;
      /** The account that it shares with other tenants; undefined: one of its own. */
      account: string | undefined;
    }
  /** One sentence each. */
  | { kind: 'faulty'; faults: readonly string[] }
  /** It runs no more. Its data is kept, or erased after a while. */
  | { kind: 'removed'; fate: 'keep' | 'erase' };

/** The tenants of the file, by name. */
export type TenantList = ReadonlyMap<string, TenantEntry>;

/** Slack’s and the service’s addresses end with it, folders and keys of the store have it in their names. */
const tenantName = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const nameRule = 'must have at most 40 lower-case letters, digits, hyphens and underscores, such as acme-training';

const setting = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))]);
const settings = z.record(z.string(), setting.nullable());
const fileShape = z.strictObject({
  accounts: z.record(z.string(), settings).default({}),
  tenants: z.record(z.string(), settings),
});
type Settings = z.output<typeof settings>;

/** What an account is, rather than the bot that uses it. */
const isOfAccount = (name: string): boolean => /^(?:QUIZ_API_URL|QUIZ_API_KEY|QUIZ_TIME_ZONE|WEBHOOK_)/i.test(name);

/** Up to version 1.7. */
const isForGroups = (name: string): boolean => /^(?:QUIZ_)?GROUPS$/i.test(name);

/**
 * Reads a file of tenants. A tenant that is described wrongly is `faulty`, and the others are as they say.
 *
 * @param env the environment: what the process's bots share, and secrets that tenants name
 * @throws {ConfigError} where the file as a whole can't be read
 */
export function readTenants(text: string, env: Readonly<Record<string, string>>): TenantList {
  const { accounts, tenants } = parseFile(text);
  const named = Object.entries(tenants).map(([name, given]) => [name, readTenant(name, given, accounts, env)] as const);
  return withoutTwins(new Map(named));
}

/**
 * Reads what a tenant is called and which parts of its bot are turned on, as variables. Its secrets need not exist yet: each is
 * “set”.
 *
 * @throws {ConfigError} where the file can't be read, or has no such tenant
 */
export function settingsOfTenant(text: string, name: string): Record<string, string> {
  const running = Object.entries(parseFile(text).tenants).filter(([, one]) => !('removed' in one));
  const [, given] = running.find(([other]) => other === name) ?? [];
  if (given === undefined)
    throw new ConfigError([
      `TENANTS_FILE has no tenant ${name}. It has: ${running.map(([other]) => other).join(', ') || 'none'}.`,
    ]);
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const [, variable = key, isSecret] = /^([A-Z_]+?)(_FILE|_ENV)?$/.exec(key.toUpperCase()) ?? [];
      return [variable, isSecret === undefined ? String(value ?? '') : 'set'];
    }),
  );
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
  given: Settings,
  accounts: Readonly<Record<string, Settings>>,
  env: Readonly<Record<string, string>>,
): TenantEntry {
  if (!tenantName.test(name)) return faulty(`The name ${name} ${nameRule}.`);
  const { account, removed, ...own } = given;
  if (removed !== undefined) {
    if (removed === 'keep' || removed === 'erase') return { kind: 'removed', fate: removed };
    return faulty('removed must be keep, which keeps its data, or erase, which erases its data after 30 days.');
  }
  const shared = account === undefined ? {} : accounts[String(account)];
  if (shared === undefined) return faulty(`account names ${String(account)}, which “accounts” doesn’t have.`);
  const twice = Object.keys(own).filter((key) => account !== undefined && isOfAccount(key));
  const misplaced = Object.keys(shared).filter((key) => !isOfAccount(key) && !isForGroups(key));
  const { values, faults } = variablesFrom({ ...shared, ...own }, env);
  const all = [
    ...twice.map((key) => `${key} is that of the account ${String(account)}. Remove it here.`),
    ...misplaced.map((key) => `${key} is not about an account. Give it to each tenant of ${String(account)}.`),
    ...(account !== undefined && !tenantName.test(String(account)) ? [`account: the name ${nameRule}.`] : []),
    ...faults,
  ];
  if (all.length > 0) return faulty(...all);
  try {
    const config = readConfig({ ...env, ...values, TENANTS_FILE: undefined }, name);
    const limits = faultsOfLimits(config.rights);
    if (limits.length > 0) return faulty(...limits);
    return {
      kind: 'bot',
      config: inOwnFolder(config, name),
      account: account === undefined ? undefined : String(account),
    };
  } catch (error) {
    if (error instanceof ConfigError) return faulty(...error.faults);
    throw error;
  }
}

const faulty = (...faults: readonly string[]): TenantEntry => ({ kind: 'faulty', faults });

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
  return `${key} is not a setting of a tenant. It can have the variables of docs/configuration.md that are about one bot, and account or removed.`;
}

/** Two bots with one token would both answer, and two accounts with one key would not know of each other’s requests. */
function withoutTwins(list: Map<string, TenantEntry>): TenantList {
  const owners = new Map<string, string>();
  for (const [name, entry] of list) {
    if (entry.kind !== 'bot') continue;
    const { slack, quizApi } = entry.config;
    const claims = [
      [`token ${slack.botToken}`, name, 'SLACK_BOT_TOKEN is that of', 'Make an app of its own for each tenant.'],
      [
        `key ${quizApi.baseUrl} ${quizApi.apiKey}`,
        entry.account === undefined ? name : `account ${entry.account}`,
        'QUIZ_API_KEY is that of',
        'Describe the account once, under “accounts”, and name it in each tenant that uses it.',
      ],
    ] as const;
    const taken = claims.find(([claim, owner]) => (owners.get(claim) ?? owner) !== owner);
    if (taken) list.set(name, faulty(`${taken[2]} ${owners.get(taken[0])!}, too. ${taken[3]}`));
    else for (const [claim, owner] of claims) owners.set(claim, owner);
  }
  return list;
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
