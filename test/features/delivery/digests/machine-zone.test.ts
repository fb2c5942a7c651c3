import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

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
];

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
