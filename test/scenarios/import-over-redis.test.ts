import { textOfSent } from '../support/csv-of.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { runBot } from '../support/bot-process.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';

const { ada, zoe } = people;
const [botToken, signingSecret, apiKey] = ['xoxb-of-imports', 'signing-of-imports', 'key-of-imports'];
const content = 'E-mail,Name\nzoe@quiz.example,Zoe Park\nines@quiz.example,Ines Marques\nnot an address,Ann Bo\n';

describe.skipIf(redisMissing !== null)(`an import over Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  test('is previewed by an instance, started and carried out by any, and gives back its file', async () => {
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
      REDIS_URL: redis.url,
      DATA_DIR: temporaryDirectory(),
    };
    const bots = [runBot(env), runBot(env)];
    onTestFinished(() => bots.forEach((bot) => bot.kill('SIGKILL')));
    const [one, two] = await Promise.all(bots.map(({ up }) => up));
    const sendEventsTo = (bot: string | undefined) => workspace.setBot(`${bot}/slack/events`);
    const viewOf = (words: string) =>
      workspace.until(() => workspace.views(ada.id).find((view) => textOf(view).includes(words)));

    sendEventsTo(one);
    const form = await (await workspace.as(ada.id).command('/quiz-user import')).view();
    await workspace.as(ada.id).submit(form, { file: [{ name: 'three.csv', content }] });
    const shown = await viewOf('Nothing has changed yet');
    sendEventsTo(two);
    await Promise.all([
      workspace.as(ada.id).click({ view: shown }, 'choose:run-batch'),
      workspace.as(ada.id).click({ view: shown }, 'choose:run-batch'),
    ]);
    const progress = await workspace.until(() =>
      workspace
        .directMessages(ada.id)
        .find(
          (message) => textOf(message).includes('Finished') && textOf(message).includes('couldn’t message 1 new user'),
        ),
    );
    await workspace.until(() =>
      workspace.directMessages(zoe.id).some((message) => textOf(message).includes('created a user for you')),
    );
    sendEventsTo(one);
    await workspace.as(ada.id).click({ channel: progress.channel, ts: progress.ts }, 'ask:batch-result');
    const result = await workspace.until(() =>
      workspace
        .directMessages(ada.id)
        .flatMap(({ files = [] }) => files)
        .find(({ name }) => name === 'Result.xlsx'),
    );
    expect((await textOfSent(result.url)).split('\r\n')).toEqual([
      expect.stringContaining('E-mail,Name,outcome,user_id,error'),
      expect.stringMatching(/^zoe@quiz\.example,Zoe Park,created,[\w-]+,$/),
      expect.stringMatching(/^ines@quiz\.example,Ines Marques,created,[\w-]+,"The bot couldn’t message them/),
      'not an address,Ann Bo,failed,,“not an address” isn’t an e-mail address.',
      '',
    ]);
    expect(
      quizService.database.all<{ user_name: string }>(
        "SELECT user_name FROM users WHERE user_name IN ('zoe@quiz.example', 'ines@quiz.example')",
        [],
      ),
    ).toHaveLength(2);
  });
});
