import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, inject } from 'vitest';
import { ownerKey, ownerNamespace } from '../../src/storage/passport.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { readKept } from '../../src/storage/checks.ts';
import { readSqlite } from '../../src/storage/sqlite/doctor.ts';
import { runBot } from '../support/killable-bot.ts';
import { programEnv } from '../support/child-process.ts';
import { askDoctor, runDoctor } from '../support/doctor.ts';
import { eventBody, sign, webhookSecret } from '../support/event.ts';
import { findFreePort, listenOnLoopback } from '../support/loopback.ts';
import { manifestWith, organization } from '../support/open-test-bed.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { read } from '../support/project-files.ts';
import { connectRedis, redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { untilSo } from '../support/watchdog.ts';

type Env = Record<string, string>;

let testBed: ProcessTestBed;
let env: Env = {};

beforeAll(async () => {
  testBed = await openProcessTestBed({
    installation: inject('installation'),
    store: 'sqlite',
    mode: 'socket',
    beforeStart: async (variables, { workspace, quizService }) => {
      env = { ...variables, APPROVALS_CHANNEL: workspace.channels.training.id, OWNERS: workspace.people.ada.id };
      const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
      addQuiz(quizService.database, {
        quiz_id: '10000000-0000-4000-8000-0000000009aa',
        name: 'Made just now',
        status: 'open',
        date_created: now,
      });
    },
  });
  await untilSo(() => readKept(readSqlite(env['DATA_DIR']!), ownerNamespace, ownerKey).catch(() => undefined));
  await testBed.bots[0]!.stop();
  // The doctor asks more in this file than Slack answers in a minute.
  testBed.workspace.faults.setRateLimits(false);
});

afterAll(() => testBed.close());

/** A copy of what the bot stored. */
function storeCopy(): string {
  const folder = temporaryDirectory();
  cpSync(env['DATA_DIR']!, folder, { recursive: true });
  return folder;
}

function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

const faultsIn = (lines: readonly string[]) => lines.filter((line) => line.startsWith('✗'));

const sampleOf = (headers: Readonly<Record<string, string>>, body = eventBody()) =>
  `${['POST /webhooks/quiz HTTP/1.1', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n${body}\n`;

describe('npm run doctor with everything right', () => {
  test('has a line for each check, changes nothing and shows no secret', async () => {
    const before = contentOf(env['DATA_DIR']!);
    const calls = testBed.workspace.calls.length;
    const { lines, code } = await runDoctor(
      { ...env, WEBHOOK_SCHEME: 'body', HOLIDAYS: '2199-12-25,Europe/Berlin:2199-10-03' },
      sampleOf({ 'X-Webhook-Signature': sign(eventBody()) }),
    );
    expect(lines.filter((line) => !line.startsWith('✓'))).toEqual([
      expect.stringMatching(/^– Slack: Slack does not say which commands, shortcuts and events the app has: npm run/),
      '',
      'Nothing has to be mended.',
    ]);
    expect(code).toBe(0);
    for (const part of [
      'Configuration: every variable is valid',
      'HOLIDAYS: days to come on which campaigns write to nobody: 1 for everyone, 1 in Europe/Berlin',
      'invigilator.sqlite is whole',
      'has the content that the bot knew',
      'belongs to this workspace and quiz account',
      'free where DATA_DIR is',
      'the token has the scopes of manifest.yml',
      'ALERTS_CHANNEL: the bot is in #',
      'OWNERS: ',
      'Socket Mode: Slack accepts SLACK_APP_TOKEN',
      'the token belongs to the organization Sandbox organization',
      'the app is in these workspaces of the organization: Sandbox workspace',
      'the service accepts QUIZ_API_KEY',
      'agrees with that of the quiz service',
      'agrees with that of Slack',
      'QUIZ_TIME_ZONE=',
      'the scheme body expects HMAC-SHA256 of the body in X-Webhook-Signature',
      'the signature of the sample is right',
      'names a quiz and a response',
    ]) {
      expect(lines.join('\n')).toContain(part);
    }
    expect(contentOf(env['DATA_DIR']!)).toEqual(before);
    expect(new Set(testBed.workspace.calls.slice(calls).map(({ method }) => method))).toEqual(
      new Set([
        'auth.test',
        'auth.teams.list',
        'conversations.info',
        'team.profile.get',
        'users.info',
        'apps.connections.open',
      ]),
    );
    for (const name of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'QUIZ_API_KEY', 'WEBHOOK_SECRET'])
      expect(lines.join('\n')).not.toContain(env[name]);
  });

  test('says what Slack does not tell of the steps of workflows', async () => {
    const { lines, code } = await askDoctor({ ...env, WORKFLOW_STEPS_ENABLED: 'true' });
    expect(lines.filter((line) => line.startsWith('–'))).toContainEqual(
      expect.stringContaining('Slack: WORKFLOW_STEPS_ENABLED: Slack does not say whether the app has the steps'),
    );
    expect(lines).toContainEqual(expect.stringContaining('the token has the scopes of what npm run manifest prints'));
    expect(code).toBe(0);
  });

  test('says what does not work without an optional scope', async () => {
    const { lines, code } = await askDoctor({ ...env, SLACK_API_URL: await workspaceWithout('dnd:read') });
    expect(lines).toContain('✓ Slack: the token has the required scopes of manifest.yml.');
    expect(lines).toContainEqual(expect.stringMatching(/^– Slack: the token lacks the optional scope dnd:read: docs/));
    expect(code).toBe(0);
  });

  test('compares the name of the app with the configured one', async () => {
    const manifestPath = join(temporaryDirectory(), 'manifest.yml');
    const names = { COMMAND_PREFIX: 'exam', BOT_NAME: 'Examiner' };
    const printed = spawnSync(process.execPath, ['src/manifest.ts', '--socket'], { env: { ...programEnv, ...names } });
    writeFileSync(manifestPath, printed.stdout);
    const { apiUrl } = await openOtherWorkspace({ manifestPath });

    const fits = await askDoctor({ ...env, ...names, SLACK_API_URL: apiUrl });
    expect(fits.lines).toContain('✓ Slack: the bot is called Examiner, as its messages say.');
    expect(fits.lines).toContain('✓ Slack: the token has the scopes of what npm run manifest prints.');
    expect({ faults: faultsIn(fits.lines), code: fits.code }).toEqual({ faults: [], code: 0 });

    const differs = await askDoctor({ ...env, SLACK_API_URL: apiUrl });
    expect(faultsIn(differs.lines)).toEqual([
      expect.stringContaining(
        'the bot is called Examiner, and Invigilator in its messages: set BOT_NAME to its name, or paste what npm run',
      ),
    ]);
    const reversed = await askDoctor({ ...env, ...names });
    expect(faultsIn(reversed.lines)[0]).toContain('the bot is called Invigilator, and Examiner in its messages');
  });

  test('runs beside a bot, and before the first start', async () => {
    await testBed.bots[0]!.start();
    const beside = await askDoctor(env);
    await testBed.bots[0]!.stop();
    expect({ faults: faultsIn(beside.lines), code: beside.code }).toEqual({ faults: [], code: 0 });
    const folder = join(temporaryDirectory(), 'new');
    const first = await askDoctor({ ...env, DATA_DIR: folder });
    expect({ faults: faultsIn(first.lines), code: first.code }).toEqual({ faults: [], code: 0 });
    expect(first.lines).toContain(`– Store: DATA_DIR ${folder} does not exist: the bot creates it.`);
  });

  test('says in HTTP mode what it cannot check', async () => {
    const { lines, code } = await askDoctor({
      ...env,
      SLACK_APP_TOKEN: '',
      SLACK_SIGNING_SECRET: 'signing-secret-canary',
    });
    expect(lines.find((line) => line.includes('HTTP mode'))).toMatch(/^– Slack: .*\/slack\/events/);
    expect(code).toBe(0);
  });
});

describe('npm run doctor with the address of the bot', () => {
  const http = () => ({ ...env, SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'signing-secret-canary' });

  test('says that the bot there answers as Slack expects, or refuses the signing secret', async () => {
    const url = await runBot({ ...http(), DATA_DIR: temporaryDirectory() }).up;
    const { lines, code } = await askDoctor(http(), { url });
    expect(lines).toContain(
      `✓ Slack: ${url}/slack/events answers as Slack expects: it must be the request URL of commands, interactivity and events.`,
    );
    expect(code).toBe(0);
    const other = await askDoctor({ ...http(), SLACK_SIGNING_SECRET: 'other-canary' }, { url });
    expect(faultsIn(other.lines)).toEqual([
      `✗ Slack: ${url}/slack/events refuses a request that is signed with SLACK_SIGNING_SECRET: start the bot there with this secret, and check its clock.`,
    ]);
    expect(other.code).toBe(1);
  });

  test.each<[string, () => string | Promise<string>, RegExp]>([
    ['where nothing is', nowhere, /cannot be reached from here \(ECONNREFUSED\): check the address/],
    [
      'where another program is',
      () => testBed.workspace.url,
      /answers with \d+, and not as the bot does: have the proxy pass it on/,
    ],
    [
      'without https',
      () => 'http://bot.example',
      /Slack calls only https addresses, and http:\/\/bot\.example\/slack\/events is none/,
    ],
  ])('names what is wrong %s', async (_, address, says) => {
    const { lines } = await askDoctor(http(), { url: await address() });
    expect(faultsIn(lines)).toEqual([expect.stringMatching(says)]);
  });

  test('refuses what is no address', async () => {
    const { lines, code } = await runDoctor(http(), undefined, ['--url', 'bot.example']);
    expect(lines[0]).toBe('--url must be an address such as https://bot.example, not bot.example');
    expect(code).toBe(1);
  });
});

interface Fault {
  wrong: string;
  /** What differs from the right setup. */
  set: () => Env | Promise<Env>;
  /** The line with what to do. */
  says: RegExp;
  sample?: () => string;
}

const inStore = (change: (folder: string) => void): Env => {
  const folder = storeCopy();
  change(folder);
  return { DATA_DIR: folder };
};

const inFile = (change: (database: DatabaseSync) => void): Env =>
  inStore((folder) => {
    const database = new DatabaseSync(join(folder, 'invigilator.sqlite'));
    change(database);
    database.close();
  });

const nowhere = async () => `http://127.0.0.1:${await findFreePort()}`;

/** A quiz service whose clock is five minutes behind. */
async function slowService(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('date', new Date(Date.now() - 300_000).toUTCString());
    response.setHeader('content-type', 'application/json');
    response.end('[]');
  });
  onTestFinished(() => void server.close());
  return listenOnLoopback(server);
}

async function workspaceWithout(scope: string, manifest = 'manifest.yml'): Promise<string> {
  const manifestPath = join(temporaryDirectory(), 'manifest.yml');
  writeFileSync(manifestPath, read(manifest).replaceAll(`      - ${scope}\n`, ''));
  return (await openOtherWorkspace({ manifestPath })).apiUrl;
}

/** Another workspace that takes the tokens. It belongs to the same organization. */
async function openOtherWorkspace(options: Partial<Parameters<typeof startWorkspace>[0]>) {
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken: env['SLACK_BOT_TOKEN']!,
    appToken: env['SLACK_APP_TOKEN']!,
    signingSecret: 's',
    enterprise: organization,
    ...options,
  });
  onTestFinished(() => workspace.close());
  return workspace;
}

const faults: readonly Fault[] = [
  {
    wrong: 'a variable',
    set: () => ({ TIME_ZONE: 'Mars/Olympus' }),
    says: /Configuration: TIME_ZONE must be a time zone name/,
  },
  {
    wrong: 'a folder that cannot be made',
    set: () => ({ DATA_DIR: '/dev/null/kept' }),
    says: /Store: DATA_DIR \/dev\/null\/kept cannot be created/,
  },
  {
    wrong: 'a folder that everyone shares',
    set: () => inStore((folder) => chmodSync(folder, 0o1777)),
    says: /Store: DATA_DIR .+ is shared by all users of this machine: set DATA_DIR to a folder of the bot’s own, such as a subfolder, which the bot creates\.$/,
  },
  {
    wrong: 'a store of a newer version',
    set: () => inFile((database) => database.exec('PRAGMA user_version = 99')),
    says: /Store: .* newer version of the bot: start that version/,
  },
  {
    wrong: 'a store of version 1.1',
    set: () => inFile((database) => database.exec('PRAGMA user_version = 3')),
    says: /Store: .* by version 1\.6 of the bot or an older one: start version 1\.7 with it once, then this version/,
  },
  {
    wrong: 'a damaged store',
    set: () =>
      inStore((folder) => {
        const path = join(folder, 'invigilator.sqlite');
        writeFileSync(path, readFileSync(path).fill(0xab, 4096));
      }),
    says: /Store: .* is damaged .*restore a backup/,
  },
  {
    wrong: 'a store that was moved to Redis',
    set: () =>
      inStore((folder) => renameSync(join(folder, 'invigilator.sqlite'), join(folder, 'invigilator.sqlite.moved'))),
    says: /Store: .* was moved to Redis: set REDIS_URL/,
  },
  {
    wrong: 'a store of another workspace',
    set: () =>
      inFile((database) =>
        database.exec(
          "UPDATE keyed_values SET value = json_set(value, '$.value.workspace', 'other') WHERE key = 'store-owner:owner'",
        ),
      ),
    says: /Store: the store belongs to another workspace: set the bot token of that workspace/,
  },
  {
    wrong: 'no Redis',
    set: async () => ({ REDIS_URL: `redis://:redis-canary@127.0.0.1:${await findFreePort()}` }),
    says: /Store: Redis cannot be used \(.*\): check REDIS_URL/,
  },
  {
    wrong: 'a bot token that Slack refuses',
    set: () => ({ SLACK_BOT_TOKEN: 'xoxb-canary' }),
    says: /Slack: Slack refuses SLACK_BOT_TOKEN \(invalid_auth\): copy the bot token again/,
  },
  {
    wrong: 'no Slack',
    set: async () => ({ SLACK_API_URL: `${await nowhere()}/api/` }),
    says: /Slack: Slack cannot be reached \(ECONNREFUSED\)/,
  },
  {
    wrong: 'a missing scope',
    set: async () => ({ SLACK_API_URL: await workspaceWithout('files:write') }),
    says: /Slack: the token lacks files:write: paste manifest\.yml/,
  },
  {
    wrong: 'an organization whose workspaces do not have the app',
    set: async () => ({
      SLACK_API_URL: (await openOtherWorkspace({ enterprise: { ...organization, workspaces: [] } })).apiUrl,
    }),
    says: /Slack: the app is installed for the organization, and in none of its workspaces: an administrator/,
  },
  {
    wrong: 'a missing scope of agents',
    set: async () => ({
      MCP_ENABLED: 'true',
      SLACK_SIGNING_SECRET: 's',
      SLACK_API_URL: await workspaceWithout('mcp:connect', manifestWith('agents')),
    }),
    says: /Slack: the token lacks mcp:connect: paste what npm run manifest prints/,
  },
  {
    wrong: 'agents without a signing secret',
    set: async () => ({
      MCP_ENABLED: 'true',
      SLACK_SIGNING_SECRET: '',
      SLACK_API_URL: await workspaceWithout('none', manifestWith('agents')),
    }),
    says: /Slack: MCP_ENABLED is true, but nothing proves who asks without SLACK_SIGNING_SECRET/,
  },
  {
    wrong: 'a channel without the bot',
    set: () => ({ AUDIT_CHANNEL: testBed.workspace.channels.general.id }),
    says: /Slack: AUDIT_CHANNEL: the bot isn’t in #general\. Type \/invite/,
  },
  {
    wrong: 'an archived channel',
    set: () => ({ ALERTS_CHANNEL: 'C0ARCHIVED' }),
    says: /Slack: ALERTS_CHANNEL: #.* is archived/,
  },
  {
    wrong: 'an unknown channel',
    set: () => ({ APPROVALS_CHANNEL: 'C0NOWHERE' }),
    says: /Slack: APPROVALS_CHANNEL: Slack knows no channel C0NOWHERE/,
  },
  {
    wrong: 'an unknown owner',
    set: () => ({ OWNERS: 'U0NOBODY' }),
    says: /Slack: OWNERS: Slack knows no person U0NOBODY/,
  },
  {
    wrong: 'an app token that Slack refuses',
    set: () => ({ SLACK_APP_TOKEN: 'xapp-canary' }),
    says: /Slack: Socket Mode: Slack refuses SLACK_APP_TOKEN \(invalid_auth\)/,
  },
  {
    wrong: 'an API key that the service refuses',
    set: () => ({ QUIZ_API_KEY: 'key-canary' }),
    says: /Quiz service: the service refuses QUIZ_API_KEY: copy the key again/,
  },
  {
    wrong: 'no quiz service',
    set: async () => ({ QUIZ_API_URL: await nowhere() }),
    says: /Quiz service: the service cannot be reached: check QUIZ_API_URL/,
  },
  {
    wrong: 'an address that is not the service’s',
    set: () => ({ QUIZ_API_URL: testBed.workspace.url }),
    says: /Quiz service: .*QUIZ_API_URL/,
  },
  {
    wrong: 'a clock that is ahead',
    set: async () => ({ QUIZ_API_URL: await slowService() }),
    says: /Quiz service: the clock of this machine is (?:299|300|301) s ahead of that of the quiz service: synchronize it with NTP/,
  },
  {
    wrong: 'the zone of the account',
    set: () => ({ QUIZ_TIME_ZONE: 'Pacific/Honolulu' }),
    says: /Quiz service: QUIZ_TIME_ZONE=Pacific\/Honolulu is wrong: .* in the future/,
  },
  {
    wrong: 'no secret of webhooks',
    set: () => ({ WEBHOOK_SECRET: '' }),
    says: /Webhooks: WEBHOOK_SECRET is not set, so every webhook is refused/,
  },
  {
    wrong: 'another secret than the sample’s',
    set: () => ({ WEBHOOK_SCHEME: 'body' }),
    sample: () => sampleOf({ 'X-Webhook-Signature': sign(eventBody(), 'another') }),
    says: /Webhooks: the sample matches no scheme with WEBHOOK_SECRET \(body: X-Webhook-Signature does not match\)/,
  },
  {
    wrong: 'another scheme and header than the sample’s',
    set: () => ({ WEBHOOK_SCHEME: 'body' }),
    sample: () =>
      sampleOf({
        'X-Time': '2026-11-02 00:05:47',
        'X-Proof': createHmac('sha256', webhookSecret).update(`2026-11-02 00:05:47 ${webhookSecret}`).digest('base64'),
      }),
    says: /Webhooks: the sample matches another setting: set WEBHOOK_SCHEME=timestamp-secret and WEBHOOK_SIGNATURE_HEADER=x-proof and WEBHOOK_TIMESTAMP_HEADER=x-time/,
  },
  {
    wrong: 'a sample that is no event',
    set: () => ({ WEBHOOK_SCHEME: 'body' }),
    sample: () => sampleOf({ 'X-Webhook-Signature': sign('no JSON') }, 'no JSON'),
    says: /Webhooks: the body of the sample is refused/,
  },
  {
    wrong: 'a sample without headers',
    set: () => ({}),
    sample: () => eventBody(),
    says: /Webhooks: the sample has no headers/,
  },
];

describe('npm run doctor with a thing wrong', () => {
  test.each(faults)('$wrong', async ({ set, says, sample }) => {
    const { lines, code } = await askDoctor({ ...env, ...(await set()) }, { sample: sample?.() });
    expect(faultsIn(lines)).toEqual([expect.stringMatching(says)]);
    expect(lines.at(-1)).toBe('1 thing has to be mended (✗).');
    expect(code).toBe(1);
    expect(lines.join('\n')).not.toMatch(/canary|shared-with|-of-the-test-bed/);
  });

  test.skipIf(redisMissing !== null)('Redis that deletes keys and does not write to the disk', async () => {
    const redis = await startRedis();
    onTestFinished(async () => redis.stop());
    const client = await connectRedis(redis.url);
    await client.configSet('maxmemory-policy', 'allkeys-lru');
    await client.close();
    const { lines, code } = await askDoctor({ ...env, REDIS_URL: redis.url });
    expect(faultsIn(lines)).toEqual([
      expect.stringContaining('(maxmemory-policy is allkeys-lru): set maxmemory-policy to noeviction'),
      expect.stringContaining('Redis does not keep every write on the disk: set appendonly to yes'),
    ]);
    expect(code).toBe(1);
  });

  test.skipIf(redisMissing !== null)('nothing, over Redis that keeps its writes', async () => {
    const folder = join(temporaryDirectory(), 'redis');
    mkdirSync(folder);
    const redis = await startRedis(folder);
    onTestFinished(async () => redis.stop());
    const { lines, code } = await askDoctor({ ...env, REDIS_URL: redis.url });
    expect(faultsIn(lines)).toEqual([]);
    expect(lines).toContain('✓ Store: Redis answers.');
    expect(code).toBe(0);
  });
});
