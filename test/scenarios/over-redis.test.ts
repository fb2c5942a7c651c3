import { describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { textOf } from '../support/test-bed.ts';
import { redisMissing, createRedisUser } from '../support/redis.ts';
import { textOfSent } from '../support/csv-of.ts';
import { runDoctor } from '../support/doctor.ts';
import { numberedSubmission, sendEvent } from '../support/event.ts';
import { openProcessTestBed, planQuizChannels } from '../support/process-test-bed.ts';

const { ada, uma, zoe } = people;
const reason = redisMissing ? ` (${redisMissing})` : '';

/** Two instances over one Redis, between a workspace and a quiz service. */
async function startTwo() {
  const env = { APPROVALS_CHANNEL: leadsChannelId };
  const testBed = await openProcessTestBed({ store: 'redis', instances: 2, env });
  onTestFinished(() => testBed.close());
  const [one, two] = testBed.bots.map(({ url }) => url);
  const sendEventsTo = (bot: string | undefined) => testBed.workspace.setBot(`${bot}/slack/events`);
  return { ...testBed, one, two, sendEventsTo, ...approvalActions(testBed) };
}

describe.skipIf(redisMissing !== null)(`two instances over Redis${reason}`, () => {
  test('share requests, decisions and the audit trail', async () => {
    const { workspace, quizService, one, two, sendEventsTo, ...actions } = await startTwo();
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
  });
});

describe.skipIf(redisMissing !== null)(`an import over Redis${reason}`, () => {
  const content = 'E-mail,Name\nzoe@quiz.example,Zoe Park\nines@quiz.example,Ines Marques\nnot an address,Ann Bo\n';

  test('is previewed by an instance, started and carried out by any, and gives back its file', async () => {
    const { workspace, quizService, one, two, sendEventsTo } = await startTwo();
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

test.skipIf(redisMissing !== null)('a bot has all it needs with the documented rights in Redis', async () => {
  const [quizChannel] = planQuizChannels(1);
  let user: Awaited<ReturnType<typeof createRedisUser>>;
  let env: Record<string, string> = {};
  const testBed = await openProcessTestBed({
    store: 'redis',
    quizChannels: [quizChannel!],
    async beforeStart(variables) {
      user = await createRedisUser(variables.REDIS_URL!);
      variables.REDIS_URL = user.url;
      env = variables;
    },
  });
  onTestFinished(() => testBed.close());
  const { workspace, bots } = testBed;
  const [bot] = bots;
  const { status } = await sendEvent(bot!.url, numberedSubmission(1, { quiz: quizChannel!.quiz }));
  expect(status).toBe(200);
  await workspace.until(() => workspace.messages(quizChannel!.channel.id).length > 1);
  await bot!.stop();
  await bot!.start();
  const { lines } = await runDoctor(env);
  expect(lines.filter((line) => line.startsWith('✗ Store'))).toEqual([]);
  expect(await user!.refused()).toEqual([]);
});
