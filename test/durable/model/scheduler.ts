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
