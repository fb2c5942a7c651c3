import { isDeepStrictEqual } from 'node:util';
import { obligationOf } from '../../src/obligations/obligation.ts';
import { factsAt, lifeOf } from './life.ts';
import { createOracle } from './oracle.ts';

interface Comparison {
  personDays: number;
  /** Days of each state. */
  states: Record<string, number>;
  differences: string[];
}

/** Compares the rule with the oracle on each day of so many lives. */
export function compareLives(lives: number, firstSeed: number): Comparison {
  const states: Record<string, number> = {};
  const differences: string[] = [];
  let personDays = 0;
  for (let seed = firstSeed; seed < firstSeed + lives; seed += 1) {
    const life = lifeOf(seed);
    const expected = createOracle(life);
    for (const now of life.moments) {
      const [found, wanted] = [obligationOf(factsAt(life, now), life.rule, now, life.calendar), expected(now)];
      personDays += 1;
      states[wanted.state] = (states[wanted.state] ?? 0) + 1;
      if (isDeepStrictEqual(found, wanted)) continue;
      differences.push(
        `life ${seed} at ${new Date(now).toISOString()}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}, under ${JSON.stringify(life.rule)} in ${life.calendar.timeZone}`,
      );
      break;
    }
  }
  return { personDays, states, differences };
}
