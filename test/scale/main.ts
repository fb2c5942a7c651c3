import { measureIdle } from './measure.ts';
for (const [n, store] of [
  [1, 'sqlite'],
  [50, 'sqlite'],
  [200, 'sqlite'],
  [1, 'redis'],
  [50, 'redis'],
  [200, 'redis'],
] as const)
  console.log(
    store,
    JSON.stringify(await measureIdle(n, store), (_k, v) => (typeof v === 'number' ? Math.round(v * 100) / 100 : v)),
  );
