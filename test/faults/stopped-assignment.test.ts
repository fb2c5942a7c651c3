import { expect, onTestFinished, test, describe } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { addCrew, crewWithQuiz } from '../support/many-changes.ts';
import { fastProcessClock } from '../support/fast-clock.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/proxy.ts';
import { actionIdOf, locationOf } from '../support/results.ts';
import { readReadyz } from './observation.ts';
import { eventually, limitFor } from '../support/watchdog.ts';
import { textOf } from '../support/open-test-bed.ts';
import { redisMissing } from '../support/redis.ts';

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

const createsUser = (line: string) => line.startsWith('POST /api/v1/users ');

describe.skipIf(redisMissing !== null)(
  `an import over Redis whose instance is killed while it creates a user${redisMissing ? ` (${redisMissing})` : ''}`,
  () => {
    /** An import that the first of two instances carries out, and that one is killed. The second runs from then on, if at all. */
    async function killedImport({ isOtherAlive }: { isOtherAlive: boolean }) {
      let proxy: RecordingProxy | undefined;
      const testBed = await openProcessTestBed({
        store: 'redis',
        instances: 2,
        serviceUrl: async (url) => (proxy = await startRecordingProxy(url)).url,
      });
      onTestFinished(() => proxy?.close());
      onTestFinished(() => testBed.close());
      const { workspace } = testBed;
      const [one, two] = testBed.bots;
      await two!.stop();
      const held = proxy!.holdChange(createsUser);
      const form = await (await workspace.as(ada.id).command('/quiz-user import')).view();
      const content = 'E-mail,Name\nines@quiz.example,Ines Marques\nann@quiz.example,Ann Bo\n';
      await workspace.as(ada.id).submit(form, { file: [{ name: 'two.csv', content }] });
      const preview = await workspace.until(() =>
        workspace.views(ada.id).find((view) => textOf(view).includes('Nothing has changed yet')),
      );
      await workspace.as(ada.id).click({ view: preview }, 'choose:run-batch');
      await held.arrived;
      const begunAt = performance.now();
      if (isOtherAlive) await two!.start();
      const startMs = performance.now() - begunAt;
      await one!.kill();
      const killedAt = performance.now();
      const next = proxy!.holdChange(createsUser);
      const goesOn = next.arrived.then(() => performance.now());
      next.release();
      return { one: one!, killedAt, startMs, goesOn };
    }

    test('goes on within 10 seconds after the instance is back', async () => {
      const { one, killedAt, goesOn } = await killedImport({ isOtherAlive: false });
      await one.start();
      const readyAt = performance.now();
      expect((await goesOn) - readyAt).toBeLessThan(limitFor(10_000, readyAt - killedAt));
    });

    test('goes on with another instance as soon as that takes the first for dead', async () => {
      const { killedAt, startMs, goesOn } = await killedImport({ isOtherAlive: true });
      expect((await goesOn) - killedAt).toBeLessThan(limitFor(8_000, startMs));
    });
  },
);

const crewSize = 20;

test('a restart between an assignment, its undoing and another within a minute sends the service no request too many, and names the budget as the cause of each change that is not sent', async () => {
  let crew: string[] = [];
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    // The service’s minute is half a minute, in which a busy machine gets through three commands.
    clock: fastProcessClock(2),
    hasRequestLimit: true,
    beforeStart: async (_, { quizService }) => void (crew = addCrew(quizService, crewSize)),
  });
  onTestFinished(() => testBed.close());
  const {
    workspace,
    quizService,
    bots: [bot],
  } = testBed;
  const ready = () => eventually(async () => expect(await readReadyz(bot!)).toMatch(/^200/));
  const typed = async (command: string) =>
    textOf(
      await (
        await workspace.as(ada.id).command(`${command} ${crew.join(', ')}`, { channel: workspace.channels.training.id })
      ).reply(),
    );
  const refused = async () =>
    (await (await fetch(`${bot!.url}/metrics`)).text())
      .matchAll(/^invigilator_quiz_calls_total\{.*status="429"\} (\d+)$/gm)
      .reduce((sum, [, count]) => sum + Number(count), 0);

  await ready();
  expect(await typed('/quiz assign workplace to')).toContain('Assigned');
  expect(await typed('/quiz unassign workplace from')).toContain('Unassigned');
  await bot!.stop();
  await bot!.start();
  await ready();
  const answer = await typed('/quiz assign workplace to');
  expect(crewWithQuiz(quizService)).toBeLessThan(crewSize);
  expect(answer).not.toMatch(/answer/);
  expect(
    answer.match(/Couldn’t assign it to \*Crew \d+\*: the bot’s requests to the quiz service are used up for now\./g),
  ).toHaveLength(crewSize - crewWithQuiz(quizService));
  expect(await refused()).toBe(0);
});
