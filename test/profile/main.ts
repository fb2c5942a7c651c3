import { areaOf, ownShares, sharesWithCalls, type Frame } from './cpu-profile.ts';
import { loads } from './loads.ts';

/*
 * `npm run profile` prints which functions took most of the time of a bot. `npm run profile -- webhook start` does some of the
 * loads.
 */

const longestList = 15;
/** Of functions with what they call. */
const leastShare = 0.05;

const chosen = process.argv.slice(2);
const names = chosen.length === 0 ? Object.keys(loads) : chosen;
for (const name of names) {
  const load = loads[name];
  if (load === undefined) throw new Error(`what can be profiled is ${Object.keys(loads).join(', ')}`);
  process.stderr.write(`${name} …\n`);
  const frames = await load.profile();
  process.stdout.write(`${load.title}\n${sharesOf(frames)}\n\n`);
}

function sharesOf(frames: Frame): string {
  const line = ([key, share]: [string, number]) => `  ${(100 * share).toFixed(1).padStart(5)} %  ${key}`;
  const functionOf = ({ name, place }: Frame) => `${name} ${place}`.trimEnd();
  return [
    'By area:',
    ...ownShares(frames, areaOf).map(line),
    'By function, without what it calls:',
    ...ownShares(frames, functionOf).slice(0, longestList).map(line),
    'By function of the bot, with what it calls:',
    ...sharesWithCalls(frames, functionOf, (frame) => areaOf(frame) === 'bot')
      .filter(([, share]) => share >= leastShare)
      .map(line),
  ].join('\n');
}
