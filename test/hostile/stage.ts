import {
  openBotStore,
  openSurroundings,
  startAccount,
  type Place,
  watchServiceCalls,
  type KeptBack,
  type SetPassword,
} from './place.ts';
import type { KnownToken } from './proofs.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { encodeBody, signedHeaders } from '../../src/sandbox/workspace/delivery/dispatcher.ts';
import { createBotChild } from '../judges/bot-child.ts';
import { sign } from '../support/event.ts';
import { agentRequest, type AgentCall } from './agent-calls.ts';
import {
  addCohort,
  type Cohort,
  idPartOf,
  markOf,
  createCanaries,
  type Canaries,
  tenantsIn,
  type Tenant,
  type World,
  pathTo,
} from './cohort.ts';
import { createJournal, type Journal } from './journal.ts';
import type { Deed } from './judge.ts';
import type { AddressedPayload } from './payloads.ts';
import type { SeenText } from './slack.ts';
import type { Wave } from './steps.ts';
import { connect } from 'node:net';
import type { Database } from '../../src/sandbox/quiz-service/database.ts';

/** A process with a bot for each tenant, each between a hostile Slack and a quiz service of its own. */
export interface Stage {
  /** One for each sequence at a time; each knows that of the other tenant. */
  cohorts: readonly Cohort[];
  places: readonly [Place, ...Place[]];
  placeOf(cohort: Pick<Cohort, 'tenant'>): Place;
  /** Of a cohort; undefined for a number of none. */
  tenantOf(cohort: number | undefined): Tenant | undefined;
  journal: Journal;
  canaries: Canaries;
  seenTexts: SeenText[];
  passwords: SetPassword[];
  logLines: string[];
  /** Uncaught errors, unexpected exits and calls with the token of another app. */
  faults: string[];
  /** Everything that people of a cohort did, in all its sequences. */
  deeds: Map<number, Deed[]>;
  /** What each person typed, in lower case: it is no secret to them. */
  typed: Map<string, string>;
  /** The tokens that people were shown, the latest last. */
  tokens: KnownToken[];
  /** When a step last ran with a text that lends it somebody’s rights: the bot’s time, in milliseconds. */
  uses: Map<string, number>;
  /** The bot’s time, in milliseconds. */
  now(): number;
  /** Of a delivery. */
  nextNumber(): number;
  /** Gives a cohort back as it was at first. What the bot remembers of it stays. */
  restore(cohort: Cohort): void;
  /** Delivers a payload. @returns the status and the body of the bot's answer; undefined while the bot is down */
  deliver(payload: AddressedPayload): Promise<{ status: number; body: string } | undefined>;
  /** Acts right before the `count`th request of a bot to Slack or the service from now on is answered. */
  after(count: number, act: () => void | Promise<void>): () => void;
  keepBack(cohort: number): KeptBack;
  loseCreation(cohort: number, act: (fields: URLSearchParams) => void): void;
  /** Puts the bot’s clock ahead. */
  leap(ms: number): Promise<void>;
  /** Begins many requests. One wave at a time: together, they would take every connection. @returns ends it */
  wave(wave: Wave, to: Tenant): Promise<() => void>;
  /** Kills the bot and starts it again on the same data. @param whileDown called in between */
  restart(whileDown?: () => void): Promise<void>;
  /** Resolves when the bot is up. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** The cohort that the other tenant has for the sequences of a cohort has a number so much higher. */
const otherFrom = 500;

/** @param options.hasOwners whether one person of each cohort is in OWNERS */
export async function openStage(
  numbers: readonly number[],
  {
    hasOwners = true,
    world = 'one bot',
    logLevel = 'debug',
  }: { hasOwners?: boolean; world?: World; logLevel?: string } = {},
): Promise<Stage> {
  const canaries = createCanaries();
  const tenants = tenantsIn(world);
  const accounts = await Promise.all(tenants.map(async (tenant) => ({ tenant, service: await startAccount(tenant) })));
  const journal = createJournal(accounts.map(({ tenant, service: { database } }) => ({ tenant, database })));
  const all = new Map<number, Cohort>();
  const add = (number: number, { tenant, service }: (typeof accounts)[number]) => {
    const cohort = addCohort(service.database, canaries, { number, tenant, hasOwner: hasOwners });
    journal.addCohort(cohort);
    all.set(number, cohort);
    return cohort;
  };
  // Each tenant is that of half the sequences, and the other of the rest.
  const cohorts = numbers.map((number) => {
    const [account, other] = number % 2 === 1 ? accounts : accounts.toReversed();
    const cohort = add(number, account!);
    if (other) {
      cohort.other = add(number + otherFrom, other);
      cohort.other.other = cohort;
    }
    return cohort;
  });
  const restoreRows = new Map(accounts.map(({ tenant, service }) => [tenant, keepRows(service.database)]));
  const hooks = new Set<() => void | Promise<void>>();
  const seenTexts: SeenText[] = [];
  const logLines: string[] = [];
  const faults: string[] = [];
  const calls = watchServiceCalls(journal);
  const surroundings = await Promise.all(
    accounts.map(async ({ tenant, service }) => ({
      tenant,
      service,
      ...(await openSurroundings(tenant, {
        service,
        cohorts: [...all.values()].filter((cohort) => cohort.tenant === tenant),
        onSeenText: (seenText) => seenTexts.push(seenText),
        onForeignToken: (method) => faults.push(`${method} in ${tenant.name} with the token of another app`),
        async beforeAnswer() {
          for (const hook of hooks) await hook();
        },
        beforeCall: calls.before,
        afterCall: calls.after,
      })),
    })),
  );
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-hostile-'));
  const bot = createBotChild(
    { ...settingsOf(surroundings, folder), LOG_LEVEL: logLevel },
    { fault: (what) => faults.push(what), log: (lines) => logLines.push(lines) },
  );
  let lastNumber = 0;
  let restarting: Promise<void> | undefined;
  let endWave: (() => void) | undefined;

  async function start(): Promise<void> {
    journal.starts.push(journal.tick());
    await bot.start();
  }

  let starting = start();
  await starting;
  const places = surroundings.map(({ tenant, service, slack }): Place => ({
    tenant,
    service,
    slack,
    store: openBotStore(tenant.name === '' ? folder : join(folder, 'tenants', tenant.name)),
  })) as [Place, ...Place[]];
  return {
    cohorts,
    places,
    placeOf: ({ tenant }) => places.find((place) => place.tenant === tenant)!,
    tenantOf: (number = -1) => all.get(number)?.tenant,
    journal,
    canaries,
    seenTexts,
    passwords: calls.passwords,
    logLines,
    faults,
    deeds: new Map([...all.keys()].map((number) => [number, []])),
    typed: new Map(),
    tokens: [],
    uses: new Map(),
    now: bot.now,
    nextNumber: () => (lastNumber += 1),
    restore: (cohort) => journal.restore(cohort, () => restoreRows.get(cohort.tenant)!(cohort.number)),
    async deliver(payload) {
      await starting;
      const { path, ...request } = requestOf(payload, bot.now());
      return bot.post(path, request);
    },
    after(count, act) {
      let left = count;
      const hook = async () => {
        left -= 1;
        if (left > 0 || !hooks.delete(hook)) return;
        await act();
      };
      hooks.add(hook);
      return () => void hooks.delete(hook);
    },
    keepBack: calls.keepBack,
    loseCreation: calls.loseCreation,
    async leap(ms) {
      await starting;
      await bot.leap(ms);
      journal.leaps.push(journal.tick());
    },
    async wave(wave, to) {
      await starting;
      endWave?.();
      endWave = await startWave(bot.url(), { ...wave, path: pathTo(wave.path, to) });
      return endWave;
    },
    async restart(whileDown) {
      // Two kills at the same time count once.
      restarting ??= (async () => {
        if (await bot.kill()) journal.kills.push(journal.tick());
        whileDown?.();
        await start();
      })().finally(() => (restarting = undefined));
      starting = restarting;
      await starting;
    },
    async up() {
      await starting;
    },
    async close() {
      endWave?.();
      for (const { store } of places) store.close();
      await bot.kill();
      for (const { slack, proxy, service } of surroundings) {
        slack.close();
        proxy.close();
        await service.close();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The environment of a single bot; or of a process with the bots of a file of tenants, which it writes. */
function settingsOf(
  surroundings: readonly { tenant: Tenant; settings: Record<string, string> }[],
  folder: string,
): Record<string, string> {
  const secretsOf = ({ secrets }: Tenant) => ({
    SLACK_BOT_TOKEN: secrets.botToken,
    SLACK_SIGNING_SECRET: secrets.signingSecret,
    QUIZ_API_KEY: secrets.apiKey,
    WEBHOOK_SECRET: secrets.webhookSecret,
  });
  const [only] = surroundings;
  if (only?.tenant.name === '') return { ...only.settings, ...secretsOf(only.tenant), DATA_DIR: folder };
  const env: Record<string, string> = { DATA_DIR: folder, TENANTS_FILE: join(folder, 'tenants.yml') };
  const named = surroundings.map(({ tenant, settings }) => {
    const own: Record<string, string> = { ...settings };
    for (const [variable, secret] of Object.entries(secretsOf(tenant))) {
      const name = `${tenant.name.toUpperCase()}_${variable}`;
      env[name] = secret;
      own[`${variable}_ENV`] = name;
    }
    return [tenant.name, own] as const;
  });
  writeFileSync(env['TENANTS_FILE']!, stringify({ tenants: Object.fromEntries(named) }));
  return env;
}

function requestOf({ kind, body: payload, address }: AddressedPayload, now: number) {
  const secretOf = (which: 'signingSecret' | 'webhookSecret') => address.signer?.secrets[which] ?? 'a secret of nobody';
  const path = (base: string) => pathTo(base, address.to);
  if (kind === 'agent')
    return { path: path('/mcp'), ...agentRequest(payload as AgentCall, { secret: secretOf('signingSecret'), now }) };
  if (kind === 'webhook') {
    const body = JSON.stringify(payload);
    const headers = {
      'content-type': 'application/json',
      'x-webhook-signature': sign(body, secretOf('webhookSecret')),
    };
    return { path: path('/webhooks/quiz'), headers, body };
  }
  const { contentType, body } = encodeBody(kind, payload);
  const headers = { 'content-type': contentType, ...signedHeaders(secretOf('signingSecret'), now, body) };
  return { path: path('/slack/events'), headers, body };
}

/** In the order in which rows can be added. */
const tables = [
  'quizzes',
  'groups',
  'users',
  'user_quizzes',
  'user_groups',
  'group_quizzes',
  'trainer_quizzes',
  'trainer_groups',
  'responses',
];

/** Keeps a copy of every row. @returns a function that gives the records of a cohort back as they were, without others */
function keepRows(database: Database): (cohort: number) => void {
  const columns = new Map(
    tables.map((table) => {
      const names = database
        .all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
        .map(({ name }) => name)
        .filter((name) => name !== 'seq');
      database.run(`CREATE TABLE kept_${table} AS SELECT ${names.join(', ')} FROM ${table}`);
      return [table, names.join(', ')] as const;
    }),
  );
  const idOf = (table: string) =>
    ({ quizzes: 'quiz_id', groups: 'group_id', responses: 'response_id', group_quizzes: 'group_id' })[table] ??
    'user_id';

  return (cohort) =>
    database.transaction(() => {
      const values = { id: `%${idPartOf(cohort)}%`, mark: `%${markOf(cohort)}%` };
      database.run('DELETE FROM users WHERE user_id LIKE :id OR user_name LIKE :mark', values);
      database.run('DELETE FROM quizzes WHERE quiz_id LIKE :id OR name LIKE :mark', values);
      database.run('DELETE FROM groups WHERE group_id LIKE :id', { id: values.id });
      for (const [table, names] of columns) {
        database.run(
          `INSERT INTO ${table} (${names}) SELECT ${names} FROM kept_${table} WHERE ${idOf(table)} LIKE :id`,
          { id: values.id },
        );
      }
    });
}

/** More than the calls that the bot takes at a time. */
const connections = 105;

/** Begins so many requests. @returns ends them */
async function startWave(botUrl: string, wave: { kind: Wave['kind']; path: string }): Promise<() => void> {
  const { port, hostname } = new URL(botUrl);
  const request = requestOfWave(wave, hostname);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname);
      // The bot ends some of them, and all when it is killed.
      socket.on('error', () => {}).resume();
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
      await new Promise((resolve) => socket.write(request, resolve));
      return socket;
    }),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

function requestOfWave({ kind, path }: Parameters<typeof startWave>[1], host: string): string {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const proof =
    kind === 'unfinished with a token'
      ? [`authorization: Bearer inv_T0HOSTILE_U0NOBODY_${'A'.repeat(43)}`]
      : kind === 'unfinished'
        ? []
        : [`x-slack-request-timestamp: ${Math.floor(Date.now() / 1_000)}`, `x-slack-signature: v0=${'0'.repeat(64)}`];
  const length = body.length + (kind === 'refused' ? 0 : 100);
  return [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${length}`,
    ...proof,
    '',
    body,
  ].join('\r\n');
}
