import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { runBot } from '../support/bot-process.ts';
import { textOf } from '../support/test-bed.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { ada, uma } = people;
const [botToken, signingSecret, apiKey] = ['xoxb-of-two', 'signing-of-two', 'key-of-two'];

describe.skipIf(redisMissing !== null)(`two instances over Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  test('share requests, decisions and the audit trail', { timeout: 30_000 }, async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, signingSecret });
    onTestFinished(() => workspace.close());
    const quizService = await startQuizService({ dataDir: ':memory:', apiKey });
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
    const { ask, review, decide, messageWith, directMessageWith } = approvalActions({ workspace });

    sendEventsTo(one);
    const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    sendEventsTo(two);
    const view = await review(ada.id, request);
    sendEventsTo(one);
    expect(await decide(ada.id, view)).toContain('Suspended *');
    await messageWith(request, 'approved this request');
    await directMessageWith(uma.id, 'approved your request');
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
});
