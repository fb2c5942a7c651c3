import { expect, test } from 'vitest';
import { answersQueue } from '../../../src/domain/queues.ts';
import { answersMachine, createAnswers } from '../../../src/features/questions/answers.ts';
import { answeredQuestion, quizResponse } from '../../support/builders/responses.ts';
import { createMemoryMail, createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { createBudgetedService } from '../batches/budgeted-service.ts';

const latencyMs = 150;
const minuteMs = 60_000;
const attempts = 400;
/** When people type commands, and how many requests each takes: a view of a user looks much up. */
const commands = [
  { at: 30_000, requests: 9 },
  // Nobody uses the bot for minutes.
  { at: 4 * minuteMs, requests: 9 },
  ...Array.from({ length: 12 }, (_, number) => ({ at: 5 * minuteMs + number * 7_000, requests: number % 3 })),
];
const call = { operation: 'responses.questions', method: 'GET', path: '/v1/quizzes/q-1/responses/r-1/questions' };

test('nobody waits for a command because a quiz is being analysed', async () => {
  const clock = createVirtualClock();
  const { now, sleep } = clock;
  const beganAt = now();
  const service = createBudgetedService(clock, latencyMs);
  const listed = Array.from({ length: attempts }, (_, number) => quizResponse({ response_id: `r-${number}` }));
  const outbox = createMemoryOutbox();
  let read = 0;
  let tookMs = 0;
  const machine = answersMachine({
    responses: {
      async using(_, options, use) {
        await service.call(call, options);
        return use(listed);
      },
      async questions(_, __, options) {
        await service.call(call, options!);
        read += 1;
        tookMs = now() - beganAt;
        return [answeredQuestion()];
      },
    },
    retentionMs: minuteMs,
    now,
  });
  const run = runMachine(machine, { outbox, now });
  async function analyse(): Promise<void> {
    await createAnswers({ outbox, mail: createMemoryMail(outbox), now }).of('q-1', listed);
    for (let next = await run(answersQueue('q-1')); next !== undefined; next = await run(answersQueue('q-1')))
      await sleep(Math.max(1, next - now()));
  }
  async function timeOf({ at, requests }: (typeof commands)[number]): Promise<number> {
    await sleep(at);
    const typedAt = now();
    for (let request = 0; request < requests; request += 1) await service.send({});
    return now() - typedAt;
  }

  const [, ...tookOfCommands] = await clock.runUntil(Promise.all([analyse(), ...commands.map(timeOf)]));
  expect(tookOfCommands).toEqual(commands.map(({ requests }) => requests * latencyMs));
  expect(service.refused()).toBe(0);
  expect(read).toBe(attempts);
  // All commands were typed meanwhile, and most of what is left of each minute is used.
  expect(tookMs).toBeGreaterThan(commands.at(-1)!.at);
  expect(tookMs).toBeLessThan(9 * minuteMs);
});
