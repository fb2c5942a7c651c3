import { createSeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { startBot, type Bot, type Durable, type Simulation } from './bot.ts';
import { createBroker, createScheduler, startOfTime } from './broker.ts';
import { createLedger, isUnderWay, sharedList, type SharedList } from './ledger.ts';
import {
  entryWith,
  labelOf,
  type Letter,
  idsOfForwarded,
  mailboxesOfMachine,
  type Await,
  type Scenario,
  scenarios,
} from './scenario.ts';
import { createProcess, type Process, createRemote } from './process.ts';
import { randomMachine } from './random-machine.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { createEngine } from '../../../src/durable/runtime.ts';
import { createMail, createSharedState } from '../../../src/durable/mail.ts';
import { addCounts, countsInWords, type RandomJudge } from '../../judges/judge.ts';

const counted = ['runs', 'steps', 'deeds', 'looks', 'awaits', 'crashes', 'freezes', 'takeovers'] as const;
export type Counts = Record<(typeof counted)[number], number>;

/** From then on nothing fails and nothing strikes: then all has to come to its end. */
const calmAfterMs = 100_000;
const endsWithinMs = 1_800_000;
/** Who sends a letter tries again so often while no process takes it. */
const sendAgainMs = 500;

/** Runs processes through a scenario. @returns the promises that were broken, and how often what happened */
export async function simulate(scenario: Scenario, durable: Durable): Promise<{ broken: string[]; counts: Counts }> {
  const counts = Object.fromEntries(counted.map((name) => [name, 0])) as Counts;
  const broken = new Set<string>();
  const expect = (isSo: boolean, promise: string) => void (isSo || broken.add(promise));
  const random = createSeededRandom(scenario.noise);
  const scheduler = createScheduler();
  const { now, at } = scheduler;
  const isOver = () => now() >= startOfTime + calmAfterMs;
  const isRough = () => scenario.isRough && !isOver();
  const awaits: Record<Await, number> = { commit: 0, deed: 0, look: 0, other: 0 };

  const mailboxes = scenario.machines.flatMap((_, kind) =>
    Array.from({ length: mailboxesOfMachine }, (__, n) => `m${kind}/T1/${n}`),
  );
  const ledger = createLedger(now, expect);
  const simulation: Simulation = {
    now,
    ledger,
    expect,
    broker: createBroker(scheduler, random, {
      forgets: scenario.processes === 'alone',
      onTakenOver: () => void (counts.takeovers += 1),
      // Another process may have gone on meanwhile, and wakes it.
      onSleep: (mailbox) =>
        expect(
          counts.takeovers > 0 || !isUnderWay(ledger.accountOf(mailbox)),
          'a mailbox does not sleep while a deed is under way',
        ),
    }),
    remote: createRemote(scheduler, random, {
      isRough,
      onHappened: (id) => expect(simulation.remote.happened(id) === 1, 'a deed happens once'),
    }),
    machines: new Map(
      scenario.machines.map((spec, kind) => [
        `m${kind}`,
        { spec, machine: randomMachine(spec, { mailboxes, expect }) },
      ]),
    ),
    begun: new Set(),
    noted: new Set(),
    toWake: new Set(),
    isCalm: !scenario.isRough && scenario.faults.length === 0,
    count: (what) => void (counts[what] += 1),
  };
  const strikes = {
    next(kind: Await) {
      counts.awaits += 1;
      awaits[kind] += 1;
      const fault = scenario.faults.find(
        ({ of, nth }) => nth === (of === 'all' ? counts.awaits : of === kind && awaits[kind]),
      );
      return isOver() ? undefined : fault?.strikes;
    },
    isRough,
    onFrozen: () => void (counts.freezes += 1),
  };

  const bots = new Map<Process, Bot>();
  function start(): void {
    let run: (queue: string) => Promise<number | undefined>;
    const process = createProcess(scheduler, random, strikes, {
      broker: simulation.broker,
      run(queue) {
        counts.runs += 1;
        return run(queue);
      },
      onDied() {
        counts.crashes += 1;
        bots.delete(process);
        at(now() + random.between(200, 10_000), start);
      },
    });
    bots.set(
      process,
      startBot(simulation, process, durable, (engineRun) => (run = engineRun)),
    );
  }

  let unsent = 0;
  const sending = new Set<{ by: Process }>();
  function send(to: number, letter: Letter, isShared: boolean): void {
    const ready = [...bots].filter(([one]) => one.stoppedAt() === undefined);
    if (ready.length === 0) return at(now() + sendAgainMs, () => send(to, letter, isShared));
    const [process, bot] = random.pick(ready);
    unsent -= 1;
    const entry = entryWith(mailboxes[to % mailboxes.length]!, letter, now());
    const one = { by: process };
    sending.add(one);
    const sent = isShared ? bot.shared.change(sharedList, withPut(labelOf(letter), entry)) : bot.mail.put([entry]);
    // The sender does not know whether what failed was kept.
    void sent
      .then(
        () => expect(ledger.isPut(letter), 'what was put is there'),
        () => {},
      )
      .finally(() => sending.delete(one));
  }

  for (let n = 0; n < (scenario.processes === 'two' ? 2 : 1); n += 1) start();
  for (const [n, { atMs, againAfterMs, to, ask, isShared }] of scenario.outside.entries())
    for (const [nth, afterMs] of [0, ...(againAfterMs === undefined ? [] : [againAfterMs])].entries()) {
      unsent += 1;
      at(startOfTime + atMs + afterMs, () => send(to, { id: `o${n}`, nth, ask }, isShared));
    }

  const isQuiet = () =>
    unsent === 0 &&
    [...sending].every(({ by }) => by.isDead()) &&
    ledger.isSettled() &&
    simulation.remote.isQuiet() &&
    simulation.broker.running() === 0;
  const isEnded = await scheduler.run(() => broken.size > 0 || isQuiet(), startOfTime + endsWithinMs);
  expect(isEnded, 'everything comes to its end');
  if (broken.size === 0) await expectEnd(simulation);
  return { broken: [...broken], counts };
}

function withPut(label: string, entry: ReturnType<typeof entryWith>) {
  return (state: SharedList = { revision: 0, put: [] }) => ({
    state: { revision: state.revision + 1, put: [...state.put, label] },
    put: [entry],
  });
}

/** What has to be so when everything has come to its end. */
async function expectEnd({ ledger, remote, toWake, noted, isCalm, expect }: Simulation): Promise<void> {
  for (const { process } of toWake) expect(process.isDead(), 'a mailbox that gets mail is woken');
  expect((await ledger.outbox.queues()).length === 0, 'nothing is left waiting, and no mailbox is busy');
  for (const [mailbox, { came, state }] of ledger.accounts) {
    const kept = await ledger.outbox.stateOf(mailbox);
    expect(JSON.stringify(kept.state) === JSON.stringify(state), 'the last state that was kept is there');
    expect(
      JSON.stringify(state?.applied ?? []) === JSON.stringify(came.map(labelOf)),
      'every letter is applied once, in its order',
    );
    const revisions = Array.from({ length: state?.revision ?? 0 }, (_, n) => n + 1);
    expect(
      !isCalm || revisions.every((revision) => noted.has(`${mailbox} ${revision}`)),
      'a note is said of all that is kept',
    );
    for (const letter of came) {
      for (const id of idsOfForwarded(letter))
        expect(ledger.isPut({ id, nth: 0 }), 'what is put with a state is there');
      const happened = remote.happened(letter.id);
      if (letter.ask.kind !== 'deed') expect(happened === 0, 'only deeds happen');
      else if (state?.settled[letter.id] === 'done') expect(happened === 1, 'a deed that is done has happened');
      else
        expect(state?.settled[letter.id] === 'given up' && happened === 0, 'a deed that is given up has not happened');
    }
  }
}

interface ModelReport {
  runs: number;
  counts: Partial<Counts>;
  seconds: number;
  /** The shortest scenario that breaks a promise. */
  failure?: { scenario: Scenario; broken: readonly string[] };
}

/** Runs random scenarios until one breaks a promise. */
export async function runModel(
  durable: Durable,
  options: { count: number; seed: number; shrinks?: boolean; onProgress?: (runs: number) => void },
): Promise<ModelReport> {
  const startedAt = performance.now();
  const counts: Partial<Counts> = {};
  let runs = 0;
  const { counterexample } = await fc.check(
    fc.asyncProperty(scenarios, async (scenario) => {
      const one = await simulate(scenario, durable);
      addCounts(counts, one.counts);
      runs += 1;
      options.onProgress?.(runs);
      // No run comes to the end of a turn, and timers wait for it.
      await nextTurn();
      return one.broken.length === 0;
    }),
    { numRuns: options.count, seed: options.seed, endOnFailure: options.shrinks !== true },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  if (counterexample === null) return { runs, counts, seconds };
  const [scenario] = counterexample;
  const { broken } = await simulate(scenario, durable);
  return { runs, counts, seconds, failure: { scenario, broken } };
}

/** Random crashes of the machines that the bot runs. */
export const model: RandomJudge = {
  count: 100_000,
  async run({ count, seed }, { found, done }) {
    const durable = { createEngine, createMail, createSharedState };
    const { runs, counts, seconds, failure } = await runModel(durable, {
      count,
      seed,
      shrinks: true,
      onProgress: done,
    });
    if (failure) found(`broken: ${failure.broken.join('; ')}\n${JSON.stringify(failure.scenario)}`);
    return `${runs.toLocaleString('en')} runs of the model, seed ${seed}, ${seconds.toFixed(0)} s; ${countsInWords(counts)}; ${
      failure ? 'a promise is broken' : 'no promise broken'
    }`;
  },
};
