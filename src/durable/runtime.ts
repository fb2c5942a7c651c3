import { readQueue, sweepQueue } from '../domain/queues.ts';
import type { Outbox, Queues } from '../storage/storage.ts';
import type { AnyMachine, Keep, Mailbox, View } from './machine.ts';
import type { Mail } from './mail.ts';
import { beginWork, type Log } from '../observability/log.ts';
import { createRarely } from '../time/timers.ts';

/** Runs a mailbox. @returns when to run it next (milliseconds since the epoch); undefined: when it is woken */
export type Run = (queue: string) => Promise<number | undefined>;

/**
 * A deed follows within this time after it was kept, or not at all in this run: others take the mailbox of a process that is
 * stopped over after no less, and may be looking for the deed by then.
 */
const freshForMs = 2_000;

/**
 * Runs machines: one step for each run, on the state as it was kept last. Everything that a step changes is kept at once, or
 * nothing is, where another run has kept a state meanwhile. A deed is done after the state that has it under way is kept.
 */
export function createRuntime(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit'>;
  mail: Pick<Mail, 'put' | 'wake'>;
  overdue?: Pick<Overdue, 'ran'>;
  now: () => number;
}): (machine: AnyMachine) => Run {
  const { outbox, now } = deps;

  const seen = (view: Omit<View<unknown, unknown>, 'now'>): View<unknown, unknown> => ({
    ...view,
    get now() {
      return now();
    },
  });

  return (machine) => async (queue) => {
    const stored = await outbox.stateOf<unknown>(queue);
    let { version } = stored;
    const mailbox: Mailbox = { name: queue, ...readQueue(queue) };
    let view = seen({ mailbox, state: stored.state ?? undefined, mail: [], first: undefined });

    const nextAt = await runStep();
    const isRetrying = view.state !== undefined && machine.isRetrying?.(view.state, now()) === true;
    deps.overdue?.ran(queue, nextAt, isRetrying);
    return nextAt;

    async function runStep(): Promise<number | undefined> {
      const restingUntil = view.state === undefined ? undefined : machine.restsUntil?.(view.state, view.now);
      if (restingUntil !== undefined) return restingUntil;
      view = seen({ ...view, first: await machine.first?.(view) });
      const mail = await outbox.waiting(queue, {
        limit: machine.mailAtMost,
        exceptSubscriptions: machine.passesOver?.(view) ?? [],
      });
      view = seen({ ...view, mail });
      const step = await machine.step(view);
      switch (step.kind) {
        case 'rest':
          if (step.put !== undefined) await deps.mail.put(step.put);
          return step.until;
        case 'keep':
          return keep(step);
        case 'do': {
          const keptAt = now();
          if (!(await commit(step.keep)) || now() - keptAt >= freshForMs) return now();
          return settle(step.deed, await deedsOf().do(step.deed, view), keptAt);
        }
        case 'look': {
          const askedAt = now();
          return settle(step.deed, await deedsOf().look(step.deed, view), askedAt);
        }
      }
    }

    function deedsOf() {
      if (machine.deeds === undefined) throw new Error(`${mailbox.kind} has no deeds`);
      return machine.deeds;
    }

    async function settle(deed: unknown, answer: unknown, askedAt: number): Promise<number> {
      // A look that found nothing says so of the time at which it began.
      return keep(deedsOf().settle(deed, answer, answer === undefined ? { ...view, now: askedAt } : view));
    }

    /** @returns when to run again */
    async function keep(next: Keep<unknown, unknown>): Promise<number> {
      return (await commit(next)) ? (next.at ?? now()) : now();
    }

    /** @returns false where another run has kept a state meanwhile */
    async function commit({ state, take = [], put = [], note }: Keep<unknown, unknown>): Promise<boolean> {
      if (!(await outbox.commit(queue, { version, state, isBusy: machine.isBusy(state), remove: take, put })))
        return false;
      version += 1;
      view = seen({ ...view, state, mail: view.mail.filter(({ position }) => !take.includes(position)) });
      await deps.mail.wake(put);
      if (note !== undefined) await machine.note?.(note, view);
      return true;
    }
  };
}

/** What has something to do, as the store lists it. */
interface Unfinished {
  queue: string;
  /** When the first of what waits came, in milliseconds since the epoch; undefined where nothing waits. */
  oldestAt: number | undefined;
}

export type Overdue = ReturnType<typeof createOverdue>;

/**
 * Knows since when mailboxes have not done what was due, of those that this process ran. What another instance ran since looks overdue here until the sweep has this process run
 * it: with several, the least of their figures holds.
 *
 * @param kinds of mailboxes that are watched
 */
export function createOverdue({ kinds, now }: { kinds: readonly string[]; now: () => number }) {
  const startedAt = now();
  const dueAt = new Map<string, number>();

  return {
    /**
     * A run has ended.
     * @param nextAt when the next is due (milliseconds since the epoch); undefined: when something comes
     * @param isRetrying the run could not do what was due, and left it to the next
     */
    ran(queue: string, nextAt: number | undefined, isRetrying: boolean): void {
      if (!kinds.includes(readQueue(queue).kind)) return;
      dueAt.set(queue, isRetrying ? Math.min(dueAt.get(queue) ?? now(), now()) : (nextAt ?? Infinity));
    },
    /**
     * @param unfinished every mailbox with something to do
     * @returns by kind, since when the next step of the one that is furthest behind is due; undefined: of none
     */
    sinceByKind(unfinished: readonly Unfinished[]): Record<string, number | undefined> {
      const names = new Set(unfinished.map(({ queue }) => queue));
      for (const queue of dueAt.keys()) if (!names.has(queue)) dueAt.delete(queue);
      return Object.fromEntries(kinds.map((kind) => [kind, oldestOf(kind, unfinished)]));
    },
  };

  function oldestOf(kind: string, unfinished: readonly Unfinished[]): number | undefined {
    const since = unfinished
      .filter(({ queue }) => readQueue(queue).kind === kind)
      .map(({ queue, oldestAt = Infinity }) => Math.min(dueAt.get(queue) ?? startedAt, oldestAt));
    const oldest = Math.min(...since, Infinity);
    return oldest <= now() ? oldest : undefined;
  }
}

/** What lasts, by the kind of its mailboxes. */
export interface Lasting {
  machines: Readonly<Record<string, AnyMachine>>;
  /** Runs at the start and then regularly: wakes what a wake can have been lost for, and drops what is too old. */
  upkeep: () => Promise<void>;
}

/** While the platform is away, a mailbox looks this often whether it is back, in case its wake was lost. */
const awayPauseMs = 15_000;

/** Runs everything that lasts, each mailbox on one instance at a time. */
export function createEngine(deps: {
  outbox: Outbox;
  queues: Queues;
  mail: Pick<Mail, 'put' | 'wake'>;
  /** Is told of each run. */
  overdue?: Pick<Overdue, 'ran'>;
  /** Whether the platform is away. While it is, no machine that needs it runs. `onBack` calls back when it answers again. */
  platformOutage: { isAway: () => boolean; onBack: (listener: () => void) => void };
  /** Calls back when the store has lost what it knew of the mailboxes. */
  onLoss: (listener: () => void) => void;
  log: Log;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
}) {
  const { queues, platformOutage, log, now } = deps;
  const run = createRuntime(deps);

  return {
    async start({ machines, upkeep }: Lasting): Promise<void> {
      const sweep = createSweep({ ...deps, machines, upkeep, wake: queues.wake });
      const runs: Record<string, Run> = { [sweepQueue]: sweep };
      for (const [kind, machine] of Object.entries(machines)) runs[kind] = run(machine);

      await queues.start(async (queue) => {
        const { kind } = readQueue(queue);
        if (machines[kind]?.needsPlatform && platformOutage.isAway()) return now() + awayPauseMs;
        const own = runs[kind];
        if (own === undefined) throw new Error(`unknown queue ${queue}`);
        return beginWork(`queue ${kind}`, async () => own(queue));
      });
      const wakeSweep = () =>
        queues
          .wake(sweepQueue)
          .catch((error: unknown) => log.warn({ error }, 'sweeping begins when the store is back'));
      await wakeSweep();
      platformOutage.onBack(() => void wakeSweep());
      // With its content, the store lost when the queues run.
      deps.onLoss(() => void wakeSweep());
    },
    /** Ends after the runs in flight. */
    stop: () => queues.stop(),
  };
}

const everyMs = 30_000;
const forgetsEveryMs = 10 * 60_000;

/**
 * Wakes the mailboxes that have something to do, since a wake can be lost with its process, and forgets the states of those that
 * have been at rest for long.
 *
 * @returns runs, and returns when to run next (milliseconds since the epoch)
 */
export function createSweep(deps: {
  outbox: Pick<Outbox, 'queues' | 'forgetStates'>;
  wake: Queues['wake'];
  machines: Readonly<Record<string, Pick<AnyMachine, 'keptAtRestMs'>>>;
  upkeep: () => Promise<void>;
  now: () => number;
  steadyNow: () => number;
}): () => Promise<number> {
  const { outbox, machines, now, steadyNow } = deps;
  const isTimeToForget = createRarely({ everyMs: forgetsEveryMs, now });

  return async () => {
    await deps.upkeep();
    for (const { queue } of await outbox.queues()) await deps.wake(queue);
    if (isTimeToForget()) await forget();
    return now() + everyMs;
  };

  async function forget(): Promise<void> {
    const since = Object.entries(machines).flatMap(([kind, { keptAtRestMs }]) =>
      keptAtRestMs === undefined ? [] : [[kind, steadyNow() - keptAtRestMs] as const],
    );
    await outbox.forgetStates(Object.fromEntries(since));
  }
}
