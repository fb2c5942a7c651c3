import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const countLoaded = `
import { createRequire } from 'node:module';
await import(process.argv[1]);
const loaded = Object.keys(createRequire(import.meta.url).cache);
const of = (name) => loaded.filter((file) => file.includes('/node_modules/' + name + '/')).length;
console.log(JSON.stringify({ bullmq: of('bullmq'), redis: of('@redis/client') }));
`;

/** The number of loaded files of Redis packages in a process that imports a module of the bot. */
function loadedBy(path: string): { bullmq: number; redis: number } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', countLoaded, new URL(`../../src/${path}`, import.meta.url).href],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { bullmq: number; redis: number };
}

test('the packages for Redis are loaded only if Redis is configured', () => {
  expect(loadedBy('app.ts')).toEqual({ bullmq: 0, redis: 0 });
  const { bullmq, redis } = loadedBy('storage/redis/redis-storage.ts');
  expect(Math.min(bullmq, redis)).toBeGreaterThan(0);
});
