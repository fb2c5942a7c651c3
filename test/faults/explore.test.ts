import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import type { House } from '../support/house.ts';
import { startHouse } from '../support/house.ts';
import { look, steady, timesTold } from './sight.ts';

const dayMs = 86_400_000;
const faults: [string, (h: House) => Promise<() => void> | (() => void)][] = [
  ['svc down', (h) => { h.setServiceFault('down'); return () => h.setServiceFault(undefined); }],
  ['svc slow', (h) => { h.setServiceFault('slow'); return () => h.setServiceFault(undefined); }],
  ['svc 429', (h) => { h.setServiceFault('429'); return () => h.setServiceFault(undefined); }],
  ['svc HTML', (h) => { h.setServiceFault('HTML'); return () => h.setServiceFault(undefined); }],
  ['slack down', (h) => h.workspace.faults.inject({ kind: 'lost-request' })],
  ['slack 429', (h) => h.workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 30 })],
  ['slack slow', (h) => h.workspace.faults.inject({ kind: 'latency', ms: 2_500 })],
  ['store full', () => limitStore('full')],
  ['store ro', () => limitStore('ro')],
];
let databases: DatabaseSync[] = [];
function limitStore(kind: 'full' | 'ro') {
  const db = databases.at(-1)!;
  if (kind === 'ro') db.exec('PRAGMA query_only = ON');
  else { const { page_count } = db.prepare('PRAGMA page_count').get() as { page_count: number }; db.exec(`PRAGMA max_page_count = ${page_count}`); }
  return () => { db.exec('PRAGMA query_only = OFF'); db.exec('PRAGMA max_page_count = 1000000'); };
}
test.each(faults)('%s', async (name, begin) => {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const house = await startHouse();
  databases = exec.mock.contexts.filter((_, i) => String(exec.mock.calls[i]?.[0]).includes('synchronous = FULL')) as DatabaseSync[];
  exec.mockRestore();
  await house.workspace.as(house.workspace.people.ada.id).command('/quiz list').then((o) => o.reply());
  const end = await begin(house);
  const t = performance.now();
  const seen = await look(house);
  console.log(name, Math.round(performance.now() - t), JSON.stringify(seen, null, 1).split('\n').map(steady).join('\n'));
  console.log('told', timesTold(house));
  end();
  await house.workspace.until(() => timesTold(house) > 0, 40_000).catch(() => {});
  console.log('told after', timesTold(house), Math.round(performance.now() - t));
  expect(1).toBe(1);
}, 120_000);
