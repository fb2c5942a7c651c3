import { isDeepStrictEqual } from 'node:util';
import { obligationOf } from '../../src/obligations/obligation.ts';
import { daysOfLife, factsAt, lifeOf } from './life.ts';
import { languageCodes } from '../../src/words/languages.ts';
import { addCounts, countsInWords, type RandomJudge } from '../judges/judge.ts';
import { createOracle } from './oracle.ts';
import { drawCampaigns } from './same-people.ts';

interface Comparison {
  moments: number;
  /** Moments of each state. */
  states: Record<string, number>;
  differences: string[];
}

/** Compares the rule with the oracle at each moment of so many lives. */
export function compareLives(lives: number, firstSeed: number): Comparison {
  const states: Record<string, number> = {};
  const differences: string[] = [];
  let moments = 0;
  for (let seed = firstSeed; seed < firstSeed + lives; seed += 1) {
    const life = lifeOf(seed);
    const expected = createOracle(life);
    for (const now of life.moments) {
      const [found, wanted] = [obligationOf(factsAt(life, now), life.rule, now, life.calendar), expected(now)];
      moments += 1;
      addCounts(states, { [wanted.state]: 1 });
      if (isDeepStrictEqual(found, wanted)) continue;
      differences.push(
        `life ${seed} at ${new Date(now).toISOString()}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}, under ${JSON.stringify(life.rule)} in ${life.calendar.timeZone}`,
      );
      break;
    }
  }
  return { moments, states, differences };
}

const shownAtMost = 20;

/** The rule of obligations against the one that is written from its page, and every screen of random campaigns. */
export const obligations: RandomJudge = {
  count: 1_000_000,
  async run({ count, seed }, { found }) {
    const { states, differences, moments } = compareLives(Math.ceil(count / daysOfLife), seed);
    for (const difference of differences.slice(0, shownAtMost)) found(difference);
    return `${moments.toLocaleString('en')} moments of people’s lives, seed ${seed}; ${differences.length} differences; ${countsInWords(states)}`;
  },
  modes: {
    async screens({ words, seed }) {
      const campaigns = Number(words[1] ?? 2_000);
      const groups = await drawCampaigns(campaigns, { seed, isInEach: true });
      return `${campaigns} campaigns in ${languageCodes.length} languages, seed ${seed}; 0 differences; ${[...groups].join(', ')}`;
    },
  },
};
