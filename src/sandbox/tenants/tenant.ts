import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { SandboxClock } from '../clock/sandbox-clock.ts';
import type { SandboxConfig } from '../config.ts';
import { type QuizService, startQuizService } from '../quiz-service/service.ts';
import { startWorkspace, type Workspace } from '../workspace/workspace.ts';
import type { TenantSample } from './blue-harbor.ts';

const usualPort = 8080;

/** A workspace and a quiz account, and the variables by which a bot knows them. */
export interface SandboxTenant {
  /** As in the file of tenants. Undefined for the only one, which needs no file. */
  name: string | undefined;
  workspace: Workspace;
  quizService: QuizService;
  settings: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
  /** Connects workspace and account to the bot, which is up. */
  connect(botUrl: string): void;
  /** Resolves when the bot takes commands. It answers before its store is open, and refuses them until then. */
  untilReady(botUrl: string): Promise<void>;
}

/**
 * Starts the workspace and the quiz service of a tenant.
 *
 * @param options.index counts the tenants from 0: each has a port of its own
 * @param options.onClose registers a cleanup step; the caller runs the steps in reverse order
 */
export async function openTenant(
  { name, names, ...sample }: TenantSample,
  {
    config,
    index,
    clock,
    onClose,
  }: {
    config: SandboxConfig;
    index: number;
    clock: SandboxClock;
    onClose: (close: () => Promise<void>) => void;
  },
): Promise<SandboxTenant> {
  const dataDir = name === undefined ? config.dataDir : join(config.dataDir, name);
  mkdirSync(dataDir, { recursive: true });
  const secret = (prefix: string) => `${prefix}-${randomBytes(16).toString('hex')}`;
  const secrets = {
    SLACK_BOT_TOKEN: secret('xoxb'),
    SLACK_SIGNING_SECRET: secret('sign'),
    WEBHOOK_SECRET: secret('hook'),
    QUIZ_API_KEY: secret('key'),
  };

  const features = { ...names, MCP_ENABLED: 'true', WORKFLOW_STEPS_ENABLED: 'true' };
  const manifestPath = await writeManifest({ tenant: name, settings: features, folder: dataDir });
  const openWorkspace = (port: number) =>
    startWorkspace({
      ...sample.workspace,
      host: config.host,
      port,
      manifestPath,
      botToken: secrets.SLACK_BOT_TOKEN,
      signingSecret: secrets.SLACK_SIGNING_SECRET,
      clock,
      conversationsFile: join(dataDir, 'workspace.bin'),
    });
  const workspace =
    config.port === undefined
      ? await openWorkspace(usualPort + index).catch(() => openWorkspace(0))
      : await openWorkspace(config.port && config.port + index);
  onClose(() => workspace.close());
  const quizService = await startQuizService({
    ...sample.quizService,
    host: config.host,
    dataDir,
    apiKey: secrets.QUIZ_API_KEY,
    rough: config.rough || undefined,
    returnUrl: workspace.url,
    now: clock.now,
    startTimer: (wake, delayMs) => clock.after(delayMs, wake),
  });
  onClose(() => quizService.close());

  const ending = name === undefined ? '' : `/${name}`;
  return {
    name,
    workspace,
    quizService,
    secrets,
    settings: {
      SLACK_API_URL: workspace.apiUrl,
      QUIZ_API_URL: quizService.url,
      QUIZ_TIME_ZONE: quizService.timeZone,
      WEBHOOK_SCHEME: quizService.webhookScheme,
      ALERTS_CHANNEL: workspace.channels.results.id,
      APPROVALS_CHANNEL: workspace.channels.leads.id,
      AUDIT_CHANNEL: workspace.channels.leads.id,
      QUIZ_TAKE_URL: `${quizService.url}/take/{quiz_id}`,
      ...features,
      TIME_ZONE: config.timeZone,
    },
    connect(botUrl) {
      workspace.setBot(`${botUrl}/slack/events${ending}`);
      quizService.setWebhook({ url: `${botUrl}/webhooks/quiz${ending}`, secret: secrets.WEBHOOK_SECRET });
    },
    async untilReady(botUrl) {
      while (!(await fetch(`${botUrl}/readyz${ending}`)).ok) await pause(20);
    },
  };
}

/** Links each page to the quiz accounts, its own first, and to the pages of the other workspaces. */
export function linkPages(tenants: readonly SandboxTenant[]): void {
  const workspaces = tenants.map(({ workspace }) => ({ label: workspace.teamName, url: workspace.url }));
  for (const { workspace, quizService } of tenants) {
    const others = tenants.filter((other) => other.workspace !== workspace);
    workspace.setLinks([
      { label: 'Take a quiz', url: quizService.url },
      ...others.map((other) => ({ label: `Take a quiz at ${other.workspace.teamName}`, url: other.quizService.url })),
    ]);
    if (others.length > 0) workspace.setWorkspaces(workspaces);
  }
}

const root = new URL('../../../', import.meta.url);

/**
 * Writes the manifest of an app, as `npm run manifest` prints it for the only bot or for a tenant.
 *
 * @param options.settings the names and features of the bot: the manifest has nothing else of it
 * @returns the path of the manifest
 */
async function writeManifest({
  tenant,
  settings,
  folder,
}: {
  tenant: string | undefined;
  settings: Readonly<Record<string, string>>;
  folder: string;
}): Promise<string> {
  const tenants = join(folder, 'names.yml');
  if (tenant !== undefined) writeFileSync(tenants, stringify({ tenants: { [tenant]: settings } }));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['src/manifest.ts', ...(tenant === undefined ? [] : [tenant]), '--url', 'https://bot.example'],
    {
      cwd: root,
      env: {
        ...(tenant === undefined ? settings : { TENANTS_FILE: tenants }),
        NODE_COMPILE_CACHE: 'node_modules/.cache/invigilator',
      },
    },
  );
  const path = join(folder, 'manifest.yml');
  writeFileSync(path, stdout);
  return path;
}
