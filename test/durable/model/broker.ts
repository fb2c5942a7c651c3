import type { SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';

/** Lets things happen one after the other, each at its time of a clock that only they move. */
export interface Scheduler {
  /** Milliseconds since the epoch. */
  now(): number;
  at(time: number, happen: () => void): void;
  /** Runs until it is over, or nothing is left to happen before a time. @returns whether it is over */
  run(isOver: () => boolean, until: number): Promise<boolean>;
}

interface Happening {
  time: number;
  happen: () => void;
}

export const startOfTime = Date.UTC(2026, 10, 21, 8);

export function createScheduler(): Scheduler {
  /** The next one is at the end. Of those at the same time, the one that came first happens first. */
  const pending: Happening[] = [];
  let now = startOfTime;

  return {
    now: () => now,
    at(time, happen) {
      const at = Math.max(time, now);
      let place = pending.length;
      while (place > 0 && pending[place - 1]!.time <= at) place -= 1;
      pending.splice(place, 0, { time: at, happen });
    },
    async run(isOver, until) {
      while (!isOver()) {
        const next = pending.at(-1);
        if (next === undefined || next.time > until) return false;
        pending.pop();
        now = next.time;
        next.happen();
        await allPromises();
      }
      return true;
    },
  };
}

/** Resolves when every promise that could go on has gone on: Node has none left when it comes to the next tick. */
async function allPromises(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

/** A process as a broker knows it. */
export interface Worker {
  /** Since when it is frozen or dead; undefined while it runs. */
  stoppedAt(): number | undefined;
  isDead(): boolean;
  run(queue: string): Promise<number | undefined>;
}

interface Hold {
  by: Worker;
}

interface Place {
  runsAt: number | undefined;
  plannedBy: Worker | undefined;
  hold: Hold | undefined;
}

const failurePauseMs = 1_000;
/** The lock of a run is renewed when half of its 6 s are over, and what has none is looked for every 3 s. */
const [lostAfterMs, foundWithinMs] = [3_000, 6_000];

/** Runs mailboxes, each by one process at a time: by a second one only where the first was frozen or died. */
export interface Broker {
  wake(queue: string, at: number, by: Worker): void;
  join(worker: Worker): void;
  /** The worker goes on after it was frozen. */
  goOn(): void;
  /** The worker was frozen, or died. */
  lose(worker: Worker): void;
  isPlanned(queue: string): boolean;
  /** The runs under way, of processes that live. */
  running(): number;
}

/**
 * @param options.forgets whether what a process was to run is forgotten with it. Then a frozen one keeps what it runs.
 * @param options.onSleep called with a mailbox that runs again when it is woken
 */
export function createBroker(
  { now, at }: Scheduler,
  random: SeededRandom,
  { forgets, onTakenOver, onSleep }: { forgets: boolean; onTakenOver: () => void; onSleep: (queue: string) => void },
): Broker {
  const places = new Map<string, Place>();
  const workers: Worker[] = [];
  const holds = new Set<Hold>();

  function placeOf(queue: string): Place {
    const place = places.get(queue) ?? { runsAt: undefined, plannedBy: undefined, hold: undefined };
    places.set(queue, place);
    return place;
  }

  function wake(queue: string, time: number, by: Worker): void {
    const place = placeOf(queue);
    if (place.runsAt !== undefined && place.runsAt <= time) return;
    Object.assign(place, { runsAt: time, plannedBy: by });
    at(time, () => begin(queue));
  }

  function begin(queue: string): void {
    const place = placeOf(queue);
    if (place.hold || place.runsAt === undefined || place.runsAt > now()) return;
    const ready = workers.filter((worker) => worker.stoppedAt() === undefined);
    if (ready.length === 0) return;
    const hold = { by: random.pick(ready) };
    Object.assign(place, { hold, runsAt: undefined, plannedBy: undefined });
    holds.add(hold);
    void carryOut(queue, hold);
  }

  async function carryOut(queue: string, hold: Hold): Promise<void> {
    let again: number | undefined;
    try {
      again = await hold.by.run(queue);
      if (again === undefined) onSleep(queue);
    } catch {
      // What was taken over is repeated by another.
      if (placeOf(queue).hold === hold) again = now() + failurePauseMs;
    }
    holds.delete(hold);
    if (again !== undefined) wake(queue, again, hold.by);
    release(queue, hold);
  }

  function release(queue: string, hold: Hold): void {
    const place = placeOf(queue);
    if (place.hold !== hold) return;
    place.hold = undefined;
    begin(queue);
  }

  function takeOver(queue: string, hold: Hold): void {
    const stoppedAt = hold.by.stoppedAt();
    if (stoppedAt === undefined || now() - stoppedAt < lostAfterMs || placeOf(queue).hold !== hold) return;
    onTakenOver();
    wake(queue, now(), hold.by);
    release(queue, hold);
  }

  return {
    wake,
    join(worker) {
      workers.push(worker);
      for (const queue of places.keys()) begin(queue);
    },
    goOn() {
      for (const queue of places.keys()) begin(queue);
    },
    lose(worker) {
      for (const [queue, place] of places) {
        const { hold } = place;
        if (forgets && worker.isDead()) {
          if (place.plannedBy === worker) place.runsAt = undefined;
          if (hold?.by === worker) place.hold = undefined;
        }
        if (!forgets && hold?.by === worker)
          at(now() + lostAfterMs + random.between(0, foundWithinMs), () => takeOver(queue, hold));
      }
      for (const hold of holds) if (hold.by.isDead()) holds.delete(hold);
    },
    isPlanned(queue) {
      const { hold, runsAt } = placeOf(queue);
      return hold !== undefined || runsAt !== undefined;
    },
    running: () => holds.size,
  };
}
