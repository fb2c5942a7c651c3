import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const countLoaded = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
const [packages, ...modules] = process.argv.slice(1);
const of = (name) => loaded.filter((url) => url.includes('/node_modules/' + name + '/')).length;
const counts = [];
for (const module of modules) {
  await import(module);
  counts.push(packages.split(' ').map(of));
}
console.log(JSON.stringify(counts));
process.exit();
`;

/** The number of loaded files of each package in a process that imports modules of the bot, after each of them. */
function loadedBy(packages: string, ...paths: string[]): number[][] {
  const modules = paths.map((path) => new URL(`../../src/${path}`, import.meta.url).href);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', countLoaded, packages, ...modules],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as number[][];
}

test('packages for what is rare are loaded when it comes', () => {
  const packages = 'bullmq @redis/client csv-parse fflate read-excel-file canvaskit-wasm @modelcontextprotocol/server';
  const rare = ['storage/redis/redis-storage.ts', 'features/imports/csv-table.ts'];
  const [app, , after] = loadedBy(packages, 'app.ts', ...rare);
  expect(app).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(Math.min(...after!.slice(0, 3))).toBeGreaterThan(0);
});
