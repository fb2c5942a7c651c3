import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextDigestAt } from '../../../src/features/delivery/digests.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runs } from '../../support/drawn.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const hourly = { kind: 'digest', every: 'hour' } as const;
const dailyAt = (at: string) => ({ kind: 'digest', every: 'day', at }) as const;

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'UTC',
] as const;
type Zone = (typeof zones)[number];

const format = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
const clocks = new Map(zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { ...format, timeZone })]));

/** `2026-11-21 08:30` on a clock of the zone, from Intl alone. */
function localTime(moment: number, timeZone: Zone): string {
  return clocks.get(timeZone)!.format(moment);
}

function chain(how: Parameters<typeof nextDigestAt>[0], timeZone: Zone, from: number, until: number): number[] {
  const moments: number[] = [];
  for (let moment = nextDigestAt(how, timeZone, from); moment < until; moment = nextDigestAt(how, timeZone, moment))
    moments.push(moment);
  return moments;
}

const iso = (moment: number) => new Date(moment).toISOString().slice(0, 16);

describe('a daily digest', () => {
  test('in Samoa, 30 December 2011 has none', () => {
    const days = chain(dailyAt('08:30'), 'Pacific/Apia', Date.UTC(2011, 11, 27), Date.UTC(2012, 0, 2)).map((moment) =>
      localTime(moment, 'Pacific/Apia'),
    );
    expect(days).toEqual([
      '2011-12-27 08:30',
      '2011-12-28 08:30',
      '2011-12-29 08:30',
      '2011-12-31 08:30',
      '2012-01-01 08:30',
      '2012-01-02 08:30',
    ]);
  });

  test.each(zones)(
    'comes once each day that there is in %s, at its time or after the gap, the first time of two',
    (timeZone) => {
      fc.assert(
        fc.property(
          fc.constantFrom(
            '00:00',
            '00:30',
            '01:00',
            '01:30',
            '01:45',
            '02:00',
            '02:15',
            '02:30',
            '02:45',
            '03:15',
            '23:30',
            '23:59',
            '08:30',
          ),
          fc.integer({ min: 2008, max: 2030 }),
          fc.integer({ min: 0, max: 366 }),
          (at, year, dayOfYear) => {
            const from = Date.UTC(year, 0, dayOfYear);
            const until = from + 450 * dayMs;
            const moments = chain(dailyAt(at), timeZone, from, until);
            const days = new Set<string>();
            for (const [index, moment] of moments.entries()) {
              expect(moment).toBeGreaterThan(moments[index - 1] ?? from);
              const day = localTime(moment, timeZone).slice(0, 10);
              expect([day, days.has(day)]).toEqual([day, false]);
              days.add(day);
              // No earlier moment shows its time or a later one.
              const wanted = `${day} ${at}`;
              expect(localTime(moment, timeZone) >= wanted).toBe(true);
              const earlier = [1, 30 * minuteMs, hourMs, 2 * hourMs].map((ms) => localTime(moment - ms, timeZone));
              expect(earlier.filter((time) => time >= wanted)).toEqual([]);
            }
            const left: string[] = [];
            for (let moment = from + 2 * dayMs; moment < until - 2 * dayMs; moment += 12 * hourMs) {
              const day = localTime(moment, timeZone).slice(0, 10);
              if (!days.has(day)) left.push(day);
            }
            expect(left).toEqual([]);
          },
        ),
        { numRuns: runs(6) },
      );
    },
  );
});

describe('an hourly digest', () => {
  test.each(zones)('comes at every full hour of %s and at no other time', (timeZone) => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2008), max: Date.UTC(2030) }), (anyMoment) => {
        const from = changeAfter(timeZone, anyMoment) - 40 * hourMs - (anyMoment % hourMs);
        const until = from + 80 * hourMs;
        const fullHours: number[] = [];
        for (let moment = Math.floor(from / minuteMs) * minuteMs + minuteMs; moment < until; moment += minuteMs)
          if (localTime(moment, timeZone).endsWith(':00')) fullHours.push(moment);
        expect(chain(hourly, timeZone, from, until).map(iso)).toEqual(fullHours.map(iso));
      }),
      { numRuns: runs(5) },
    );
  });
});

/** Near the first change of a zone’s clocks within a year; the moment itself where there is none. */
function changeAfter(timeZone: Zone, from: number): number {
  const offset = (moment: number) =>
    Date.parse(`${localTime(moment, timeZone).replace(' ', 'T')}Z`) - Math.floor(moment / minuteMs) * minuteMs;
  for (let moment = from; moment < from + 400 * dayMs; moment += dayMs)
    if (offset(moment) !== offset(moment + dayMs)) return moment;
  return from;
}

test('the zone of the machine makes no difference', async () => {
  const program = `
    import { nextDigestAt } from './src/features/delivery/digests.ts';
    const times = [];
    for (const zone of ${JSON.stringify(zones)}) for (const at of ['01:45', '23:30']) {
      let moment = Date.UTC(2017, 11, 20);
      for (let day = 0; day < 400; day++) times.push(moment = nextDigestAt({ kind: 'digest', every: 'day', at }, zone, moment));
    }
    console.log(times.join());`;
  const run = async (machineZone: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TZ: machineZone },
    });
    return stdout.trim();
  };
  const [inUtc, ...elsewhere] = await Promise.all(['UTC', 'America/New_York', 'Pacific/Auckland'].map(run));
  expect(inUtc?.split(',')).toHaveLength(zones.length * 2 * 400);
  for (const times of elsewhere) expect(times).toBe(inUtc);
});
