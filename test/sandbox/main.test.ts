import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { programEnv } from '../support/child-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function startSandbox(env: Record<string, string> = {}) {
  const dataDir = temporaryDirectory();
  chmodSync(dataDir, 0o755);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/sandbox/main.ts'], {
    env: { ...programEnv, PORT: '0', DATA_DIR: dataDir, ...env },
    detached: true,
  });
  const isAnybodyLeft = () => {
    try {
      return process.kill(-child.pid!, 0);
    } catch {
      return false;
    }
  };
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    if (isAnybodyLeft()) process.kill(-child.pid!, 'SIGKILL');
    await exit;
  });
  return { child, exit, dataDir, isAnybodyLeft };
}

test(
  'one command starts everything and prints one URL, and stopping it leaves no process behind',
  { timeout: 60_000 },
  async () => {
    const { child, exit, dataDir, isAnybodyLeft } = await startSandbox();
    let output = '';
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      output += chunk.toString();
      if (output.includes('is up')) break;
    }
    const addresses = output.match(/http:\/\/\S+/g);
    expect(addresses).toHaveLength(1);
    const page = await fetch(addresses![0]);
    expect(await page.text()).toContain('<title>Sandbox workspace</title>');
    const botPort = /"port":(\d+)/.exec(readFileSync(join(dataDir, 'bot.log'), 'utf8'))?.[1];
    expect((await fetch(`http://127.0.0.1:${botPort}/readyz`)).status).toBe(200);
    expect(['.', ...readdirSync(dataDir)].filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0)).toEqual(
      [],
    );

    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(isAnybodyLeft()).toBe(false);
  },
);

test('stopping it during the start leaves no process behind', { timeout: 60_000 }, async () => {
  const { child, exit, dataDir, isAnybodyLeft } = await startSandbox();
  await expect
    .poll(
      () => {
        try {
          return readFileSync(join(dataDir, 'quiz-service.sqlite')).length;
        } catch {
          return 0;
        }
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
  child.kill('SIGTERM');
  await exit;
  expect(isAnybodyLeft()).toBe(false);
});

test('prints one sentence about why it cannot start', { timeout: 60_000 }, async () => {
  const { child, exit } = await startSandbox({ PORT: '70000' });
  expect(await text(child.stderr)).toBe('The sandbox couldn’t start: PORT must be a port, 0 to 65535.\n');
  expect(await exit).toEqual([1, null]);
});
