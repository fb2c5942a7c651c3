import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openingStart, untilTaken } from '../../src/sandbox/opening/opening.ts';
import type { Outcome } from '../../src/sandbox/workspace/actor/outcome.ts';
import { tourTitles } from '../../src/sandbox/workspace/tour.ts';
import { addressesIn, startSandbox } from '../support/child-process.ts';

function openSandbox(env: Record<string, string> = {}) {
  const sandbox = startSandbox(env);
  onTestFinished(sandbox.end);
  return sandbox;
}

test('one command starts everything and prints one URL, and stopping it leaves no process behind', async () => {
  const { child, exit, dataDir, isAnybodyLeft, up } = openSandbox();
  const problems = text(child.stderr);
  const addresses = addressesIn(await up());
  expect(addresses).toHaveLength(1);
  const page = await fetch(addresses[0]!);
  expect(await page.text()).toContain('<title>Sandbox workspace</title>');
  const botPort = /"port":(\d+)/.exec(readFileSync(join(dataDir, 'bot.log'), 'utf8'))?.[1];
  expect((await fetch(`http://127.0.0.1:${botPort}/readyz`)).status).toBe(200);
  expect(['.', ...readdirSync(dataDir)].filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0)).toEqual(
    [],
  );

  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(isAnybodyLeft()).toBe(false);
  // Its bot looks for no file of variables, which would be those of a real account.
  expect(await problems).not.toContain('.env');
});

test('stopping it during the start leaves no process behind', async () => {
  const { child, exit, dataDir, isAnybodyLeft } = openSandbox();
  await expect
    .poll(() => {
      try {
        return readFileSync(join(dataDir, 'quiz-service.sqlite')).length;
      } catch {
        return 0;
      }
    })
    .toBeGreaterThan(0);
  child.kill('SIGTERM');
  await exit;
  expect(isAnybodyLeft()).toBe(false);
});

test('prints one sentence about why it cannot start', async () => {
  const { child, exit } = openSandbox({ PORT: '70000' });
  expect(await text(child.stderr)).toBe('The sandbox couldn’t start: PORT must be a port, 0 to 65535.\n');
  expect(await exit).toEqual([1, null]);
});

test('without the packages for development, it says to install them', async () => {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (/^(?:ws|lit-html)$/.test(name)) throw Object.assign(new Error('no ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(name, context);
      },
    });`;
  const { child, exit } = openSandbox({ NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hook)}"` });
  expect(await text(child.stderr)).toBe(
    'The sandbox couldn’t start: packages for development are missing. Run npm ci, without --omit=dev.\n',
  );
  expect(await exit).toEqual([1, null]);
});

test('what the bot does not take is done again, and what came too late is not', async () => {
  const errors = ['dispatch_failed', 'dispatch_failed', 'operation_timeout', undefined];
  const act = vi.fn(async () => ({ error: errors[act.mock.calls.length - 1] }) as Outcome);
  expect(await untilTaken(act, 1)).toEqual({ error: 'operation_timeout' });
});

test('the page has the steps of the README’s tour', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const tour = /## A tour\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
  expect([...tour.matchAll(/^\d\. \*\*(.+)\.\*\*/gm)].map(([, title]) => title)).toEqual(tourTitles);
});

test.each([
  ['Thursday', '2026-11-19T14:00:00Z', '2026-11-16T08:50:00.000Z'],
  ['Wednesday', '2026-11-25T23:00:00Z', '2026-11-16T08:50:00.000Z'],
  ['Friday', '2026-11-27T00:00:00Z', '2026-11-23T08:50:00.000Z'],
])('on a %s, the week of the sandbox begins on the Monday before the last Thursday', (_, now, monday) => {
  expect(new Date(openingStart(Date.parse(now))).toISOString()).toBe(monday);
});
