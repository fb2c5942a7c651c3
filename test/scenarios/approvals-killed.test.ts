import { expect, onTestFinished, test, vi } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { approvalsIn, leads } from '../support/approvals.ts';
import { runBot } from '../support/bot-process.ts';
import { startHoldingProxy, type HoldPoint } from '../support/holding-proxy.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { ada, uma } = people;
const [botToken, signingSecret, apiKey] = ['xoxb-killed', 'signing-killed', 'key-killed'];

/** Where the bot is killed: at a request to the quiz service or to Slack, before it arrives or after it was done. */
const places: [string, 'service' | 'slack', (request: string) => boolean, HoldPoint][] = [
  ['before the reviewer’s rights are read, the decision being stored', 'service', (request) => request.startsWith('GET /api/v1/users/'), 'before'],
  ['before the service hears of the suspension', 'service', (request) => request.includes('suspended=true'), 'before'],
  ['after the service has done it', 'service', (request) => request.includes('suspended=true'), 'after'],
  ['before the request’s message is changed', 'slack', (request) => request.includes('/chat.update'), 'before'],
  ['after the request’s message is changed', 'slack', (request) => request.includes('/chat.update'), 'after'],
  ['before the requester is told', 'slack', (request) => request.includes('approval_news'), 'before'],
  ['after the requester is told', 'slack', (request) => request.includes('approval_news'), 'after'],
];

test.each(places)('killed %s, the bot finishes at its next start: done once, one record, one word', { timeout: 30_000 }, async (_, side, fits, point) => {
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, signingSecret });
  onTestFinished(() => workspace.close());
  const quizService = await startQuizService({ dataDir: ':memory:', apiKey });
  onTestFinished(() => quizService.close());
  const proxies = { service: await startHoldingProxy(quizService.url), slack: await startHoldingProxy(new URL(workspace.apiUrl).origin) };
  const env = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: `${proxies.slack.url}/api/`,
    QUIZ_API_URL: proxies.service.url,
    QUIZ_API_KEY: apiKey,
    APPROVALS_CHANNEL: leads,
    LOG_LEVEL: 'debug',
    DATA_DIR: temporaryDirectory(),
  };
  const first = runBot(env);
  workspace.setBot(`${await first.up}/slack/events`);
  const { ask, review, record, told } = approvalsIn({ workspace });
  const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
  const view = await review(ada.id, request);

  const held = proxies[side].hold(fits, point);
  const cutOff = workspace.as(ada.id).submit(view, { verdict: 'approved' }).catch(() => {});
  await held;
  first.kill('SIGKILL');
  await first.exit;
  await cutOff;

  const second = runBot(env);
  workspace.setBot(`${await second.up}/slack/events`);
  expect(await record(request, 'Approved')).not.toContain('"button"');
  await told(uma.id, 'Approved');
  await vi.waitFor(() => expect(second.output().stdout).toContain('request announced'), 10_000);
  second.kill('SIGTERM');
  await second.exit;
  expect(second.output().stdout).not.toContain('"level":"error"');

  expect(quizService.database.get("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'")).toMatchObject({ suspended: 1 });
  expect(proxies.service.passed.filter((line) => line.includes('suspended=true'))).toHaveLength(1);
  expect(workspace.messages(leads)).toHaveLength(1);
  expect(workspace.directMessages(uma.id)).toHaveLength(1);
});
