import { expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { addCrew, crewWithQuiz } from '../support/crew.ts';
import { fastProcessClock } from '../support/fast-clock.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy } from '../support/proxy.ts';
import { actionIdOf, locationOf } from '../support/results.ts';
import { textOf } from '../support/test-bed.ts';
import { readReadyz } from './observation.ts';
import { eventually } from '../support/watchdog.ts';

const { ada } = people;

/** A bot in its own process, whose time runs `times` as fast, and `count` users without quizzes. The service answers the first changes, and holds the others until it is stopped. */
async function start(count: number, answeredAtFirst: number, times: number) {
  const gate = Promise.withResolvers<void>();
  let requests: readonly string[] = [];
  let changes = 0;
  let crew: string[] = [];
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    clock: fastProcessClock(times),
    async serviceUrl(url) {
      const proxy = await startRecordingProxy(url, {
        async beforeChange() {
          changes += 1;
          if (changes > answeredAtFirst) await gate.promise;
        },
      });
      onTestFinished(() => proxy.close());
      requests = proxy.requests;
      return proxy.url;
    },
    beforeStart: async (_, { quizService }) => void (crew = addCrew(quizService, count)),
  });
  onTestFinished(() => testBed.close());
  const { workspace, quizService } = testBed;
  const [bot] = testBed.bots;
  const ready = () => eventually(async () => expect(await readReadyz(bot!)).toMatch(/^200/));
  await ready();
  const channel = workspace.channels.training.id;
  return {
    workspace,
    /** Resolves when the bot has begun to stop and the service has held some changes. */
    async stopInTheMiddle() {
      await eventually(() => expect(changes).toBeGreaterThan(answeredAtFirst));
      const stopped = bot!.stop();
      await eventually(async () => expect(await readReadyz(bot!).catch(() => 'closed')).not.toMatch(/^200/));
      gate.resolve();
      await stopped;
    },
    /** Resolves when the bot is killed, and the service has answered what was sent. */
    async killInTheMiddle() {
      await eventually(() => expect(changes).toBeGreaterThan(answeredAtFirst));
      await bot!.kill();
      gate.resolve();
    },
    async startAgain() {
      await bot!.start();
      await ready();
    },
    command: async (text: string) => (await workspace.as(ada.id).command(text, { channel })).reply(),
    crew: crew.join(', '),
    assigned: () => crewWithQuiz(quizService),
    sent: () => requests.filter((request) => /^(?:POST|PUT) \S*u-crew-\d+\S*quizzes/.test(request)).length,
  };
}

test('an assignment to 40 people that SIGTERM stops in the middle is on the record before it, and goes on after the start', async () => {
  const { workspace, stopInTheMiddle, startAgain, command, crew, assigned, sent } = await start(40, 5, 6);
  const preview = await command(`/quiz assign workplace to ${crew}`);
  await workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'Start'));
  await stopInTheMiddle();
  // A bot that stops finishes what it answers first, so another change may begin before its background work ends.
  expect(assigned()).toBeGreaterThanOrEqual(6);
  expect(assigned()).toBeLessThan(40);
  await startAgain();
  expect(textOf(await command('/quiz-admin audit'))).toContain(
    'started to assign *Workplace safety basics* to 40 people',
  );
  expect(textOf(await command('/quiz-admin audit'))).not.toContain('assigned *Workplace safety basics* to 40 people');
  await eventually(() => expect(assigned()).toBe(40));
  expect(sent()).toBe(40);
  await eventually(() => expect(workspace.directMessages(ada.id).map(textOf).join()).toContain('40 of 40'));
  expect(textOf(await command('/quiz-admin audit'))).toContain('> assigned *Workplace safety basics* to 40 people');
});

test('an assignment to 10 people that SIGTERM stops in the middle says what is made and what is not, to the person and on the record', async () => {
  const { stopInTheMiddle, startAgain, command, crew, assigned } = await start(10, 4, 3);
  const answer = command(`/quiz assign workplace to ${crew}`);
  await stopInTheMiddle();
  // On a busy machine the bot stops before it has finished what is on its way.
  const left = 10 - assigned();
  expect(left).toBeGreaterThanOrEqual(2);
  expect(textOf(await answer).match(/the bot restarted before it could send this/g)).toHaveLength(left);
  await startAgain();
  expect(textOf(await command('/quiz-admin audit'))).toMatch(
    new RegExp(
      `assigned \\*Workplace safety basics\\* to .*, with ${left} exceptions \\(“Couldn’t assign it to \\*Crew \\d\\*: the bot restarted before it could send this\\.`,
    ),
  );
});

test('an assignment to 18 people that kill -9 cuts short is finished after the start, and the person and the record are told', async () => {
  const { workspace, killInTheMiddle, startAgain, command, crew, assigned, sent } = await start(18, 4, 6);
  command(`/quiz assign workplace to ${crew}`).catch(() => {});
  await killInTheMiddle();
  expect(assigned()).toBeGreaterThanOrEqual(4);
  expect(assigned()).toBeLessThan(18);
  await startAgain();
  expect(textOf(await command('/quiz-admin audit'))).toContain('started to assign *Workplace safety basics* to');
  await eventually(() => expect(assigned()).toBe(18));
  expect(sent()).toBe(18);
  await eventually(() => expect(workspace.directMessages(ada.id).map(textOf).join()).toContain('18 of 18'));
  expect(textOf(await command('/quiz-admin audit'))).toMatch(/> assigned \*Workplace safety basics\* to .*Crew/);
});
