import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startQuizService, type QuizService, type QuizServiceOptions } from '../../src/sandbox/quiz-service/service.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../src/sandbox/workspace/workspace.ts';

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
  /** Asked at the end. Default: it goes. */
  keepsFolder?: () => boolean;
}

/** @param onClose registers a cleanup step; the caller runs the steps in reverse order */
export async function openTenantWorld(
  {
    names,
    optionsOf = () => ({}),
    onOpened = () => {},
    accounts: shared = [],
    keepsFolder = () => false,
  }: WorldOptions,
  onClose: (cleanUp: () => void | Promise<void>) => void,
): Promise<TenantWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-tenants-'));
  onClose(() => {
    if (!keepsFolder()) rmSync(folder, { recursive: true, force: true });
  });
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
