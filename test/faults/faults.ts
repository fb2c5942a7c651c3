import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { vi } from 'vitest';
import type { TestBed, TestBedOptions } from '../support/open-test-bed.ts';
import type { ServiceFault } from '../support/proxy.ts';
import type { TestRedis } from '../support/redis.ts';
import { sendWebhook, type Observation } from './observation.ts';

/** One fault of the environment, which begins and ends. */
interface Fault {
  name: string;
  needsRedis?: boolean;
  /** How long to wait for the bot's reply. */
  timeoutMs?: number;
  /** The bot's own timeouts, where they differ from the standard ones. */
  timeouts?: NonNullable<TestBedOptions['timeouts']>;
  /** How many times as fast as real time the bot's clock runs. Default: 1. */
  clockRate?: number;
  /** @returns a function that ends the fault */
  begin(stage: Stage): (() => void | Promise<void>) | Promise<() => void | Promise<void>>;
  expected: Record<keyof Observation, RegExp>;
}

interface Stage {
  testBed: TestBed;
  /** The bot's own connection to its SQLite file. */
  database: DatabaseSync | undefined;
  redis: TestRedis | undefined;
  /** Sets how far the bot's clock is ahead. */
  moveClock(byMs: number): void;
}

/** Opens a test bed and finds its bot's connection to the SQLite file. */
export async function openWithDatabase(
  open: (options: TestBedOptions) => Promise<TestBed>,
  options: TestBedOptions,
): Promise<{ testBed: TestBed; database: DatabaseSync | undefined }> {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const testBed = await open(options);
  const opened = exec.mock.contexts.filter((_, index) =>
    String(exec.mock.calls[index]?.[0]).includes('synchronous = FULL'),
  );
  exec.mockRestore();
  return { testBed, database: opened.at(-1) as DatabaseSync | undefined };
}

const ok = /^200 .*"ready":true/;
const okWithoutService = /^200 .*"ready":true.*"quizService":"did not answer/;
export const immediately = /^immediately$/;
const afterTheFault = /^after the fault$/;
const serviceDown = /The quiz service isn’t answering right now\. Try again in a minute\./;
const serviceBusy = /The quiz service’s limit for the bot is reached.*Try again in/;

function serviceFault(fault: ServiceFault, name: string, message: RegExp, readyz = okWithoutService): Fault {
  return {
    name,
    begin({ testBed }) {
      testBed.setServiceFault(fault);
      return () => testBed.setServiceFault(undefined);
    },
    expected: { command: message, form: message, webhook: /^200 Taken/, alert: immediately, readyz },
  };
}

const lostAnswers = serviceFault(
  'lost answers',
  'Quiz service makes changes, but its responses to them are lost',
  /Found a new quiz called .* The quiz service didn’t confirm/,
  ok,
);

const slackMethods = [
  'users.info',
  'views.open',
  'views.update',
  'chat.postMessage',
  'conversations.history',
  'auth.test',
];

export const faults: readonly Fault[] = [
  serviceFault('down', 'Quiz service down', serviceDown),
  { ...serviceFault('slow', 'Quiz service times out', serviceDown), timeouts: { quizService: 3_000 } },
  serviceFault('429', 'Quiz service returns 429', serviceBusy, ok),
  serviceFault('HTML', 'Quiz service returns 200 with an HTML page', serviceDown),
  { ...lostAnswers, expected: { ...lostAnswers.expected, command: /Forklift theory test/ } },
  {
    name: 'Slack down',
    // While Slack is down, no reply arrives, however long a person waits.
    timeoutMs: 2_000,
    clockRate: 10,
    begin({ testBed: { workspace }, moveClock }) {
      moveClock(60_000);
      return workspace.faults.inject({ kind: 'lost-request' });
    },
    expected: {
      command: /^nothing$/,
      form: /^nothing$/,
      webhook: /^200 Taken/,
      alert: afterTheFault,
      readyz: /^503 .*Slack cannot be used/,
    },
  },
  {
    name: 'Slack returns 429',
    begin({ testBed: { workspace }, moveClock }) {
      moveClock(60_000);
      const ends = slackMethods.map((method) =>
        workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 5 }, { method }),
      );
      return () => ends.forEach((end) => end());
    },
    expected: {
      command: /Forklift theory test/,
      form: /Slack’s limit for the bot is reached.*Try again in/,
      webhook: /^200 Taken/,
      alert: afterTheFault,
      readyz: /^503 .*Slack cannot be used/,
    },
  },
  {
    name: 'Slack takes 2 s for every call',
    begin({ testBed: { workspace } }) {
      return workspace.faults.inject({ kind: 'latency', ms: 2_000 });
    },
    expected: {
      command: /Forklift theory test/,
      form: /Created \*Quiz of the fault\*/,
      webhook: /^200 Taken/,
      alert: immediately,
      readyz: /^(?:200|503)/,
    },
  },
  {
    name: 'Store full (SQLite)',
    async begin({ testBed, database }) {
      const pages = Number(database?.prepare('PRAGMA page_count').get()?.['page_count']);
      database?.exec(`PRAGMA max_page_count = ${pages}`);
      fill(database!);
      await fillInbox(testBed);
      return () => {
        database?.exec(`PRAGMA max_page_count = ${100 * pages}`);
        database?.exec("DELETE FROM keyed_values WHERE key LIKE 'filler%'");
      };
    },
    expected: {
      command: /Forklift theory test|can’t write to its own database/,
      form: /Created \*Quiz of the fault\*|can’t write to its own database/,
      webhook: /^503 /,
      alert: afterTheFault,
      readyz: /^503 .*the store cannot be used/,
    },
  },
  {
    name: 'Store read-only (SQLite)',
    begin({ database }) {
      database?.exec('PRAGMA query_only = ON');
      return () => database?.exec('PRAGMA query_only = OFF');
    },
    expected: {
      command: /Forklift theory test/,
      form: /Created \*Quiz of the fault\*/,
      webhook: /^503 /,
      alert: afterTheFault,
      readyz: /^503 .*the store cannot be used/,
    },
  },
  {
    name: 'Store unavailable (Redis stopped)',
    needsRedis: true,
    async begin({ redis }) {
      await redis?.stop();
      return () => redis?.startAgain();
    },
    expected: {
      command: /The bot can’t reach its own database.*Try again in a minute/,
      form: /The bot can’t reach its own database.*Try again in a minute/,
      webhook: /^503 /,
      alert: afterTheFault,
      readyz: /^503 .*the store cannot be used/,
    },
  },
  {
    name: 'Bot’s clock one day ahead',
    begin({ moveClock }) {
      moveClock(86_400_000);
      return () => moveClock(0);
    },
    expected: {
      command: /^Slack: dispatch_failed$/,
      form: /^Slack: dispatch_failed$/,
      webhook: /^401 Refused: the timestamp/,
      alert: afterTheFault,
      readyz: ok,
    },
  },
];

/** Sends events until the last 30 are refused: before that, some still fit into pages that the inbox already has. */
async function fillInbox(testBed: TestBed): Promise<void> {
  for (let refused = 0; refused < 30;) {
    const answer = await sendWebhook(testBed, { event_id: randomUUID(), event_type: 'user.created' });
    refused = answer.startsWith('503') ? refused + 1 : 0;
  }
}

/** Fills the free space, down to the last page. */
function fill(database: DatabaseSync): void {
  const insert = database.prepare('INSERT INTO keyed_values VALUES (?, ?, NULL)');
  for (const length of [100_000, 4_000, 500, 50]) {
    for (let number = 0; number < 10_000; number += 1) {
      try {
        insert.run(`filler ${length} ${number}`, 'x'.repeat(length));
      } catch {
        break;
      }
    }
  }
}
