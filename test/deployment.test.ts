import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config.ts';
import { findFreePort, listenOnLoopback } from './support/loopback.ts';
import { temporaryDirectory } from './support/temporary.ts';
import { connectRedis, redisMissing, startRedis } from './support/redis.ts';
import { exampleVariables, read, routes, variables } from './support/project-files.ts';

interface Service {
  env_file?: string;
  environment?: Record<string, string>;
  command?: string[];
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  security_opt?: string[];
  mem_limit?: string;
  init?: boolean;
  restart?: string;
  logging?: { driver: string; options: Record<string, string> };
}

const compose = parse(read('docker-compose.yml')) as {
  services: Record<'bot' | 'redis' | 'balancer', Service>;
  volumes: Record<string, unknown>;
};
const { bot, redis, balancer } = compose.services;
const redisPassword = '0f'.repeat(32);
/** Writes a text as Compose does, with the password in `.env`. */
const interpolated = (text: string) =>
  text.replaceAll(/\$\{REDIS_PASSWORD[^}]*\}/g, redisPassword).replaceAll('$$', '$');
const botEnvironment = Object.fromEntries(
  Object.entries(bot.environment!).map(([name, text]) => [name, interpolated(text)]),
);
const redisCommand = redis.command!.map(interpolated).join(' ');
const bytesOf = (size: string): number => Number.parseInt(size, 10) * (/g/.test(size) ? 1024 ** 3 : 1024 ** 2);
const dockerfile = read('Dockerfile');
const haproxy = read('deploy/haproxy.cfg');

describe('docker-compose.yml', () => {
  test('runs at least two instances, which start after the Redis they share', () => {
    expect(bot.deploy?.replicas).toBeGreaterThanOrEqual(2);
    expect(new URL(botEnvironment['REDIS_URL']!).hostname in compose.services).toBe(true);
    expect(bot.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
  });

  test.skipIf(redisMissing !== null)('gives Redis a password, and finds it healthy only with that one', async () => {
    const port = await findFreePort();
    const [shell, ...options] = redis.command!.map(interpolated);
    const script = options
      .pop()!
      .replace('redis-server -', `redis-server - --port ${port} --dir ${temporaryDirectory()}`);
    const server = spawn(shell!, [...options, script], { env: { ...process.env, REDIS_PASSWORD: redisPassword } });
    onTestFinished(async () => {
      server.kill();
      await once(server, 'exit');
    });
    const [how, command] = redis.healthcheck!.test;
    expect(how).toBe('CMD-SHELL');
    const check = (password = redisPassword) =>
      spawnSync('sh', ['-c', interpolated(command!).replace('redis-cli', `redis-cli -p ${port}`)], {
        env: { ...process.env, REDIS_PASSWORD: password },
      }).status;
    await expect.poll(() => check(), { timeout: 10_000 }).toBe(0);
    expect(check('another')).toBe(1);
    expect(check('')).toBe(1);
    expect(server.spawnargs.join(' ')).not.toContain(redisPassword);
    const url = new URL(botEnvironment['REDIS_URL']!);
    const client = await connectRedis(`redis://:${url.password}@127.0.0.1:${port}`);
    expect(await client.ping()).toBe('PONG');
    expect(await client.configGet('appendfsync')).toEqual({ appendfsync: 'always' });
    await client.close();
  });

  test('does not start without a password of Redis, and says how to make one', () => {
    expect(bot.environment!['REDIS_URL']).toMatch(/\$\{REDIS_PASSWORD:\?.*openssl rand -hex 32/);
    expect(redis.environment).toEqual({ REDIS_PASSWORD: '${REDIS_PASSWORD:?}' });
  });

  test.skipIf(redisMissing !== null)('finds Redis healthy only if it takes commands', async () => {
    const [, command] = redis.healthcheck!.test;
    const server = await startRedis();
    onTestFinished(async () => server.stop());
    const check = () =>
      spawnSync('sh', ['-c', interpolated(command!).replace('redis-cli', `redis-cli -p ${new URL(server.url).port}`)])
        .status;
    expect(check()).toBe(0);
    const client = await connectRedis(server.url);
    await client.configSet('requirepass', 'secret');
    await client.close();
    expect(check()).toBe(1);
  });

  test.each(Object.entries(compose.services))('bounds the memory and the log of %s, and restarts it', (_, service) => {
    expect(bytesOf(service.mem_limit!)).toBeLessThanOrEqual(1024 ** 3);
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
    expect(service.restart).toBe('unless-stopped');
  });

  test('leaves Redis as much memory again as its keys take, for its rewrites', () => {
    const [, most] = /--maxmemory (\d+[a-z]+) /.exec(redisCommand)!;
    expect(bytesOf(redis.mem_limit!)).toBeGreaterThanOrEqual(2 * bytesOf(most!));
    expect(read('docs/operations.md')).toContain(`\`maxmemory\` is ${most!.replace('mb', ' MB')}`);
  });

  test('lets a busy bot answer health checks for several seconds, and finds one that stops within three', () => {
    const [, timeout] = /timeout check (\d+)s/.exec(haproxy)!;
    const [, every, failures] = /check inter (\d+)s fall (\d+)/.exec(haproxy)!;
    expect(Number(timeout)).toBeGreaterThanOrEqual(3);
    expect(Number(every) * Number(failures)).toBeLessThan(3);
  });

  test('makes Redis sync every write to a volume', () => {
    expect(redisCommand).toContain('--appendonly yes --appendfsync always');
    expect(redisCommand).toContain('--maxmemory-policy noeviction');
    const volume = redis.volumes!.map((line) => line.split(':')).find(([, path]) => path === '/data')?.[0];
    expect(Object.keys(compose.volumes)).toContain(volume);
    expect(redis.ports).toBeUndefined();
  });

  test('keeps what the bots know of the content of Redis on a volume', () => {
    const volume = bot.volumes!.map((line) => line.split(':')).find(([, path]) => path === '/data')?.[0];
    expect(Object.keys(compose.volumes)).toContain(volume);
    expect(dockerfile).toContain('DATA_DIR=/data');
  });

  test('gives the bot a valid configuration when the required variables of .env.example are set', () => {
    const filled = {
      SLACK_BOT_TOKEN: 'xoxb',
      SLACK_SIGNING_SECRET: 's',
      QUIZ_API_URL: 'https://quiz.example',
      QUIZ_API_KEY: 'k',
      WEBHOOK_SECRET: 'w'.repeat(32),
    };
    expect(exampleVariables).toEqual(expect.arrayContaining(Object.keys(filled)));
    expect(bot.env_file).toBe('.env');
    expect(readConfig({ ...filled, ...botEnvironment })).toMatchObject({
      redisUrl: `redis://:${redisPassword}@redis:6379`,
      http: { port: 3000, host: '0.0.0.0' },
    });
    expect(Object.keys(bot.environment!).filter((name) => !variables.includes(name))).toEqual([]);
  });

  test.each(Object.entries(compose.services))(
    'gives %s no capabilities, no new privileges and a read-only file system',
    (_, service) => {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(service.cap_add).toBeUndefined();
      expect(service.privileged).toBeUndefined();
      expect(service.volumes?.some((line) => line.includes('docker.sock')) ?? false).toBe(false);
    },
  );

  test('limits the time for the head of a request', () => {
    const [, defaults] = /\ndefaults\n((?: .+\n|\n)+)/.exec(haproxy)!;
    for (const timeout of ['connect', 'http-request', 'client', 'server'])
      expect(defaults).toMatch(new RegExp(`^ +timeout ${timeout} \\d+s$`, 'm'));
  });

  test('.env.example has only variables of the bot and of docker-compose.yml', () => {
    expect(variables.length).toBeGreaterThan(20);
    const known = new Set([
      ...variables,
      ...read('docker-compose.yml')
        .matchAll(/\$\{(\w+)/g)
        .map(([, name]) => name),
    ]);
    expect(exampleVariables.filter((name) => !known.has(name))).toEqual([]);
  });

  test('exposes only the routes that Slack, agents and the quiz service call', () => {
    expect(bot.ports).toBeUndefined();
    const [, open] = /unless \{ path (.+) \}/.exec(haproxy)!;
    expect(open!.split(' ')).toEqual(['/slack/events', '/webhooks/quiz', '/mcp']);
    const [, health] = /httpchk GET (\S+)/.exec(haproxy)!;
    expect(routes).toEqual(expect.arrayContaining([...open!.split(' '), health]));
    expect(haproxy).toContain(` bot:${bot.environment!['PORT']} `);
    expect(balancer.ports![0]!.endsWith(`:${/bind :(\d+)/.exec(haproxy)?.[1]}`)).toBe(true);
    expect(balancer.volumes).toContain('./deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro');
  });
});

test('the operations guide tells how to pin the digest of every image', () => {
  const override = parse(/```yaml\n(services:\n.+?)```/s.exec(read('docs/operations.md'))![1]!) as {
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
    expect((JSON.parse(command!) as string[]).join(' ')).toBe(scripts['start']!.replace(/^.*exec /, ''));
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
    expect(new Set(copied)).toEqual(
      new Set([
        'package.json',
        'package-lock.json',
        '.npmrc',
        'manifest.yml',
        'manifest-mcp.yml',
        'manifest-workflows.yml',
        'src',
      ]),
    );
    expect(new Set(allowed)).toEqual(new Set(copied));
  });
});

describe('the health check of the image', () => {
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
