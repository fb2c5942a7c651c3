import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { runBot } from '../support/bot-process.ts';
import { textOf } from '../support/test-bed.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';

const { ada, uma } = people;
const [botToken, signingSecret, apiKey] = ['xoxb-of-two', 'signing-of-two', 'key-of-two'];

/** Two instances between a workspace and a quiz service. */
async function startTwo() {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, signingSecret });
  onTestFinished(() => workspace.close());
  const quizService = await startQuizService({ quizzes: accountQuizzes, dataDir: ':memory:', apiKey });
  onTestFinished(() => quizService.close());
  const env = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: workspace.apiUrl,
    QUIZ_API_URL: quizService.url,
    QUIZ_API_KEY: apiKey,
    APPROVALS_CHANNEL: leadsChannelId,
    REDIS_URL: redis.url,
    DATA_DIR: temporaryDirectory(),
  };
  const bots = [runBot(env), runBot(env)];
  const [one, two] = await Promise.all(bots.map(({ up }) => up));
  const sendEventsTo = (bot: string | undefined) => workspace.setBot(`${bot}/slack/events`);
  return { workspace, quizService, bots, one, two, sendEventsTo, ...approvalActions({ workspace }) };
}

describe.skipIf(redisMissing !== null)(`two instances over Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  test('share requests, decisions and the audit trail', async () => {
    const { workspace, quizService, bots, one, two, sendEventsTo, ...actions } = await startTwo();
    const { ask, review, decide, messageWith, directMessageWith } = actions;
    sendEventsTo(one);
    const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    sendEventsTo(two);
    const view = await review(ada.id, request);
    sendEventsTo(one);
    expect(await decide(ada.id, view)).toContain('Suspended *');
    await messageWith(request, 'approved:');
    await directMessageWith(uma.id, 'approved:');
    sendEventsTo(two);
    expect(textOf(await (await workspace.as(ada.id).command('/quiz-admin audit verify')).reply())).toContain(
      'The audit trail is complete: 3 entries',
    );
    expect(quizService.database.get("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'")).toMatchObject(
      { suspended: 1 },
    );
    for (const bot of bots) bot.kill('SIGTERM');
    expect(await Promise.all(bots.map(({ exit }) => exit))).toEqual([0, 0]);
  });

  test('show both reasons of a request that is made at both within a second', async () => {
    const { workspace, one, two, sendEventsTo, requests, messageWith, directMessageWith } = await startTwo();
    workspace.faults.inject(
      { kind: 'latency', ms: 1_500 },
      { method: 'chat.postMessage', times: 1, when: ({ channel }) => channel === leadsChannelId },
    );
    sendEventsTo(one);
    await (await workspace.as(uma.id).command('/quiz-user suspend rosa almeida --reason Left')).reply();
    sendEventsTo(two);
    const repeated = await workspace.as(uma.id).command('/quiz-user suspend rosa almeida --reason Moved');
    expect(textOf(await repeated.reply())).toContain('Left · Added: Moved');
    const request = await workspace.until(() => requests()[0]);
    await messageWith(request, 'Left · Added: Moved');
    await directMessageWith(uma.id, 'Left · Added: Moved');
    expect(requests()).toHaveLength(1);
  });
});
