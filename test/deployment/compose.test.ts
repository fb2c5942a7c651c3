import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { connectRedis, redisMissing, startRedis } from '../support/redis.ts';
import { findFreePort, listenOnLoopback } from '../support/loopback.ts';
import { exampleVariables, read, routes, variables } from '../support/project-files.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { bytesOf, compose } from './compose-file.ts';
import { exampleSecrets, writeSecrets } from './compose-file.ts';
import { createServer } from 'node:http';
import { startBalancer } from '../support/balancer.ts';
import { haproxyMissing, startHaproxy } from '../support/balancer.ts';

const { bot, redis, balancer } = compose.services;
const redisPassword = exampleSecrets['REDIS_PASSWORD']!;
/** A text of the file as a container has it, with its secrets in a folder of this machine. */
const inContainer = (text: string, folder: string) => text.replaceAll('/run/secrets', folder).replaceAll('$$', '$');
const redisCommand = redis.command!.join(' ');
const haproxy = read('deploy/haproxy.cfg');

describe('docker-compose.yml', () => {
  test('runs at least two instances, which start after the Redis they share', () => {
    expect(bot.deploy?.replicas).toBeGreaterThanOrEqual(2);
    expect(new URL(bot.environment!['REDIS_URL']!).hostname in compose.services).toBe(true);
    expect(bot.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
  });

  /** Runs the command of the Redis service on a free port, with the password in a file. */
  async function runRedisService(password: string) {
    const folder = writeSecrets({ REDIS_PASSWORD: password });
    const port = await findFreePort();
    const [shell, ...options] = redis.command!.map((text) => inContainer(text, folder));
    const script = options
      .pop()!
      .replace('redis-server -', `redis-server - --port ${port} --dir ${temporaryDirectory()}`);
    const server = spawn(shell!, [...options, script]);
    const exited = once(server, 'exit');
    onTestFinished(async () => {
      server.kill();
      await exited;
    });
    return { server, exited, port, folder };
  }

  function isHealthy(port: number, folder: string): boolean {
    const [how, command] = redis.healthcheck!.test;
    expect(how).toBe('CMD-SHELL');
    const script = inContainer(command!, folder).replace('redis-cli', `redis-cli -p ${port}`);
    return spawnSync('sh', ['-c', script]).status === 0;
  }

  test.skipIf(redisMissing !== null)('gives Redis a password, and finds it healthy only with that one', async () => {
    const { server, port, folder } = await runRedisService(redisPassword);
    await expect.poll(() => isHealthy(port, folder)).toBe(true);
    expect(isHealthy(port, writeSecrets({ REDIS_PASSWORD: 'another' }))).toBe(false);
    expect(isHealthy(port, writeSecrets({ REDIS_PASSWORD: '' }))).toBe(false);
    expect(server.spawnargs.join(' ')).not.toContain(redisPassword);
    const url = new URL(botConfig().redisUrl!);
    const client = await connectRedis(`redis://:${url.password}@127.0.0.1:${port}`);
    expect(await client.ping()).toBe('PONG');
    expect(await client.configGet('appendfsync')).toEqual({ appendfsync: 'always' });
    await client.close();
  });

  test.each(['', 'changeme', '0'.repeat(31)])(
    'does not start Redis with a password of fewer than 32 characters, and says how to make one',
    async (password) => {
      const { server, exited } = await runRedisService(password);
      const said = readAll(server.stderr);
      expect(await exited).toEqual([1, null]);
      expect(await said).toContain('openssl rand -hex 32');
    },
  );

  test('gives every secret as a file, and none as a variable', () => {
    const given = Object.values(compose.services).flatMap(({ environment = {}, secrets = [] }) => {
      expect(Object.keys(environment).filter((name) => name in exampleSecrets)).toEqual([]);
      return secrets;
    });
    expect(new Set(given)).toEqual(new Set(Object.keys(compose.secrets)));
    for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`);
    const files = Object.entries(bot.environment!).filter(([name]) => name.endsWith('_FILE'));
    expect(files).toEqual(bot.secrets!.map((name) => [`${name}_FILE`, `/run/secrets/${name}`]));
    expect(exampleVariables.filter((name) => name in exampleSecrets)).toEqual([]);
    expect(read('docker-compose.yml')).not.toMatch(/\$\{(?!PUBLISHED_PORT)/);
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['secrets/', '.env']));
  });

  test.skipIf(redisMissing !== null)('finds Redis healthy only if it takes commands', async () => {
    const server = await startRedis();
    onTestFinished(async () => server.stop());
    const folder = writeSecrets({ REDIS_PASSWORD: '' });
    const port = Number(new URL(server.url).port);
    expect(isHealthy(port, folder)).toBe(true);
    const client = await connectRedis(server.url);
    await client.configSet('requirepass', 'secret');
    await client.close();
    expect(isHealthy(port, folder)).toBe(false);
  });

  test.each(Object.entries(compose.services))(
    'bounds memory, CPU time, processes and log of %s, and restarts it',
    (_, service) => {
      expect(bytesOf(service.mem_limit!)).toBeLessThanOrEqual(1.5 * 1024 ** 3);
      // A machine with one CPU refuses a container that may use more.
      expect(service.cpus).toBe(1);
      expect(service.pids_limit).toBe(100);
      expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
      expect(service.restart).toBe('unless-stopped');
    },
  );

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

  test('sends requests to every bot where none passes its checks', () => {
    expect(haproxy).toContain('use_backend unchecked if { nbsrv(bots) eq 0 }');
    const [, unchecked] = /\nbackend unchecked\n((?: .+\n|\n)+)/.exec(haproxy)!;
    expect(unchecked).toContain('server-template bot 1-10 bot:3000 ');
    expect(unchecked).not.toContain(' check ');
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
    expect(read('Dockerfile')).toContain('DATA_DIR=/data');
  });

  function botConfig() {
    const folder = writeSecrets();
    const environment = Object.entries(bot.environment!).map(([name, text]) => [name, inContainer(text, folder)]);
    return readConfig({ QUIZ_API_URL: 'https://quiz.example', ...Object.fromEntries(environment) });
  }

  test('gives the bot a valid configuration when the variables of .env.example are set and the secrets are there', () => {
    expect(read('.env.example').match(/^[A-Z_]+(?==$)/gm)).toEqual(['QUIZ_API_URL']);
    expect(bot.env_file).toBe('.env');
    expect(botConfig()).toMatchObject({
      slack: { botToken: 'xoxb-1', signingSecret: 'signing' },
      quizApi: { apiKey: 'key' },
      webhook: { secrets: ['w'.repeat(32)] },
      redisUrl: `redis://:${redisPassword}@redis:6379`,
      http: { port: 3000, host: '0.0.0.0' },
    });
    const names = Object.keys(bot.environment!).map((name) => name.replace(/_FILE$/, ''));
    expect(names.filter((name) => !variables.includes(name))).toEqual([]);
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
    const [, open, below] = /unless \{ path -i (.+?) \} or \{ path_beg -i (.+?) \}/.exec(haproxy)!;
    expect(open!.split(' ')).toEqual(['/slack/events', '/webhooks', '/mcp']);
    expect(below!.split(' ')).toEqual(open!.split(' ').map((path) => `${path}/`));
    const [, health] = /httpchk GET (\S+)/.exec(haproxy)!;
    expect(routes).toEqual(expect.arrayContaining([...open!.split(' '), health]));
    expect(haproxy).toContain(` bot:${bot.environment!['PORT']} `);
    expect(balancer.ports![0]!.endsWith(`:${/bind :(\d+)/.exec(haproxy)?.[1]}`)).toBe(true);
    expect(balancer.volumes).toContain('./deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro');
  });
});

/** An instance that passes its checks. @param status of its answers to everything else */
async function startInstance(status: number) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/healthz') return void response.end();
    void readAll(request).then((body) => {
      bodies.push(body);
      return response.writeHead(status).end();
    });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await listenOnLoopback(server), bodies };
}

const balancers = [
  ['deploy/haproxy.cfg', haproxyMissing, startHaproxy],
  ['the balancer of other tests', null, startBalancer],
] as const;

for (const [name, missing, start] of balancers) {
  const send = async (status: number) => {
    const [starting, ready] = [await startInstance(503), await startInstance(status)];
    const running = await start([starting.url, ready.url]);
    onTestFinished(running.close);
    const sent = Array.from({ length: 40 }, (_, number) => `${number} ${'x'.repeat(number * 1_000)}`);
    const post = async (body: string) => fetch(`${running.url}/webhooks/quiz`, { method: 'POST', body });
    const statuses = await Promise.all(sent.map(async (body) => (await post(body)).status));
    return { statuses: new Set(statuses), sent, taken: ready.bodies, refused: starting.bodies };
  };

  test.skipIf(missing !== null)(`${name} sends to another instance, once, what one did not take`, async () => {
    const { statuses, sent, taken, refused } = await send(200);
    expect(refused).not.toEqual([]);
    expect(statuses).toEqual(new Set([200]));
    expect(taken.toSorted()).toEqual(sent.toSorted());
  });

  test.skipIf(missing !== null)(`${name} says so where no instance takes it`, async () => {
    expect((await send(503)).statuses).toEqual(new Set([503]));
  });
}
