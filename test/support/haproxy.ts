import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Balancer } from './balancer.ts';
import { findFreePort } from './loopback.ts';

/** The reason why tests with HAProxy cannot run on this machine, or null. CI never skips them. */
export const haproxyMissing: string | null = findHaproxy();

function findHaproxy(): string | null {
  if (spawnSync('haproxy', ['-v']).status === 0) return null;
  if (process.env['CI'] === 'true') throw new Error('haproxy is missing, and CI runs every test');
  return 'haproxy is missing: install it to run the tests with the real balancer';
}

/** HAProxy with deploy/haproxy.cfg, where only the addresses are others. */
export async function startHaproxy(urls: readonly string[]): Promise<Balancer> {
  const port = await findFreePort();
  const file = join(tmpdir(), `invigilator-haproxy-${port}.cfg`);
  writeFileSync(file, configFor(port, urls));
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const ended = once(haproxy, 'exit').then(([code]) => Promise.reject(new Error(`haproxy ended with ${code}`)));
  ended.catch(() => {});
  const answers = async () => {
    while (!(await fetch(url).then(Boolean, () => false)));
  };
  await Promise.race([answers(), ended]);
  return {
    url,
    close() {
      haproxy.kill('SIGKILL');
      rmSync(file, { force: true });
    },
  };
}

function configFor(port: number, urls: readonly string[]): string {
  const addresses = urls.map((url) => new URL(url).host);
  return readFileSync('deploy/haproxy.cfg', 'utf8')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replaceAll(/^( +)server-template bot 1-10 bot:3000(.*) resolvers docker init-addr none$/gm, (_, indent, rest) =>
      addresses.map((address, index) => `${indent}server bot${index + 1} ${address}${rest}`).join('\n'),
    );
}
