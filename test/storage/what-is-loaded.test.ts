import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const countLoaded = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
await import(process.argv[1]);
const of = (name) => loaded.filter((url) => url.includes('/node_modules/' + name + '/')).length;
console.log(JSON.stringify(process.argv[2].split(' ').map(of)));
process.exit();
`;

/** The number of loaded files of each package in a process that imports a module of the bot. */
function loadedBy(path: string, packages: string): number[] {
  const module = new URL(`../../src/${path}`, import.meta.url).href;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', countLoaded, module, packages],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as number[];
}

const forRedis = 'bullmq @redis/client';
const forFiles = 'csv-parse fflate read-excel-file canvaskit-wasm';
const forAgents = '@modelcontextprotocol/server';

test('packages for what is rare are loaded when it comes', () => {
  expect(loadedBy('app.ts', `${forRedis} ${forFiles} ${forAgents}`)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  for (const [path, packages] of [
    ['storage/redis/redis-storage.ts', forRedis],
    ['features/imports/csv-table.ts', 'csv-parse'],
  ] as const)
    expect(Math.min(...loadedBy(path, packages))).toBeGreaterThan(0);
});
