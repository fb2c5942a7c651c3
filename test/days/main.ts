import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fromZonedTime } from 'date-fns-tz';

/*
 * `npm run days` runs the scenarios with the clock on each weekday, on the last and the leap day of a year, and where the clock
 * changes, in many zones. `npm run days -- saturday leap-day today.test` runs those moments and files alone, and
 * `npm run days -- sunday --project unit` another project.
 */

/** When the tests begin, on the clock of the zone in which they run. */
const moments: Readonly<Record<string, readonly [begin: string, timeZone: string]>> = {
  monday: ['2027-03-01T00:05', 'Pacific/Kiritimati'],
  tuesday: ['2027-03-02T12:00', 'Asia/Kolkata'],
  wednesday: ['2027-03-03T23:45', 'America/Los_Angeles'],
  thursday: ['2027-03-04T04:30', 'UTC'],
  friday: ['2027-03-05T17:30', 'Europe/Berlin'],
  saturday: ['2027-03-06T09:00', 'America/New_York'],
  sunday: ['2027-03-07T23:50', 'Europe/Berlin'],
  'last-day': ['2027-12-31T23:45', 'Europe/Berlin'],
  'leap-day': ['2028-02-29T23:45', 'America/New_York'],
  'berlin-spring': ['2027-03-28T01:50', 'Europe/Berlin'],
  'berlin-autumn': ['2027-10-31T02:50', 'Europe/Berlin'],
  'new-york-spring': ['2027-03-14T01:50', 'America/New_York'],
  'new-york-autumn': ['2027-11-07T01:50', 'America/New_York'],
};

/** Node writes the real time into the header `date` of answers, with which the doctor compares the clock. */
const notOnOtherDays = ['--exclude', 'test/scenarios/doctor.test.ts'];

const given = process.argv.slice(2);
const chosen = given.filter((word) => word in moments);
const rest = given.filter((word) => !(word in moments));
const project = rest.includes('--project') ? [] : ['--project', 'scenarios'];
const failed: string[] = [];

for (const name of chosen.length > 0 ? chosen : Object.keys(moments)) {
  const [begin, timeZone] = moments[name]!;
  const aheadMs = fromZonedTime(begin, timeZone).getTime() - Date.now();
  process.stdout.write(`\n${name}: from ${begin} in ${timeZone}\n`);
  const preload = `--import=${new URL('ahead.ts', import.meta.url).href}?ms=${aheadMs}`;
  const run = spawn('npx', ['vitest', 'run', ...notOnOtherDays, ...project, ...rest], {
    stdio: 'inherit',
    env: { ...process.env, FACES: 'all', TZ: timeZone, NODE_OPTIONS: preload },
  });
  const [code] = (await once(run, 'exit')) as [number | null];
  if (code !== 0) failed.push(name);
}

process.stdout.write(failed.length === 0 ? '\nevery day is green\n' : `\nfailed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
