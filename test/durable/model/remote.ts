import type { SeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { ModelAnswer, ModelDeed } from './random-machine.ts';
import type { Scheduler } from './scheduler.ts';

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
