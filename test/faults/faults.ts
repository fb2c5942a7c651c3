import { DatabaseSync } from 'node:sqlite';
import { expect, vi } from 'vitest';
import type { TestBed, TestBedOptions } from '../support/open-test-bed.ts';
import type { ServiceFault } from '../support/proxy.ts';
import type { TestRedis } from '../support/redis.ts';
import { sendWebhook, type Visibility } from './observation.ts';

/** Something that is wrong, alone, for a while. */
export interface Fault {
  name: string;
  needsRedis?: boolean;
  /** What a person waits for in the bot, and a little. */
  timeoutMs?: number;
  /** @returns what ends it */
  begin(staged: Staged): (() => void | Promise<void>) | Promise<() => void | Promise<void>>;
  /** What people have to see. */
  sees: Record<keyof Visibility, RegExp>;
}

interface Staged {
  testBed: TestBed;
  /** The bot's own SQLite file, as the bot has it open. */
  database: DatabaseSync | undefined;
  redis: TestRedis | undefined;
  /** Moves the clock of the bot. */
  moveClock(byMs: number): void;
}

/** Opens a house and finds the connection to the file that its bot has opened. */
export async function openWithDatabase(open: (options: TestBedOptions) => Promise<TestBed>, options: TestBedOptions): Promise<{ testBed: TestBed; database: DatabaseSync | undefined }> {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const testBed = await open(options);
  const opened = exec.mock.contexts.filter((_, index) => String(exec.mock.calls[index]?.[0]).includes('synchronous = FULL'));
  exec.mockRestore();
  return { testBed, database: opened.at(-1) as DatabaseSync | undefined };
}

const ok = /^200 .*"ready":true/;
const okWithoutService = /^200 .*"ready":true.*"quizService":"did not answer/;
export const atOnce = /^at once$/;
const whenOver = /^when it is over$/;
const serviceDown = /The quiz service is not answering right now\. Try again in a minute \(reference …\)/;
const serviceBusy = /The quiz service takes only so many requests a minute.*Try again in/;

function ofService(fault: ServiceFault, name: string, says: RegExp, readyz = okWithoutService): Fault {
  return {
    name,
    begin({ testBed }) {
      testBed.setServiceFault(fault);
      return () => testBed.setServiceFault(undefined);
    },
    sees: { command: says, form: says, webhook: /^200 Taken/, alert: atOnce, readyz },
  };
}

const lostAnswers = ofService('lost answers', 'Quiz service does what it is asked, and its answers to changes are lost', /may have been done all the same: look, before you try again/);

const slackMethods = ['users.info', 'views.open', 'views.update', 'chat.postMessage', 'conversations.history', 'auth.test'];

export const faults: readonly Fault[] = [
  ofService('down', 'Quiz service down', serviceDown),
  { ...ofService('slow', 'Quiz service does not answer in time', serviceDown), timeoutMs: 25_000 },
  ofService('429', 'Quiz service answers 429', serviceBusy, ok),
  ofService('HTML', 'Quiz service answers 200 with a page', serviceDown),
  { ...lostAnswers, sees: { ...lostAnswers.sees, command: /Forklift theory test/ } },
  {
    name: 'Slack down',
    begin({ testBed: { workspace }, moveClock }) {
      moveClock(60_000);
      return workspace.faults.inject({ kind: 'lost-request' });
    },
    sees: { command: /^nothing$/, form: /^nothing$/, webhook: /^200 Taken/, alert: whenOver, readyz: /^503 .*Slack cannot be used/ },
  },
  {
    name: 'Slack answers 429',
    begin({ testBed: { workspace }, moveClock }) {
      moveClock(60_000);
      const ends = slackMethods.map((method) => workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 5 }, { method }));
      return () => ends.forEach((end) => end());
    },
    sees: { command: /Forklift theory test/, form: /Slack takes only so many requests of the bot.*Try again in/, webhook: /^200 Taken/, alert: whenOver, readyz: /^503 .*Slack cannot be used/ },
  },
  {
    name: 'Slack takes 2 s for everything',
    begin({ testBed: { workspace } }) {
      return workspace.faults.inject({ kind: 'latency', ms: 2_000 });
    },
    sees: { command: /Forklift theory test/, form: /is created/, webhook: /^200 Taken/, alert: atOnce, readyz: /^(?:200|503)/ },
  },
  {
    name: 'Store full (SQLite)',
    async begin({ testBed, database }) {
      const pages = Number(database?.prepare('PRAGMA page_count').get()?.['page_count']);
      database?.exec(`PRAGMA max_page_count = ${pages}`);
      fill(database!);
      await fillInbox(testBed, database!);
      return () => {
        database?.exec(`PRAGMA max_page_count = ${100 * pages}`);
        database?.exec("DELETE FROM keyed_values WHERE key LIKE 'filler%'");
      };
    },
    sees: { command: /Forklift theory test|store takes nothing/, form: /is created|store takes nothing/, webhook: /^503 /, alert: whenOver, readyz: /^503 .*the store cannot be used/ },
  },
  {
    name: 'Store read-only (SQLite)',
    begin({ database }) {
      database?.exec('PRAGMA query_only = ON');
      return () => database?.exec('PRAGMA query_only = OFF');
    },
    sees: { command: /Forklift theory test/, form: /is created/, webhook: /^503 /, alert: whenOver, readyz: /^503 .*the store cannot be used/ },
  },
  {
    name: 'Store away (Redis stopped)',
    needsRedis: true,
    async begin({ redis }) {
      await redis?.stop();
      return () => redis?.startAgain();
    },
    sees: { command: /The bot’s store is away.*Try again in a minute/, form: /The bot’s store is away.*Try again in a minute/, webhook: /^503 /, alert: whenOver, readyz: /^503 .*the store cannot be used/ },
  },
  {
    name: 'Clock of the bot’s machine a day ahead',
    begin({ moveClock }) {
      moveClock(86_400_000);
      return () => moveClock(0);
    },
    sees: { command: /^Slack: dispatch_failed$/, form: /^Slack: dispatch_failed$/, webhook: /^401 Refused: the timestamp/, alert: whenOver, readyz: ok },
  },
];

/** Until what is left of the inbox's own pages is full as well. An event that is dealt with gives back what its body took: one is refused for good where none waits. */
async function fillInbox(testBed: TestBed, database: DatabaseSync): Promise<void> {
  const waiting = database.prepare('SELECT event_id FROM events WHERE settled = 0');
  for (let number = 0, refused = 0; refused < 2; number += 1) {
    const answer = await sendWebhook(testBed, { event_id: `filler-${number}`, event_type: 'user.created' });
    refused = answer.startsWith('503') ? refused + 1 : 0;
    if (refused > 0) await vi.waitFor(() => expect(waiting.all()).toEqual([]), { timeout: 10_000 });
  }
}

/** Fills what is free, down to the last page. */
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
