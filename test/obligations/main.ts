import { seed } from '../support/seeded-random.ts';
import { languageCodes } from '../../src/words/languages.ts';
import { compareLives } from './compare.ts';
import { daysOfLife } from './life.ts';
import { drawCampaigns } from './same-people.ts';

/**
 * `npm run obligations` compares the rule of obligations with the oracle on 1,000,000 days of people, and `npm run obligations --
 * 20000` on about so many. FAST_CHECK_SEED sets the seed of the first life; each life after it has the next seed.
 *
 * `npm run obligations -- screens 2000` draws every screen of so many random campaigns, in every language, and compares whom they
 * name and count.
 */
if (process.argv[2] === 'screens') {
  const campaigns = Number(process.argv[3] ?? 2_000);
  const groups = await drawCampaigns(campaigns, { seed, isInEach: true });
  process.stdout.write(
    `${campaigns} campaigns in ${languageCodes.length} languages, seed ${seed}; 0 differences; ${[...groups].join(', ')}\n`,
  );
  process.exit(0);
}
const personDays = Number(process.argv[2] ?? 1_000_000);
const { states, differences, ...compared } = compareLives(Math.ceil(personDays / daysOfLife), seed);
for (const difference of differences.slice(0, 20)) process.stdout.write(`${difference}\n`);
const counts = Object.entries(states)
  .toSorted(([, a], [, b]) => b - a)
  .map(([state, days]) => `${state} ${days.toLocaleString('en')}`);
process.stdout.write(
  `${compared.personDays.toLocaleString('en')} person-days, seed ${seed}; ${differences.length} differences; ${counts.join(', ')}\n`,
);
process.exit(differences.length > 0 ? 1 : 0);
