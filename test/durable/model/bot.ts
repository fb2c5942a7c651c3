import { sweepQueue, type NewQueueEntry } from '../../../src/domain/queues.ts';
import type { createEngine } from '../../../src/durable/runtime.ts';
import type { Mail, createMail, SharedState, createSharedState } from '../../../src/durable/mail.ts';
import type { Log } from '../../../src/observability/log.ts';
import type { Outbox } from '../../../src/storage/storage.ts';
import type { Broker } from './broker.ts';
import { isAtRest, type Ledger } from './ledger.ts';
import type { Process, Remote } from './process.ts';
import type { ModelMachine, randomMachine } from './random-machine.ts';
import type { MachineSpec } from './scenario.ts';

/** What is tested: the modules of `src/durable`, or others with a fault. */
export interface Durable {
  createEngine: typeof createEngine;
  createMail: typeof createMail;
  createSharedState: typeof createSharedState;
}

/** What the processes of a run share. */
export interface Simulation {
  now: () => number;
  ledger: Ledger;
  broker: Broker;
  remote: Remote;
  expect: (isSo: boolean, promise: string) => void;
  /** By the kinds of their mailboxes. */
  machines: ReadonlyMap<string, { spec: MachineSpec; machine: ReturnType<typeof randomMachine> }>;
  /** Keys of deeds that were begun, and notes that were said. */
  begun: Set<string>;
  noted: Set<string>;
  /** Mailboxes that a process has to wake, since it knows that they got mail. */
  toWake: Set<{ process: Process; queue: string }>;
  /** Nothing fails and nothing strikes: no wake is lost. */
  isCalm: boolean;
  count: (what: 'runs' | 'steps' | 'deeds' | 'looks') => void;
}

export interface Bot {
  mail: Mail;
  shared: SharedState;
}

const log = { warn: () => {}, error: () => {}, info: () => {} } as unknown as Log;

/** Starts the engine in a process: whatever it awaits can be the last it did. */
export function startBot(
  simulation: Simulation,
  process: Process,
  durable: Durable,
  onRun: (run: (queue: string) => Promise<number | undefined>) => void,
): Bot {
  const { now, ledger, broker, expect } = simulation;
  const outbox = outboxOf(simulation, process);
  const mailQueues = {
    wake: async (queue: string) => {
      for (const owed of simulation.toWake)
        if (owed.process === process && owed.queue === queue) simulation.toWake.delete(owed);
      return process.call(() => broker.wake(queue, now(), process));
    },
  };
  const mail = durable.createMail({ outbox, queues: mailQueues, log });
  const engine = durable.createEngine({
    outbox,
    queues: {
      async wake(queue, at = now()) {
        const account = ledger.accounts.get(queue);
        const isForgotten =
          account && !isAtRest(account) && !broker.isPlanned(queue) && now() - account.changedAt > 2_000;
        expect(!simulation.isCalm || !isForgotten, 'what has something to do does not wait for the sweep');
        if (queue !== sweepQueue) return process.call(() => broker.wake(queue, at, process));
        // Queues wake again what they could not wake.
        await process.pass();
        broker.wake(queue, at, process);
      },
      async start(run) {
        onRun(run);
        broker.join(process);
      },
      stop: async () => {},
    },
    mail,
    platformOutage: { isAway: () => false, onBack: () => {} },
    onLoss: () => {},
    log,
    now,
    steadyNow: now,
  });
  const machines = [...simulation.machines].map(([kind, one]) => [kind, inProcess(one, simulation, process)] as const);
  void engine.start({
    machines: Object.fromEntries(machines),
    upkeep: () => process.call(() => {}),
  });
  return { mail, shared: durable.createSharedState({ outbox, mail }) };
}

/** The outbox, as far away from the process as it is in another. */
function outboxOf({ ledger, toWake }: Simulation, process: Process): Outbox {
  const { outbox } = ledger;
  const owe = (put: readonly NewQueueEntry[]) => {
    for (const { queue } of put) toWake.add({ process, queue });
  };
  return {
    waiting: (...about) => process.call(() => outbox.waiting(...about)),
    stateOf: (queue) => process.call(() => outbox.stateOf(queue)),
    stateWithParts: (queue) => process.call(() => outbox.stateWithParts(queue)),
    versionOf: (queue) => process.call(() => outbox.versionOf(queue)),
    async commit(queue, change) {
      const isKept = await process.call(() => outbox.commit(queue, change), 'commit');
      if (isKept) owe(change.put ?? []);
      return isKept;
    },
    async put(entries) {
      await process.call(() => outbox.put(entries));
      owe(entries);
    },
    queues: () => process.call(() => outbox.queues()),
    drop: (...about) => process.call(() => outbox.drop(...about)),
    forgetStates: (since) => process.call(() => outbox.forgetStates(since)),
  };
}

/** A machine in a process: everything that it does itself takes its time, fails, and can be the last it did. */
function inProcess(
  { spec, machine }: { spec: MachineSpec; machine: ReturnType<typeof randomMachine> },
  { now, ledger, remote, begun, noted, isCalm, expect, count }: Simulation,
  process: Process,
): ModelMachine {
  return {
    ...machine,
    step(view) {
      count('steps');
      expect(view.now === now(), 'a step is decided on the time that it is');
      return machine.step(view, async (id) => {
        const answer = await process.call(() => id);
        expect(view.now === now(), 'a step is decided on the time that it is');
        return answer;
      });
    },
    ...(spec.asksFirst && { first: () => process.call(() => true as const) }),
    deeds: {
      async do(deed) {
        count('deeds');
        expect(ledger.isKept(deed), 'a deed is kept before it is done');
        expect(!begun.has(deed.key), 'a deed that was kept is begun once');
        begun.add(deed.key);
        // The request leaves the process at once; it can be frozen, or die, before it has the answer.
        const [answer] = await Promise.allSettled([remote.do(deed, spec.looksForMs > 0)]);
        await process.pass('deed');
        if (answer.status === 'rejected') throw answer.reason;
        return answer.value;
      },
      async look({ id }) {
        count('looks');
        expect(!isCalm, 'a deed whose answer came is not looked for');
        return process.call(() => remote.look(id), 'look');
      },
      settle(deed, answer, view) {
        expect(answer === undefined || view.now === now(), 'an answer is settled at the time at which it came');
        return machine.settle(deed, answer, view);
      },
    },
    async note({ revision }, { mailbox: { name }, state }) {
      expect(state?.revision === revision, 'a note sees the state that was kept with it');
      expect((ledger.accountOf(name).state?.revision ?? 0) >= revision, 'a note is said of what is kept');
      expect(!noted.has(`${name} ${revision}`), 'a note is said once');
      noted.add(`${name} ${revision}`);
      return process.call(() => {});
    },
  };
}
