import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { listenOnLoopback } from '../support/loopback.ts';
import { read, routes, variables } from '../support/project-files.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { compose } from './compose-file.ts';

const { bot, redis, balancer } = compose.services;
const dockerfile = read('Dockerfile');

test('the page Install tells how to pin the digest of every image', () => {
  const override = parse(
    /```yaml\n(services:\n.+?)```/s.exec(read('docs/install.md').split('## Images by digest')[1]!)![1]!,
  ) as {
    services: Record<string, { image?: string; build?: { additional_contexts: Record<string, string> } }>;
  };
  const named = [redis.image, balancer.image, /^FROM (\S+)$/m.exec(dockerfile)![1]!];
  const pinned = Object.values(override.services).flatMap(({ image = [], build }) =>
    [image, Object.values(build?.additional_contexts ?? {})].flat(),
  );
  expect(pinned.map((image) => image.replace(/^docker-image:\/\//, '')).toSorted()).toEqual(
    named.map((image) => `${image}@sha256:…`).toSorted(),
  );
  expect(Object.keys(override.services['bot']!.build!.additional_contexts)).toEqual([named[2]]);
  for (const image of named) expect(image).toMatch(/^[a-z]+:\d/);
});

describe('the Dockerfile', () => {
  const env = Object.fromEntries(
    [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
      line!.split(' ').map((pair) => pair.split('=') as [string, string]),
    ),
  );

  test('runs the command of npm start as a non-root user', () => {
    const [, command] = /^CMD (\[.+\])$/m.exec(dockerfile)!;
    const { scripts, engines } = JSON.parse(read('package.json')) as {
      scripts: Record<string, string>;
      engines: { node: string };
    };
    expect((JSON.parse(command!) as string[]).join(' ')).toBe(
      scripts['start']!.replace(/^.*exec /, '').replace(/\$\(.*?\) /, ''),
    );
    expect(/^USER (.+)$/m.exec(dockerfile)?.[1]).toBe('node');
    expect(dockerfile.indexOf('\nUSER ')).toBeLessThan(dockerfile.lastIndexOf('\nCMD '));
    const [, major] = /^FROM node:(\d+)-slim$/m.exec(dockerfile)!;
    expect(Number(major)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)![0]));
  });

  test('makes the compile cache as the user and with the flags of the bot', () => {
    const lines = dockerfile.split('\n');
    const [, command] = /^CMD (\[.+\])$/m.exec(dockerfile)!;
    const build = lines.findIndex((line) => line.startsWith(`RUN ${(JSON.parse(command!) as string[]).join(' ')} `));
    expect(build).toBeGreaterThan(lines.indexOf('USER node'));
    expect(dockerfile).toContain('chown node:node node_modules/.cache/invigilator');
    expect(env['NODE_COMPILE_CACHE']).toBe('/app/node_modules/.cache/invigilator');
    expect(env['NODE_OPTIONS']).toBeUndefined();
  });

  test('labels the image with what it is, as the Open Container Initiative names it', () => {
    const [, block] = /^LABEL ((?:.+\\\n)*.+)$/m.exec(dockerfile)!;
    const labels = Object.fromEntries(
      [...block!.matchAll(/org\.opencontainers\.image\.([\w.]+)=(?:"([^"]+)"|(\S+))/g)].map(
        ([, name, quoted, plain]) => [name!, quoted ?? plain],
      ),
    );
    const { name, description, version, license } = JSON.parse(read('package.json')) as Record<string, string>;
    const [base] = dockerfile
      .split('\n')
      .findLast((line) => line.startsWith('FROM '))!
      .slice(5)
      .split(' ');
    expect(labels).toEqual({
      title: name,
      description,
      version,
      revision: '$REVISION',
      licenses: license,
      'base.name': `docker.io/library/${base}`,
    });
    expect(dockerfile).toMatch(/^ARG REVISION=/m);
  });

  test('has the command doctor', () => {
    expect(dockerfile).toContain(
      String.raw`printf '#!/bin/sh\nexec node /app/src/doctor.ts "$@"\n' > /usr/local/bin/doctor`,
    );
  });

  test('stores data on a volume and checks its health on its own port', () => {
    expect(env).toMatchObject({ DATA_DIR: '/data', PORT: '3000' });
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
    expect(dockerfile).toMatch(/^EXPOSE 3000$/m);
    const [, path, init] = /node src\/health-check\.ts "http:\/\/127\.0\.0\.1:\$PORT(\/\w+)" (\d)$/m.exec(dockerfile)!;
    expect({ init, hasInit: bot.init }).toEqual({ init: '1', hasInit: true });
    expect(routes).toContain(path);
    expect(Object.keys(env).filter((name) => !name.startsWith('NODE_') && !variables.includes(name))).toEqual([]);
  });

  test('.dockerignore allows exactly the files that the image copies', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) => files!.split(' '));
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, file]) => file);
    expect(read('.dockerignore').split('\n')[0]).toBe('*');
    expect(new Set(copied)).toEqual(new Set(['package.json', 'package-lock.json', '.npmrc', 'manifest.yml', 'src']));
    expect(new Set(allowed)).toEqual(new Set(copied));
  });
});

describe('the health check of the image', () => {
  test('lets a bot stand still for 15 seconds before it kills it', () => {
    const [, every, failures] = /HEALTHCHECK --interval=(\d+)s .*--retries=(\d+)/.exec(dockerfile)!;
    expect(Number(every) * (Number(failures) - 1)).toBeGreaterThan(15);
  });

  /** An init whose child stands for the bot. */
  async function startInit() {
    const init = spawn('sh', ['-c', 'sleep 600 & wait']);
    onTestFinished(() => void init.kill('SIGKILL'));
    const children = () => read(`/proc/${init.pid}/task/${init.pid}/children`).trim();
    await expect.poll(children).not.toBe('');
    return { init, child: Number(children()) };
  }

  async function startBot(answer: { status: number }): Promise<string> {
    const server = createServer((_, response) => response.writeHead(answer.status).end());
    onTestFinished(() => void server.close());
    return listenOnLoopback(server);
  }

  function check(url: string, pid: number, folder: string): Promise<number> {
    const run = spawn(process.execPath, ['src/health-check.ts', `${url}/healthz`, String(pid)], {
      env: { PATH: process.env['PATH'], TMPDIR: folder },
    });
    return once(run, 'exit').then(([code]) => Number(code));
  }

  test('kills the bot after three failures in a row, so that Docker restarts it', async () => {
    const { init, child } = await startInit();
    onTestFinished(() => void isAlive(child, 'SIGKILL'));
    const answer = { status: 503 };
    const [url, folder] = [await startBot(answer), temporaryDirectory()];
    expect([await check(url, init.pid!, folder), await check(url, init.pid!, folder)]).toEqual([1, 1]);
    answer.status = 200;
    expect(await check(url, init.pid!, folder)).toBe(0);
    answer.status = 503;
    expect([await check(url, init.pid!, folder), await check(url, init.pid!, folder)]).toEqual([1, 1]);
    expect(isAlive(child)).toBe(true);
    const ended = once(init, 'exit');
    expect(await check(url, init.pid!, folder)).toBe(1);
    await ended;
    expect(isAlive(child)).toBe(false);
  });
});

function isAlive(pid: number, signal: NodeJS.Signals | 0 = 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
