import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startQuizService, type QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { encodeBody, signedHeaders } from '../../src/sandbox/workspace/delivery/http-transport.ts';
import type { DeliveryKind } from '../../src/sandbox/workspace/model.ts';
import { programEnv } from '../support/child-process.ts';
import { agentRequest, type AgentCall } from './agent-calls.ts';
import type { KnownToken } from './agent-tokens.ts';
import type { BotMessage } from './bot.ts';
import { openBotStore, type BotStore } from './bot-store.ts';
import { createCanaries, type Canaries } from './canaries.ts';
import { createJournal, type ChangingCall, type Journal } from './journal.ts';
import type { Deed } from './judge.ts';
import { keepRows } from './restore.ts';
import { secrets } from './secrets.ts';
import { startServiceProxy, type ServiceCall } from './service-proxy.ts';
import { approvalsChannel, startHostileSlack, type HostileSlack, type SeenText } from './slack.ts';
import { startWave, type Wave } from './waves.ts';
import { addCohort, cohortOfId, cohortOfName, handleOfSlackId, slackIdOf, type Cohort } from './cohort.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';

/** A password that the bot set, and the user it is for; the path of a new user names none. */
export interface SetPassword {
  password: string;
  userId: string | undefined;
}

/** An answer of the service that is kept back. */
export interface KeptBack {
  /** Whether there is one: the service has made the change. */
  readonly isKeeping: boolean;
  /** Gives the answer, or keeps none back any more. */
  giveBack(): void;
}

/** A bot in its own process between a hostile Slack and a quiz service with the records of some cohorts. */
export interface Stage {
  cohorts: readonly Cohort[];
  journal: Journal;
  canaries: Canaries;
  service: QuizService;
  /** Of a bot that was started at least once. */
  store: BotStore;
  slack: HostileSlack;
  seenTexts: SeenText[];
  passwords: SetPassword[];
  logLines: string[];
  /** Uncaught errors and unexpected exits. */
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
  /** Gives a cohort back as it was at first. What the bot remembers of it stays. */
  restore(cohort: Cohort): void;
  /** Delivers a payload. @returns the status and the body of the bot's answer; undefined while the bot is down */
  deliver(
    kind: DeliveryKind | 'agent',
    payload: Record<string, unknown>,
  ): Promise<{ status: number; body: string } | undefined>;
  /** Acts right before the `count`th request of the bot to Slack or the service from now on is answered. */
  after(count: number, act: () => void | Promise<void>): () => void;
  /** Keeps back the answer to the next change of a cohort’s records. */
  keepBack(cohort: number): KeptBack;
  /**
   * Answers the next request that creates a user of the cohort with nothing: it does not reach the service, but `act` is called
   * with its fields.
   */
  loseCreation(cohort: number, act: (fields: URLSearchParams) => void): void;
  /** Puts the bot’s clock ahead. */
  leap(ms: number): Promise<void>;
  /** Begins many requests. One wave at a time: together, they would take every connection. @returns ends it */
  wave(wave: Wave): Promise<() => void>;
  /** Kills the bot and starts it again on the same data. @param whileDown called in between */
  restart(whileDown?: () => void): Promise<void>;
  /** Resolves when the bot is up. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** @param options.hasOwners whether one person of each cohort is in OWNERS */
export async function openStage(
  numbers: readonly number[],
  { hasOwners = true, logLevel = 'debug' } = {},
): Promise<Stage> {
  const canaries = createCanaries();
  const service = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey: secrets.apiKey,
    ratePerMinute: 1e9,
    ratePerHour: 1e9,
    sample: 'empty',
  });
  const journal = createJournal(service.database);
  const cohorts = numbers.map((number) => {
    const cohort = addCohort(service.database, canaries, { number, hasOwner: hasOwners });
    journal.addCohort(cohort);
    return cohort;
  });
  const byNumber = new Map(cohorts.map((cohort) => [cohort.number, cohort]));
  const restoreRows = keepRows(service.database);
  const hooks = new Set<() => void | Promise<void>>();
  const runHooks = async () => {
    for (const hook of hooks) await hook();
  };
  const seenTexts: SeenText[] = [];
  const passwords: SetPassword[] = [];
  const keeping = new Map<number, () => Promise<void>>();
  const losing = new Map<number, (fields: URLSearchParams) => void>();
  const calls = new WeakMap<ServiceCall, ChangingCall>();
  const slack = await startHostileSlack({
    person(id) {
      const { cohort = -1, handle = '' } = handleOfSlackId(id) ?? {};
      return byNumber.get(cohort)?.people[handle];
    },
    personWithEmail: (email) =>
      cohorts.flatMap(({ people }) => Object.values(people)).find((person) => person.email === email),
    onSeenText: (seenText) => seenTexts.push(seenText),
    beforeAnswer: runHooks,
  });
  const proxy = await startServiceProxy(service.url, {
    beforeCall(serviceCall) {
      const { method, path, body } = serviceCall;
      const cohort = method === 'GET' ? undefined : cohortOfCall(path, body);
      if (cohort !== undefined) {
        const call = { cohort, path, arrived: journal.tick(), answered: Infinity };
        journal.calls.push(call);
        calls.set(serviceCall, call);
      }
      const password = new URLSearchParams(body).get('password');
      const lose =
        cohort !== undefined && method === 'POST' && path.endsWith('/users') ? losing.get(cohort) : undefined;
      if (lose) {
        losing.delete(cohort!);
        lose(new URLSearchParams(body));
        throw new Error('the answer is lost');
      }
      if (password !== null) passwords.push({ password, userId: /\/users\/([^/]+)$/.exec(path)?.[1] });
    },
    async afterCall(serviceCall) {
      await runHooks();
      const call = calls.get(serviceCall);
      if (call === undefined) return;
      const keep = keeping.get(call.cohort);
      keeping.delete(call.cohort);
      await keep?.();
      call.answered = journal.tick();
    },
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'invigilator-hostile-'));
  const env = {
    ...programEnv,
    SLACK_BOT_TOKEN: secrets.botToken,
    SLACK_SIGNING_SECRET: secrets.signingSecret,
    SLACK_API_URL: `${slack.url}/api/`,
    QUIZ_API_URL: proxy.url,
    QUIZ_API_KEY: secrets.apiKey,
    WEBHOOK_SECRET: secrets.webhookSecret,
    WORKFLOW_STEPS_ENABLED: 'true',
    MCP_ENABLED: 'true',
    APPROVALS_CHANNEL: approvalsChannel,
    OWNERS: (hasOwners ? numbers : []).map((number) => slackIdOf(number, 'owner')).join(','),
    DATA_DIR: dataDir,
    LOG_LEVEL: logLevel,
    HOST: '127.0.0.1',
    PORT: '0',
  };
  const logLines: string[] = [];
  const faults: string[] = [];
  const expected = new WeakSet<ChildProcess>();
  let child: ChildProcess | undefined;
  let pool: Pool | undefined;
  let starting: Promise<void> | undefined;
  let restarting: Promise<void> | undefined;
  let aheadMs = 0;
  let onAhead = () => {};
  let botUrl = '';
  let endWave: (() => void) | undefined;
  const now = () => Date.now() + aheadMs;

  async function start(): Promise<void> {
    journal.starts.push(journal.tick());
    const started = fork('test/hostile/bot.ts', [String(aheadMs)], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = started;
    started.once('exit', () => expected.has(started) || faults.push('the process of the bot exited'));
    const url = await new Promise<string>((resolve, reject) => {
      started.on('message', (received) => {
        const message = received as BotMessage;
        if (message.kind === 'up') resolve(message.url);
        else if (message.kind === 'fault') faults.push(message.what);
        else if (message.kind === 'ahead') onAhead();
        else logLines.push(message.lines);
      });
      started.once('error', reject);
      started.once('exit', () => reject(new Error(`the bot did not start: ${faults.join('\n')}`)));
    });
    botUrl = url;
    pool = new Pool(url, { connections: 64, headersTimeout: 30_000, bodyTimeout: 30_000 });
  }

  async function kill(): Promise<void> {
    const ending = child;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    expected.add(ending);
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await gone;
    journal.kills.push(journal.tick());
    await pool?.destroy();
  }

  starting = start();
  await starting;
  const store = openBotStore(dataDir);
  return {
    cohorts,
    journal,
    canaries,
    service,
    store,
    slack,
    seenTexts,
    passwords,
    logLines,
    faults,
    deeds: new Map(cohorts.map(({ number }) => [number, []])),
    typed: new Map(),
    tokens: [],
    uses: new Map(),
    now,
    restore: (cohort) => journal.restore(cohort, () => restoreRows(cohort.number)),
    async deliver(kind, payload) {
      await starting;
      const { path, headers, body } = requestOf(kind, payload, now());
      try {
        const { statusCode, body: answer } = await pool!.request({
          method: 'POST',
          path,
          headers,
          body,
        });
        return { status: statusCode, body: await answer.text() };
      } catch {
        return undefined;
      }
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
    keepBack(cohort) {
      const given = Promise.withResolvers<void>();
      let isKeeping = false;
      const keep = () => {
        isKeeping = true;
        return given.promise;
      };
      keeping.set(cohort, keep);
      return {
        get isKeeping() {
          return isKeeping;
        },
        giveBack() {
          if (keeping.get(cohort) === keep) keeping.delete(cohort);
          isKeeping = false;
          given.resolve();
        },
      };
    },
    loseCreation: (cohort, act) => void losing.set(cohort, act),
    async leap(ms) {
      await starting;
      aheadMs += ms;
      const ahead = new Promise<void>((resolve) => (onAhead = resolve));
      child?.send(aheadMs);
      await ahead;
      journal.leaps.push(journal.tick());
    },
    async wave(wave) {
      await starting;
      endWave?.();
      endWave = await startWave(botUrl, wave);
      return endWave;
    },
    async restart(whileDown) {
      // Two kills at the same time count once.
      restarting ??= kill()
        .then(() => whileDown?.())
        .then(start)
        .finally(() => (restarting = undefined));
      starting = restarting;
      await starting;
    },
    async up() {
      await starting;
    },
    async close() {
      endWave?.();
      store.close();
      await kill();
      slack.close();
      proxy.close();
      await service.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function requestOf(kind: DeliveryKind | 'agent', payload: Record<string, unknown>, now: number) {
  if (kind === 'agent') return { path: '/mcp', ...agentRequest(payload as AgentCall, now) };
  const { contentType, body } = encodeBody(kind, payload);
  const headers = { 'content-type': contentType, ...signedHeaders(secrets.signingSecret, now, body) };
  return { path: '/slack/events', headers, body };
}

/** The cohort whose records a request changes: by an id in its path, or by the name of a new record. */
function cohortOfCall(path: string, body: string): number | undefined {
  const ids = path.split(/[/?]/).map(cohortOfId);
  return ids.find((cohort) => cohort !== undefined) ?? cohortOfName(decodeURIComponent(body));
}
