import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { addCrew, crewWithQuiz } from '../support/many-changes.ts';
import { fastProcessClock } from '../support/fast-clock.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/proxy.ts';
import { actionIdOf, locationOf } from '../support/results.ts';
import { readReadyz } from './observation.ts';
import { eventually, limitFor } from '../support/watchdog.ts';
import { textOf } from '../support/open-test-bed.ts';
import { redisMissing } from '../support/redis.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../../src/sandbox/workspace/actor/outcome.ts';
import { startBalancer, haproxyMissing, startHaproxy } from '../support/balancer.ts';

const { ada } = people;

const untilReady = (bot: { url: string }) => eventually(async () => expect(await readReadyz(bot)).toMatch(/^200/));

describe('an assignment that is stopped in the middle', () => {
  const cleanups: (() => unknown)[] = [];
  let testBed: ProcessTestBed;
  let crew: readonly string[] = [];
  let requests: readonly string[] = [];
  /** What the service still answers; it holds the other changes until the gate opens. */
  let [answersLeft, gate] = [Infinity, Promise.withResolvers<void>()];

  beforeAll(async () => {
    testBed = await openProcessTestBed({
      store: 'sqlite',
      // More leaves a busy machine too little of the three seconds in which Slack wants an answer.
      clock: fastProcessClock(3),
      async serviceUrl(url) {
        const proxy = await startRecordingProxy(url, {
          async beforeChange() {
            answersLeft -= 1;
            if (answersLeft < 0) await gate.promise;
          },
        });
        cleanups.push(() => proxy.close());
        requests = proxy.requests;
        return proxy.url;
      },
      beforeStart: async (_, { quizService }) => void (crew = addCrew(quizService, 40)),
    });
    cleanups.push(() => testBed.close());
    await untilReady(bot());
  });

  afterAll(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
  });

  const bot = () => testBed.bots[0]!;
  const command = async (text: string) =>
    (await testBed.workspace.as(ada.id).command(text, { channel: testBed.workspace.channels.training.id })).reply();
  const record = async () => textOf(await command('/quiz-admin audit'));
  const read = () => testBed.workspace.directMessages(ada.id).map(textOf).join();

  /** Some of the crew, who get a quiz of which the service answers only the first assignments. */
  function prepare(quiz: string, count: number, answeredAtFirst: number) {
    [answersLeft, gate] = [answeredAtFirst, Promise.withResolvers<void>()];
    const before = requests.length;
    const isAssignment = (request: string) => /^(?:POST|PUT) \S*u-crew-\d+\S*quizzes/.test(request);
    return {
      line: `/quiz assign ${quiz} to ${crew.slice(0, count).join(', ')}`,
      assigned: () => crewWithQuiz(testBed.quizService, quiz),
      sent: () => requests.slice(before).filter(isAssignment).length,
      /** Stops or kills the bot when the service has held some changes, and opens the gate once it is stopping or gone. */
      async cut(how: 'SIGTERM' | 'SIGKILL') {
        await eventually(() => expect(answersLeft).toBeLessThan(0));
        const gone = how === 'SIGTERM' ? bot().stop() : bot().kill();
        if (how === 'SIGKILL') await gone;
        await eventually(async () => expect(await readReadyz(bot()).catch(() => 'closed')).not.toMatch(/^200/));
        gate.resolve();
        await gone;
      },
      async startAgain() {
        await bot().start();
        await untilReady(bot());
      },
    };
  }

  test('to 10 people, by SIGTERM, says what is made and what is not, to the person and on the record', async () => {
    const { line, assigned, cut, startAgain } = prepare('Workplace', 10, 4);
    const answer = command(line);
    await cut('SIGTERM');
    // On a busy machine the bot stops before it has finished what is on its way.
    const left = 10 - assigned();
    expect(left).toBeGreaterThanOrEqual(2);
    expect(textOf(await answer).match(/the bot restarted before it could send this/g)).toHaveLength(left);
    await startAgain();
    expect(await record()).toMatch(
      new RegExp(
        `assigned \\*Workplace safety basics\\* to .*, with ${left} exceptions \\(“Couldn’t assign it to \\*Crew \\d\\*: the bot restarted before it could send this\\.`,
      ),
    );
  });

  test('to 18 people, by kill -9, is finished after the start, and the person and the record are told', async () => {
    const { line, assigned, sent, cut, startAgain } = prepare('Food', 18, 4);
    command(line).catch(() => {});
    await cut('SIGKILL');
    expect(assigned()).toBeGreaterThanOrEqual(4);
    expect(assigned()).toBeLessThan(18);
    await startAgain();
    expect(await record()).toContain('started to assign *Food hygiene, level 2* to');
    await eventually(() => expect(assigned()).toBe(18));
    expect(sent()).toBe(18);
    await eventually(() => expect(read()).toContain('18 of 18'));
    expect(await record()).toMatch(/> assigned \*Food hygiene, level 2\* to .*Crew/);
  });

  test('to 40 people, by SIGTERM, is on the record before it, and goes on after the start', async () => {
    const { line, assigned, sent, cut, startAgain } = prepare('Data', 40, 5);
    const preview = await command(line);
    await testBed.workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'Start'));
    await cut('SIGTERM');
    // A bot that stops finishes what it answers first, so another change may begin before its background work ends.
    expect(assigned()).toBeGreaterThanOrEqual(6);
    expect(assigned()).toBeLessThan(40);
    await startAgain();
    expect(await record()).toContain('started to assign *Data protection refresher* to 40 people');
    expect(await record()).not.toContain('assigned *Data protection refresher* to 40 people');
    await eventually(() => expect(assigned()).toBe(40));
    expect(sent()).toBe(40);
    await eventually(() => expect(read()).toContain('40 of 40'));
    expect(await record()).toContain('> assigned *Data protection refresher* to 40 people');
  });
});

const createsUser = (line: string) => line.startsWith('POST /api/v1/users ');

test.skipIf(redisMissing !== null)(
  `an import over Redis whose instance is killed while it creates a user goes on within 10 seconds after that is back, and with another instance as soon as that takes it for dead${redisMissing ? ` (${redisMissing})` : ''}`,
  async () => {
    let proxy: RecordingProxy | undefined;
    const testBed = await openProcessTestBed({
      store: 'redis',
      instances: 2,
      serviceUrl: async (url) => (proxy = await startRecordingProxy(url)).url,
    });
    onTestFinished(() => proxy?.close());
    onTestFinished(() => testBed.close());
    const { workspace } = testBed;
    const [one, two] = [testBed.bots[0]!, testBed.bots[1]!];
    await two.stop();

    /** Starts an import of two people. Resolves when the first is on the way to the service. */
    async function beginImport(family: string): Promise<void> {
      const held = proxy!.holdChange(createsUser);
      const form = await (await workspace.as(ada.id).command('/quiz-user import')).view();
      const content = `E-mail,Name\nines.${family}@quiz.example,Ines ${family}\nann.${family}@quiz.example,Ann ${family}\n`;
      await workspace.as(ada.id).submit(form, { file: [{ name: `${family}.csv`, content }] });
      const preview = await workspace.until(() =>
        workspace.views(ada.id).findLast((view) => textOf(view).includes('Nothing has changed yet')),
      );
      await workspace.as(ada.id).click({ view: preview }, 'choose:run-batch');
      await held.arrived;
    }

    /** @returns when it was killed, and when the import goes on */
    async function killFirst(): Promise<{ killedAt: number; goesOn: Promise<number> }> {
      await one.kill();
      const killedAt = performance.now();
      const next = proxy!.holdChange(createsUser);
      next.release();
      return { killedAt, goesOn: next.arrived.then(() => performance.now()) };
    }

    await beginImport('Marques');
    const alone = await killFirst();
    await one.start();
    const readyAt = performance.now();
    expect((await alone.goesOn) - readyAt).toBeLessThan(limitFor(10_000, readyAt - alone.killedAt));
    await workspace.until(() =>
      workspace.directMessages(ada.id).find((message) => textOf(message).includes('Finished')),
    );

    await beginImport('Sato');
    const begunAt = performance.now();
    await two.start();
    const startMs = performance.now() - begunAt;
    const { killedAt, goesOn } = await killFirst();
    expect((await goesOn) - killedAt).toBeLessThan(limitFor(8_000, startMs));
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

  await untilReady(bot!);
  expect(await typed('/quiz assign workplace to')).toContain('Assigned');
  expect(await typed('/quiz unassign workplace from')).toContain('Unassigned');
  await bot!.stop();
  await bot!.start();
  await untilReady(bot!);
  const answer = await typed('/quiz assign workplace to');
  expect(crewWithQuiz(quizService, 'Workplace')).toBeLessThan(crewSize);
  expect(answer).not.toMatch(/answer/);
  expect(
    answer.match(/Couldn’t assign it to \*Crew \d+\*: the bot’s requests to the quiz service are used up for now\./g),
  ).toHaveLength(crewSize - crewWithQuiz(quizService, 'Workplace'));
  expect(await refused()).toBe(0);
});

/** What came of the commands that people sent once paused bots worked again. */
interface AfterPause {
  commands: number;
  /** What Slack told the people whose commands failed. */
  failed: readonly string[];
  /** The bots’ answers to `/healthz` right after they work again. */
  health: readonly number[];
}

/** Between the ends of two checks of a balancer, also of one that times out. */
const steadyMs = 6_000;
const betweenMs = 200;

/** Two bots behind a balancer stand still for a time, as on a frozen host; people use them before, meanwhile and after. */
async function pauseBots({ pauseMs }: { pauseMs: number }): Promise<AfterPause> {
  const testBed = await openProcessTestBed({ store: 'redis', instances: 2 });
  const { bots, workspace } = testBed;
  const balancer = await start(bots.map(({ url }) => url));
  try {
    workspace.setBot(`${balancer.url}/slack/events`);
    const send = async (forMs: number): Promise<Outcome[]> => {
      const sent: Promise<Outcome>[] = [];
      for (const end = performance.now() + forMs; performance.now() < end; await pause(betweenMs))
        sent.push(workspace.as(people.ada.id).command('/quiz list'));
      return Promise.all(sent);
    };
    await send(steadyMs);
    for (const bot of bots) bot.freeze();
    const meanwhile = send(pauseMs);
    await pause(pauseMs);
    for (const bot of bots) bot.thaw();
    const asked = bots.map(async ({ url }) => (await fetch(`${url}/healthz`)).status);
    const outcomes = await send(steadyMs);
    await meanwhile;
    const failed = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error]));
    return { commands: outcomes.length, failed, health: await Promise.all(asked) };
  } finally {
    for (const bot of bots) bot.thaw();
    balancer.close();
    await testBed.close();
  }
}

const start = haproxyMissing === null ? startHaproxy : startBalancer;

test.skipIf(redisMissing !== null)(
  `both bots stand still for 12 seconds, as on a frozen host, and then both are well, and no command is refused${redisMissing ? ` (${redisMissing})` : ''}`,
  async () => {
    const { commands, failed, health } = await pauseBots({ pauseMs: 12_000 });
    expect(commands).toBeGreaterThan(10);
    expect(failed).toEqual([]);
    expect(health).toEqual([200, 200]);
  },
);
