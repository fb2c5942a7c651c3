import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { areaOf, framesOf, readProfile, selfShares, type Frame } from './cpu-profile.ts';
import { flameGraph } from './flame-graph.ts';
import { loads, type ProfiledLoad } from './loads.ts';

/*
 * `npm run profile` shows where the time of a bot goes: it writes docs/profile-webhook.svg and docs/profile-command.svg, and
 * prints which code took most of the time itself. `npm run profile -- webhook` does one of them.
 */

const longestList = 15;
/** Node names them after the date, the time, the process and the thread: `CPU.20261127.101500.4711.0.001.cpuprofile`. */
const isOfMainThread = /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/;

const chosen = process.argv.slice(2);
const names = chosen.length === 0 ? Object.keys(loads) : chosen;
for (const name of names) {
  const load = loads[name];
  if (load === undefined) throw new Error(`what can be profiled is ${Object.keys(loads).join(', ')}`);
  process.stderr.write(`${name} …\n`);
  const frames = await profileOf(load);
  const file = `docs/profile-${name}.svg`;
  writeFileSync(file, flameGraph(frames, load.title));
  process.stdout.write(`${load.title}: ${file}\n${sharesOf(frames)}\n\n`);
}

/** Profiles a bot from its start, and takes what lies between the begin and the end of the load. */
async function profileOf(load: ProfiledLoad): Promise<Frame> {
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-profile-'));
  try {
    const testBed = await openProcessTestBed({
      store: 'sqlite',
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    });
    let [from, to] = [0, 0];
    try {
      await load.warmUp(testBed);
      from = monotonicUs();
      await load.run(testBed);
      to = monotonicUs();
    } finally {
      await testBed.close();
    }
    const file = readdirSync(folder).find((name) => isOfMainThread.test(name));
    if (file === undefined) throw new Error('the bot wrote no profile');
    return framesOf(readProfile(readFileSync(join(folder, file), 'utf8')), { from, to });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

function sharesOf(frames: Frame): string {
  const line = ([key, share]: [string, number]) => `  ${(100 * share).toFixed(1).padStart(5)} %  ${key}`;
  return [
    'By area:',
    ...selfShares(frames, areaOf).map(line),
    'By function, without what it calls:',
    ...selfShares(frames, ({ name, place }) => `${name} ${place}`.trimEnd())
      .slice(0, longestList)
      .map(line),
  ].join('\n');
}
