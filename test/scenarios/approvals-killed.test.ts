import { expect, onTestFinished, test } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { runBot } from '../support/bot-process.ts';
import { decisionOn } from '../support/decision-on.ts';
import { startHoldingProxy, type HoldPoint } from '../support/proxy.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, uma } = people;
const [botToken, signingSecret, apiKey] = ['xoxb-killed', 'signing-killed', 'key-killed'];

function isUpdateForRequester(request: string): boolean {
  return request.includes('/chat.update') && /your.{1,3}request/.test(request);
}

/** The requests that the test kills the bot at: to the quiz service or to Slack, before or after the target answers. */
const killPoints: [string, 'service' | 'slack', (request: string) => boolean, HoldPoint][] = [
  [
    'before the reviewer’s rights are read, with the decision stored',
    'service',
    (request) => request.startsWith('GET /api/v1/users/'),
    'before',
  ],
  ['before the service suspends the user', 'service', (request) => request.includes('suspended=true'), 'before'],
  ['after the service has suspended the user', 'service', (request) => request.includes('suspended=true'), 'after'],
  ['before the message of the request is updated', 'slack', (request) => request.includes('/chat.update'), 'before'],
  ['after the message of the request is updated', 'slack', (request) => request.includes('/chat.update'), 'after'],
  ['before the requester’s message is updated', 'slack', isUpdateForRequester, 'before'],
  ['after the requester’s message is updated', 'slack', isUpdateForRequester, 'after'],
  ['before the requester is notified', 'slack', (request) => request.includes('approval_news'), 'before'],
  ['after the requester is notified', 'slack', (request) => request.includes('approval_news'), 'after'],
];

/** A workspace and a quiz service, each behind a proxy that can hold requests, and the environment of a bot between them. */
async function setUp() {
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, signingSecret });
  onTestFinished(() => workspace.close());
  const quizService = await startQuizService({ dataDir: ':memory:', apiKey });
  onTestFinished(() => quizService.close());
  const proxies = {
    service: await startHoldingProxy(quizService.url),
    slack: await startHoldingProxy(new URL(workspace.apiUrl).origin),
  };
  onTestFinished(() => Object.values(proxies).forEach(({ close }) => close()));
  const env = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: `${proxies.slack.url}/api/`,
    QUIZ_API_URL: proxies.service.url,
    QUIZ_API_KEY: apiKey,
    APPROVALS_CHANNEL: leadsChannelId,
    LOG_LEVEL: 'debug',
    DATA_DIR: temporaryDirectory(),
  };
  return { workspace, quizService, proxies, env };
}

test.each(killPoints)(
  'a bot killed %s finishes after its restart: one change, one message, one notification',
  { timeout: 60_000 },
  async (_, target, matches, point) => {
    const { workspace, quizService, proxies, env } = await setUp();
    const first = runBot(env);
    workspace.setBot(`${await first.up}/slack/events`);
    const { ask, review, messageWith, directMessageWith } = approvalActions({ workspace });
    const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await directMessageWith(uma.id, 'Approval requested');
    const view = await review(ada.id, request);

    const held = proxies[target].hold(matches, point);
    const interrupted = workspace
      .as(ada.id)
      .submit(view, decisionOn(view))
      .catch(() => {});
    await held;
    first.kill('SIGKILL');
    await first.exit;
    await interrupted;

    const second = runBot(env);
    workspace.setBot(`${await second.up}/slack/events`);
    expect(await messageWith(request, 'approved this request')).not.toContain('"button"');
    await directMessageWith(uma.id, 'approved your request');
    await expect.poll(() => second.output().stdout).toContain('request announced');
    second.kill('SIGTERM');
    await second.exit;
    expect(second.output().stdout).not.toContain('"level":"error"');

    expect(quizService.database.get("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'")).toMatchObject(
      { suspended: 1 },
    );
    expect(proxies.service.passed.filter((line) => line.includes('suspended=true'))).toHaveLength(1);
    expect(workspace.messages(leadsChannelId)).toHaveLength(1);
    const [main, ...replies] = workspace.directMessages(uma.id);
    expect(replies.map(({ threadTs }) => threadTs)).toEqual([main?.ts]);
  },
);

/** The requests at which the bot is killed after the approval and before the quiz is deleted. */
const beforeDeletion: [string, (request: string) => boolean, HoldPoint][] = [
  ['before anything is read', (request) => request.startsWith('GET /api/v1/users/'), 'before'],
  [
    'after the responses are counted',
    (request) => request.startsWith('GET') && request.includes('/responses'),
    'after',
  ],
  ['before the service deletes it', (request) => request.startsWith('DELETE') || request.includes('/delete'), 'before'],
];

test.each(beforeDeletion)(
  'a quiz approved for deletion as “It has no responses”, with the bot killed %s, is not deleted when five have come in and it has a new name',
  { timeout: 60_000 },
  async (_, matches, point) => {
    const { workspace, quizService, proxies, env } = await setUp();
    const { database } = quizService;
    const idOf = (name: string) =>
      database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name])!.quiz_id;
    const quizId = idOf('Forklift theory test');
    database.run('DELETE FROM responses WHERE quiz_id = ?', [quizId]);

    const first = runBot(env);
    workspace.setBot(`${await first.up}/slack/events`);
    const { ask, review, messageWith, directMessageWith } = approvalActions({ workspace });
    const request = await ask(tom.id, '/quiz delete forklift --reason Old');
    const view = await review(ada.id, request);
    expect(textOf(view)).toContain('It has no responses.');
    const held = proxies.service.hold(matches, point);
    const interrupted = workspace
      .as(ada.id)
      .submit(view, decisionOn(view))
      .catch(() => {});
    await held;
    first.kill('SIGKILL');
    await first.exit;
    await interrupted;

    const columns =
      'user_id, first_name, last_name, email_address, status, started_ms, date_submitted, attempt, ip_address, publish_type';
    database.run(
      `INSERT INTO responses (response_id, quiz_id, ${columns}) SELECT 'new-' || response_id, ?, ${columns} FROM responses WHERE quiz_id = ? AND status = 'submitted' LIMIT 5`,
      [quizId, idOf('Workplace safety basics')],
    );
    database.run("UPDATE quizzes SET name = 'Forklift 2027' WHERE quiz_id = ?", [quizId]);

    const second = runBot(env);
    workspace.setBot(`${await second.up}/slack/events`);
    expect(await messageWith(request, 'changed after it was approved')).toContain('"button"');
    await directMessageWith(tom.id, 'changed after it was approved');
    const again = textOf(await review(ada.id, request));
    expect(again).toContain('*Forklift 2027* would be deleted for good, with its 5 responses.');
    expect(again).toContain('name was “Forklift theory test”, is now “Forklift 2027”');
    second.kill('SIGTERM');
    await second.exit;
    expect(database.get('SELECT name FROM quizzes WHERE quiz_id = ?', [quizId])).toEqual({ name: 'Forklift 2027' });
  },
);

test.each([
  ['before', 'a request arrives in its channel', 'approval_request'],
  ['after', 'a request arrives in its channel', 'approval_request'],
  ['before', 'its requester’s message arrives', 'approval_status'],
  ['after', 'its requester’s message arrives', 'approval_status'],
] as const)(
  'a bot killed %s %s posts the request once after its restart',
  { timeout: 60_000 },
  async (point, _, event) => {
    const { workspace, proxies, env } = await setUp();
    const first = runBot(env);
    workspace.setBot(`${await first.up}/slack/events`);
    const held = proxies.slack.hold((request) => request.includes(event), point);
    await workspace.as(uma.id).command('/quiz-user suspend rosa almeida --reason Left');
    await held;
    first.kill('SIGKILL');
    await first.exit;

    const second = runBot(env);
    workspace.setBot(`${await second.up}/slack/events`);
    const { approve, messageWith, directMessageWith } = approvalActions({ workspace });
    const request = await workspace.until(() => workspace.messages(leadsChannelId)[0]);
    await directMessageWith(uma.id, 'Approval requested');
    await approve(ada.id, request);
    await messageWith(request, 'approved this request');
    await directMessageWith(uma.id, 'approved your request');
    expect(workspace.messages(leadsChannelId)).toHaveLength(1);
    expect(workspace.directMessages(uma.id).filter(({ threadTs }) => threadTs === undefined)).toHaveLength(1);
    second.kill('SIGTERM');
    await second.exit;
  },
);
