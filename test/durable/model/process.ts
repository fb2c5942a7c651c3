import type { SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Broker, Scheduler, Worker } from './broker.ts';
import type { Await, Fault } from './scenario.ts';
import type { ModelAnswer, ModelDeed } from './random-machine.ts';

/** What strikes the processes of a run, and how often it did. */
interface Strikes {
  /** The strike at the await to which the run has come now. */
  next(of: Await): Fault['strikes'] | undefined;
  /** Whether calls fail now, and take long. */
  isRough(): boolean;
  onFrozen(): void;
}

/** A process between its start and its end. */
export interface Process extends Worker {
  /** Waits as a call does. It never returns in a process that dies, and in a frozen one when that goes on. */
  pass(of?: Await): Promise<void>;
  /** Does something elsewhere, to which the request takes its time, and the answer. */
  call<Value>(work: () => Promise<Value> | Value, of?: Await): Promise<Value>;
}

/** A call fails so often before it has an effect, so often after it, and so often it takes seconds. */
const [lostBefore, lostAfter, slow] = [0.02, 0.02, 0.03];

export function createProcess(
  { now, at }: Scheduler,
  random: SeededRandom,
  strikes: Strikes,
  { broker, run, onDied }: { broker: Broker; run: (queue: string) => Promise<number | undefined>; onDied: () => void },
): Process {
  let isDead = false;
  let stoppedAt: number | undefined;
  let frozenUntil = 0;

  function strike(how: Fault['strikes']): void {
    stoppedAt ??= now();
    if (how === 'crash') {
      isDead = true;
      onDied();
    } else {
      strikes.onFrozen();
      frozenUntil = Math.max(frozenUntil, now() + how.freezeMs);
      at(frozenUntil, thaw);
    }
    broker.lose(self);
  }

  function thaw(): void {
    if (isDead || now() < frozenUntil) return;
    stoppedAt = undefined;
    broker.goOn();
  }

  function goOn(resolve: () => void): void {
    if (isDead) return;
    if (now() < frozenUntil) at(frozenUntil, () => goOn(resolve));
    else resolve();
  }

  const lasts = () =>
    strikes.isRough() && random.number() < slow ? random.between(500, 4_000) : random.between(1, 20);

  const self: Process = {
    run,
    isDead: () => isDead,
    stoppedAt: () => stoppedAt,
    async pass(of = 'other') {
      const how = strikes.next(of);
      if (how !== undefined) strike(how);
      return new Promise<void>((resolve) => {
        at(now() + lasts(), () => goOn(resolve));
      });
    },
    async call(work, of) {
      await self.pass(of);
      if (strikes.isRough() && random.number() < lostBefore) throw new Error('the call fails');
      const value = await work();
      await self.pass(of);
      if (strikes.isRough() && random.number() < lostAfter) throw new Error('the answer is lost');
      return value;
    },
  };
  return self;
}

/**
 * Until when a deed has happened that was begun. This takes in what its request spends in a process that is frozen while it
 * sends the request, which the runtime cannot see.
 */
const happensWithinMs = 35_000;

/** Where deeds happen. */
export interface Remote {
  /** @param canBeLate whether it can happen some time later @throws where the answer is lost */
  do(deed: ModelDeed, canBeLate: boolean): Promise<ModelAnswer>;
  look(id: string): ModelAnswer | undefined;
  happened(id: string): number;
  isQuiet(): boolean;
}

export function createRemote(
  { now, at }: Scheduler,
  random: SeededRandom,
  options: { isRough: () => boolean; onHappened: (id: string) => void },
): Remote {
  const counts = new Map<string, number>();
  let inFlight = 0;

  function happen(id: string): void {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    options.onHappened(id);
  }

  return {
    async do({ id }, canBeLate) {
      const chance = random.number();
      if (chance > 0.85) return 'refused';
      if (!options.isRough() || chance < 0.4) {
        happen(id);
        return 'done';
      }
      if (chance < 0.75) {
        if (!canBeLate || chance < 0.55) happen(id);
        else {
          inFlight += 1;
          at(now() + random.between(random.pick([1, happensWithinMs - 3_000]), happensWithinMs), () => {
            inFlight -= 1;
            happen(id);
          });
        }
      }
      if (chance < 0.6) throw new Error('the answer to a deed is lost');
      return 'unknown';
    },
    look: (id) => (counts.has(id) ? 'done' : undefined),
    happened: (id) => counts.get(id) ?? 0,
    isQuiet: () => inFlight === 0,
  };
}
