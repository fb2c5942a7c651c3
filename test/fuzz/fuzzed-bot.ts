import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { systemClock } from '../../src/time/clock.ts';
import { createBotChild } from '../judges/bot-child.ts';
import { recordingLog } from '../support/log.ts';
import { createOpenBudget } from '../support/mock-service.ts';
import { openSurroundings } from '../support/open-test-bed.ts';

export interface FuzzedBot {
  url: string;
  /** Uncaught errors, failed requests and unexpected exits. */
  faults: string[];
  /** In MiB. @throws if the bot has a fault by then */
  memory(): Promise<number>;
  close(): Promise<void>;
}

/** A sandbox workspace and a sandbox quiz service without rate limits, a folder for a bot, and what it has in its environment. */
async function openUnlimited(now = Date.now) {
  const cleanups: (() => unknown)[] = [];
  const surroundings = await openSurroundings(
    {
      workspace: { now, strictness: { rateLimits: false } },
      quizService: { ratePerMinute: 1e9, ratePerHour: 1e9 },
    },
    (cleanUp) => cleanups.push(cleanUp),
  );
  const dataDir = mkdtempSync(join(tmpdir(), 'invigilator-fuzz-'));
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
  return {
    ...surroundings,
    env: { ...surroundings.env, DATA_DIR: dataDir },
    onClose: (cleanUp: () => unknown) => void cleanups.push(cleanUp),
    async close() {
      for (const cleanUp of cleanups.toReversed()) await cleanUp();
    },
  };
}

/** Starts a bot in its own process. */
export async function startFuzzedBot(more: Record<string, string> = {}): Promise<FuzzedBot> {
  const { env, onClose, close } = await openUnlimited();
  const faults: string[] = [];
  const bot = createBotChild(
    // With the token of the test bed, the samples say who their steps act as.
    { ...env, WORKFLOW_STEPS_ENABLED: 'true', LOG_LEVEL: 'error', ...more },
    {
      fault: (what) => faults.push(what),
      log: (lines) => faults.push(...lines.split('\n').filter((line) => line.includes('"request failed"'))),
    },
  );
  onClose(() => bot.kill());
  await bot.start();
  return {
    url: bot.url(),
    faults,
    async memory() {
      const memory = await bot.memory();
      if (faults.length > 0) throw new Error(faults.join('\n'));
      return memory;
    },
    close,
  };
}

/** Starts a bot in this process, of which `people.ada` is an owner, who may do everything. @param serviceUrl a proxy of the service */
export async function startBotHere({
  now = Date.now,
  serviceUrl = async (url) => url,
}: { now?: () => number; serviceUrl?: (url: string) => Promise<string> } = {}) {
  const { workspace, quizService, env, onClose, close } = await openUnlimited(now);
  const { log, lines } = recordingLog();
  const app = await createApp({
    config: readConfig({
      ...env,
      QUIZ_API_URL: await serviceUrl(quizService.url),
      OWNERS: people.ada.id,
      HOST: '127.0.0.1',
      PORT: '0',
    }),
    log,
    clock: { ...systemClock, now },
    budget: createOpenBudget(),
  });
  workspace.setBot(`http://127.0.0.1:${await app.start()}/slack/events`);
  onClose(() => app.stop());
  return { workspace, quizService, apiKey: env.QUIZ_API_KEY, lines, close };
}
