import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SandboxClock } from './clock/sandbox-clock.ts';
import type { SandboxConfig } from './config.ts';
import { startQuizService } from './quiz-service/service.ts';
import { startWorkspace } from './workspace/workspace.ts';

const usualPort = 8080;
const features = { MCP_ENABLED: 'true', WORKFLOW_STEPS_ENABLED: 'true' };

/**
 * Starts the workspace and the quiz service, and makes the variables by which a bot knows them.
 *
 * @param onClose registers a cleanup step; the caller runs the steps in reverse order
 */
export async function openServices(
  config: SandboxConfig,
  clock: SandboxClock,
  onClose: (close: () => Promise<void>) => void,
) {
  const secret = (prefix: string) => `${prefix}-${randomBytes(16).toString('hex')}`;
  const secrets = {
    SLACK_BOT_TOKEN: secret('xoxb'),
    SLACK_SIGNING_SECRET: secret('sign'),
    WEBHOOK_SECRET: secret('hook'),
    QUIZ_API_KEY: secret('key'),
  };
  const manifestPath = await writeManifest(config.dataDir);
  const openWorkspace = (port: number) =>
    startWorkspace({
      host: config.host,
      port,
      manifestPath,
      botToken: secrets.SLACK_BOT_TOKEN,
      signingSecret: secrets.SLACK_SIGNING_SECRET,
      clock,
      conversationsFile: join(config.dataDir, 'workspace.bin'),
    });
  const workspace =
    config.port === undefined
      ? await openWorkspace(usualPort).catch(() => openWorkspace(0))
      : await openWorkspace(config.port);
  onClose(() => workspace.close());
  const quizService = await startQuizService({
    host: config.host,
    dataDir: config.dataDir,
    apiKey: secrets.QUIZ_API_KEY,
    rough: config.rough || undefined,
    returnUrl: workspace.url,
    now: clock.now,
    startTimer: (wake, delayMs) => clock.after(delayMs, wake),
  });
  onClose(() => quizService.close());
  workspace.setLinks([{ label: 'Take a quiz', url: quizService.url }]);

  return {
    workspace,
    quizService,
    botEnvironment: {
      SLACK_API_URL: workspace.apiUrl,
      QUIZ_API_URL: quizService.url,
      QUIZ_TIME_ZONE: quizService.timeZone,
      WEBHOOK_SCHEME: quizService.webhookScheme,
      ALERTS_CHANNEL: workspace.channels.results.id,
      APPROVALS_CHANNEL: workspace.channels.leads.id,
      AUDIT_CHANNEL: workspace.channels.leads.id,
      QUIZ_TAKE_URL: `${quizService.url}/take/{quiz_id}`,
      TIME_ZONE: config.timeZone,
      ...features,
      ...secrets,
    },
    /** Connects workspace and account to the bot, which is up. */
    connect(botUrl: string): void {
      workspace.setBot(`${botUrl}/slack/events`);
      quizService.setWebhook({ url: `${botUrl}/webhooks/quiz`, secret: secrets.WEBHOOK_SECRET });
    },
    /** Resolves when the bot takes commands. It answers before its store is open, and refuses them until then. */
    async untilReady(botUrl: string): Promise<void> {
      while (!(await fetch(`${botUrl}/readyz`)).ok) await pause(20);
    },
  };
}

/** Writes the manifest of the app, as `npm run manifest` prints it. @returns its path */
async function writeManifest(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['src/manifest.ts', '--url', 'https://bot.example'], {
    cwd: new URL('../../', import.meta.url),
    env: { ...features, NODE_COMPILE_CACHE: 'node_modules/.cache/invigilator' },
  });
  const path = join(folder, 'manifest.yml');
  writeFileSync(path, stdout);
  return path;
}
