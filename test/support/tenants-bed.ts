import { rmSync, globSync, readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessConfig, secretsOf } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { slackSecretPatterns } from '../../src/slack/errors.ts';
import { createTenantsApp } from '../../src/tenants/tenants.ts';
import { systemClock, type Clock } from '../../src/time/clock.ts';
import { type QuizService, startQuizService, type QuizServiceOptions } from '../../src/sandbox/quiz-service/service.ts';
import { stringify } from 'yaml';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../src/sandbox/workspace/workspace.ts';
import { temporaryDirectory } from './temporary.ts';

/** A tenant with a sandbox workspace, and what the file says of it. */
export interface BedTenant {
  name: string;
  workspace: Workspace;
  quizService: QuizService;
  settings: Record<string, unknown>;
}

/** What is around a process with the bots of several tenants: their workspaces and accounts, and the file that lists them. */
export interface TenantWorld {
  /** The file of the tenants. */
  path: string;
  dataDir: string;
  tenants: Map<string, BedTenant>;
  /** What the file takes from the environment. */
  secrets: Record<string, string>;
  /** Starts a workspace, and a quiz service unless it shares one. The file does not have it yet. */
  open(name: string, options?: TenantOptions): Promise<BedTenant>;
  /** Has the workspaces and accounts send to the process. */
  connect(url: string): void;
  /** Writes the file of the tenants. */
  write(): void;
  writeText(text: string): void;
}

interface TenantOptions {
  workspace?: Partial<WorkspaceOptions>;
  quizService?: Partial<QuizServiceOptions>;
  /** The account that it shares. */
  account?: string;
  mode?: 'http' | 'socket';
  settings?: Record<string, unknown>;
}

export interface WorldOptions {
  names: readonly string[];
  optionsOf?: (name: string) => TenantOptions;
  /** Called with each tenant before its bot reads anything. */
  onOpened?: (tenant: BedTenant) => void;
  /** Names of accounts that tenants share. */
  accounts?: readonly string[];
  /** Where everything is, which whoever gives it deletes. Default: a folder of its own. */
  folder?: string;
}

/** @param onClose registers a cleanup step; the caller runs the steps in reverse order */
export async function openTenantWorld(
  { names, optionsOf = () => ({}), onOpened = () => {}, accounts: shared = [], folder: given }: WorldOptions,
  onClose: (cleanUp: () => void | Promise<void>) => void,
): Promise<TenantWorld> {
  const folder = given ?? temporaryDirectory(onClose);
  const path = join(folder, 'tenants.yml');
  const secrets: Record<string, string> = {};
  const tenants = new Map<string, BedTenant>();

  const secretsFor = (name: string) => {
    const upper = name.toUpperCase().replaceAll('-', '_');
    const of = (what: string, value: string) => {
      secrets[`${upper}_${what}`] = value;
      return `${upper}_${what}`;
    };
    return {
      token: of('TOKEN', `xoxb-token-of-${name}`),
      signing: of('SIGNING', `signing-secret-of-${name}`),
      app: of('APP', `xapp-token-of-${name}`),
      key: of('KEY', `api-key-of-${name}`),
      hook: of('HOOK', `webhook-secret-of-${name}`),
    };
  };

  const accountSettings = (quizService: QuizService, { key, hook }: Record<'key' | 'hook', string>) => ({
    QUIZ_API_URL: quizService.url,
    QUIZ_API_KEY_ENV: key,
    QUIZ_TIME_ZONE: quizService.timeZone,
    WEBHOOK_SECRET_ENV: hook,
    // Tests sign events of their own with the first scheme.
    WEBHOOK_SCHEME: [...new Set(['body', quizService.webhookScheme])],
  });
  const accounts = new Map<string, { quizService: QuizService; settings: Record<string, unknown> }>();
  for (const name of shared) {
    const named = secretsFor(name);
    const quizService = await startQuizService({ dataDir: ':memory:', apiKey: secrets[named.key]! });
    onClose(() => quizService.close());
    accounts.set(name, { quizService, settings: accountSettings(quizService, named) });
  }

  async function open(name: string, options: TenantOptions = {}): Promise<BedTenant> {
    const named = secretsFor(name);
    const isSocket = options.mode === 'socket';
    const workspace = await startWorkspace({
      manifestPath: 'manifest.yml',
      botToken: secrets[named.token]!,
      signingSecret: secrets[named.signing]!,
      ...(isSocket && { appToken: secrets[named.app]! }),
      ...options.workspace,
    });
    onClose(() => workspace.close());
    const ofAccount = options.account === undefined ? undefined : accounts.get(options.account)?.quizService;
    const quizService =
      ofAccount ??
      (await startQuizService({ dataDir: ':memory:', apiKey: secrets[named.key]!, ...options.quizService }));
    if (ofAccount === undefined) onClose(() => quizService.close());
    const settings = {
      SLACK_BOT_TOKEN_ENV: named.token,
      SLACK_API_URL: workspace.apiUrl,
      ...(isSocket ? { SLACK_APP_TOKEN_ENV: named.app } : { SLACK_SIGNING_SECRET_ENV: named.signing }),
      ...(options.account === undefined ? accountSettings(quizService, named) : { account: options.account }),
      ALERTS_CHANNEL: workspace.channels.results.id,
      ...options.settings,
    };
    const tenant = { name, workspace, quizService, settings };
    tenants.set(name, tenant);
    onOpened(tenant);
    return tenant;
  }

  const writeText = (text: string) => writeFileSync(path, text);
  const write = () =>
    writeText(
      stringify({
        accounts: Object.fromEntries([...accounts].map(([name, { settings }]) => [name, settings])),
        tenants: Object.fromEntries([...tenants].map(([name, { settings }]) => [name, settings] as const)),
      }),
    );

  for (const name of names) await open(name, optionsOf(name));
  write();
  const dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'tenants'), { recursive: true });

  return {
    path,
    dataDir,
    tenants,
    secrets,
    open,
    write,
    writeText,
    connect(url) {
      for (const { name, workspace, quizService, settings } of tenants.values()) {
        workspace.setBot(`${url}/slack/events/${name}`);
        const account = settings['account'] as string | undefined;
        const hook = secrets[`${(account ?? name).toUpperCase().replaceAll('-', '_')}_HOOK`]!;
        // Of tenants that share an account, each takes what comes to the address of one.
        quizService.setWebhook({ url: `${url}/webhooks/quiz/${name}`, secret: hook });
      }
    },
  };
}

/** The bots of several tenants in this process. */
export interface TenantsBed extends TenantWorld {
  url: string;
  lines: string[];
  /** Removes a file that stands where the folder of a tenant should be. */
  unblock(name: string): void;
  /** Writes the file of the tenants, and starts the process anew. */
  restart(): Promise<void>;
}

export interface BedOptions extends WorldOptions {
  env?: Record<string, string>;
  clock?: Partial<Clock>;
  /** Called before the process starts. */
  prepare?: (dataDir: string) => void;
}

/** @param onClose registers a cleanup step; the caller runs the steps in reverse order */
export async function openTenantsBed(
  { env = {}, clock = {}, prepare = () => {}, ...options }: BedOptions,
  onClose: (cleanUp: () => void | Promise<void>) => void,
): Promise<TenantsBed> {
  const world = await openTenantWorld(options, onClose);
  const { path, dataDir, secrets } = world;
  const lines: string[] = [];
  prepare(dataDir);
  const config = readProcessConfig({ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', ...env });
  const logFor = (of: Parameters<typeof secretsOf>[0]) =>
    createLog({
      level: 'trace',
      secrets: secretsOf(of),
      secretPatterns: slackSecretPatterns,
      write: (line) => lines.push(line),
    });
  const openApp = () =>
    createTenantsApp({
      config,
      clock: { ...systemClock, ...clock },
      timeouts: { leave: 0 },
      log: logFor(config),
      logFor: (of, fields) => logFor(of).child(fields),
      steadyFor: () => undefined,
      path,
      variables: { DATA_DIR: dataDir, ...env, ...secrets },
    });
  let app = await openApp();
  const start = async () => {
    const url = `http://127.0.0.1:${await app.start()}`;
    world.connect(url);
    return url;
  };
  let url = await start();
  onClose(() => app.stop());

  return {
    ...world,
    get url() {
      return url;
    },
    lines,
    unblock: (name) => rmSync(join(dataDir, 'tenants', name)),
    async open(name, of) {
      const tenant = await world.open(name, of);
      world.connect(url);
      return tenant;
    },
    async restart() {
      world.write();
      await app.stop();
      app = await openApp();
      url = await start();
    },
  };
}

/** What stands in everything of an account, so that a byte of it elsewhere is noticed. */
export const markOf = (name: string): string => `Zq${name.replaceAll('-', '')}qZ`;
const marks = /Zq([a-z0-9]+)qZ|(?:token|secret|key)-of-([a-z0-9]+)/g;

/** Puts the mark into the names of the account’s quizzes, groups and people, before the bot reads them. */
export function plantMarks({ database }: QuizService, name: string): void {
  const mark = markOf(name);
  database.run(`UPDATE quizzes SET name = name || ' ${mark}'`);
  database.run(`UPDATE groups SET group_name = group_name || ' ${mark}'`);
  database.run(`UPDATE users SET last_name = last_name || ' ${mark}', organization = organization || ' ${mark}'`);
  database.run(`UPDATE responses SET last_name = last_name || ' ${mark}'`);
}

/** The names of tenants whose marks, or secrets, stand in a text. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(marks)].map(([, marked, ofSecret]) => marked ?? ofSecret!));
}

/** Lines of the log by each tenant that they are about. */
export function linesByTenant(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines)
    for (const name of new Set([...line.matchAll(/"tenant":"([^"]*)"/g)].map(([, of]) => of!))) {
      const about = found.get(name);
      if (about === undefined) found.set(name, [line]);
      else about.push(line);
    }
  return found;
}

/**
 * Everything that a tenant’s workspace and account got from the bot, and what the bot keeps of it, by where it stands.
 *
 * @param log lines about the tenant
 */
export function placesOf(
  { dataDir }: Pick<TenantsBed, 'dataDir'>,
  { name, workspace, quizService }: BedTenant,
  log: readonly string[],
): ReadonlyMap<string, string> {
  const tables = quizService.database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const account = tables.map((table) => JSON.stringify(quizService.database.all(`SELECT * FROM "${table.name}"`)));
  const files = globSync(`${join(dataDir, 'tenants', name)}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  return new Map([
    ['calls', JSON.stringify(workspace.calls.map(({ method, args }) => [method, args]))],
    [
      'messages',
      JSON.stringify([
        Object.values(workspace.channels).map(({ id }) => workspace.messages(id)),
        Object.values(workspace.people).map(({ id }) => [
          workspace.ephemerals(id),
          workspace.directMessages(id),
          workspace.home(id),
          workspace.views(id),
        ]),
      ]),
    ],
    ['answers', JSON.stringify(workspace.deliveries.map(({ answer }) => answer))],
    ['account', account.join('\n')],
    ['files', files.join('\n')],
    ['log', log.join('\n')],
  ]);
}
