import { expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../support/doctor.ts';
import { numberedSubmission, sendEvent } from '../support/event.ts';
import { openProcessTestBed, planQuizChannels } from '../support/process-test-bed.ts';
import { redisMissing } from '../support/redis.ts';
import { createRedisUser } from '../support/redis-user.ts';

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
