import { expect, onTestFinished, test } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { runBot } from '../support/killable-bot.ts';
import { eventBody, sendEvent, webhookSecret } from '../support/event.ts';
import { findFreePort } from '../support/loopback.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/open-test-bed.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';
import { limitFor } from '../support/watchdog.ts';

const [botToken, appToken, signingSecret, apiKey] = ['xoxb-socket', 'xapp-socket', 'signing-socket', 'key-socket'];

async function openWorkspace(port: number): Promise<Workspace> {
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, appToken, signingSecret, port });
  onTestFinished(() => workspace.close());
  return workspace;
}

async function environment(slackPort: number): Promise<Record<string, string>> {
  const quizService = await startQuizService({ quizzes: accountQuizzes, dataDir: ':memory:', apiKey });
  onTestFinished(() => quizService.close());
  return {
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_API_URL: `http://127.0.0.1:${slackPort}/api/`,
    QUIZ_API_URL: quizService.url,
    QUIZ_API_KEY: apiKey,
    WEBHOOK_SECRET: webhookSecret,
    ALERTS_CHANNEL: channels.results.id,
    DATA_DIR: temporaryDirectory(),
  };
}

async function readiness(url: string): Promise<unknown> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, ...((await answer.json()) as object) };
}

test('a bot that starts while Slack is away takes webhooks, reports the outage, and works when Slack is back', async () => {
  const port = await findFreePort();
  const bot = runBot(await environment(port));
  const url = await bot.up;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await readiness(url)).toMatchObject({
    status: 503,
    ready: false,
    store: 'ok',
    slack: 'Slack cannot be used (socket_gone)',
  });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^invigilator_slack_socket_connected 0$/m);
  expect(metrics).toMatch(/^invigilator_slack_socket_reconnects_total 0$/m);
  expect((await sendEvent(url)).status).toBe(200);
  expect((await sendEvent(url, eventBody({ event_id: 'e-2' }, { response_id: 'r-2' }))).status).toBe(200);

  const workspace = await openWorkspace(port);
  await workspace.until(() => workspace.sockets === 1);
  const list = await workspace.as(people.ada.id).command('/quiz list');
  await workspace.until(() => list.replies.some((reply) => textOf(reply).includes('Forklift theory test')));
  await expect.poll(() => readiness(url)).toMatchObject({ status: 200, slack: 'ok' });
  await workspace.until(() => workspace.messages(channels.results.id).length > 0);
  bot.kill('SIGTERM');
  expect(await bot.exit).toBe(0);
  expect(bot.output().stdout.match(/the connection to Slack is (?:gone|back)/g)).toEqual([
    'the connection to Slack is gone',
    'the connection to Slack is back',
  ]);
});

test('a bot that is still connecting stops within a few seconds', async () => {
  const begunAt = performance.now();
  const bot = runBot(await environment(await findFreePort()));
  await bot.up;
  const upAt = performance.now();
  bot.kill('SIGTERM');
  expect(await bot.exit).toBe(0);
  expect(performance.now() - upAt).toBeLessThan(limitFor(10_000, upAt - begunAt));
});

test('a bot whose app token Slack refuses ends with one line', async () => {
  const port = await findFreePort();
  const workspace = await openWorkspace(port);
  workspace.faults.inject({ kind: 'api-error', error: 'invalid_auth' }, { method: 'apps.connections.open' });
  const bot = runBot(await environment(port));
  expect(await bot.exit).toBe(1);
  expect(bot.output().stderr).toBe(
    'The bot could not start: Slack refuses SLACK_APP_TOKEN (invalid_auth): create an app-level token with connections:write, and turn Socket Mode on\n',
  );
});

test('HTTP mode has no metrics of Socket Mode, and is ready without a connection', async () => {
  const port = await findFreePort();
  await openWorkspace(port);
  const { SLACK_APP_TOKEN: _, ...env } = await environment(port);
  const bot = runBot({ ...env, SLACK_SIGNING_SECRET: signingSecret });
  const url = await bot.up;
  expect(await readiness(url)).toMatchObject({ status: 200 });
  expect(await (await fetch(`${url}/metrics`)).text()).not.toContain('invigilator_slack_socket');
});
