import { parse } from 'csv-parse/sync';
import { inject, onTestFinished } from 'vitest';
import { createSandboxClock, quarterDaySteps, type SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { inTheAccount } from './many-changes.ts';
import { openProcessTestBed, type ProcessTestBedOptions } from './process-test-bed.ts';
import { followOverRedis } from './redis-clock.ts';
import { actionIdOf, locationOf } from './results.ts';
import { textOf } from './test-bed.ts';
import { appendFileSync, readFileSync } from 'node:fs';
import { createApp } from '../../src/app.ts';
import { readConfig, secretsOf } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { slackSecretPatterns } from '../../src/slack/errors.ts';
import type { Clock } from '../../src/time/clock.ts';
import type { KillableBot } from './killable-bot.ts';
import { findFreePort } from './loopback.ts';
import { createOpenBudget } from './mock-service.ts';
import { settle, sleepBy, workCount } from './settle.ts';

/** Makes bots in the process of the test, which start in a tenth of the time of a program. They cannot be killed. */
function botsHere(clock: SandboxClock): NonNullable<ProcessTestBedOptions['createBot']> {
  const follower = followHere(clock);
  return (options) => createBotHere(options, follower);
}

async function createBotHere(
  { env, logFile }: { env: Record<string, string>; logFile: string },
  follower: ReturnType<typeof followHere>,
): Promise<KillableBot> {
  const port = await findFreePort();
  const config = readConfig({ ...env, HOST: '127.0.0.1', PORT: String(port) });
  const log = createLog({
    level: config.logLevel,
    secrets: secretsOf(config),
    secretPatterns: slackSecretPatterns,
    hasOwnLine: () => false,
    // What was being read when it stopped fails afterwards.
    write: (line) => isUp && appendFileSync(logFile, line),
  });
  let isUp = false;
  let stop = async (): Promise<void> => {};

  const no = (): never => {
    throw new Error('the bot shares the process of the test');
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => process.pid,
    async start() {
      isUp = true;
      const { clock, end } = follower();
      const app = await createApp({ config, log, clock, budget: createOpenBudget() });
      await app.start();
      stop = async () => {
        await app.stop();
        end();
        isUp = false;
      };
    },
    stop: () => stop(),
    kill: no,
    freeze: no,
    thaw: no,
    lastLogLines: () => readFileSync(logFile, 'utf8'),
  };
}

const secondMs = 1_000;
/** Longer than any step of a bot that sends no request. */
const mostSettleMs = 2 * secondMs;

/**
 * Has skips of the sandbox’s clock go second by second while bots in this process work.
 *
 * @returns makes the clock of a bot: when it ends, its timers never fire
 */
function followHere(sandbox: SandboxClock): () => { clock: Clock; end(): void } {
  const moments = new Set<number>();
  let [knownWork, stepMs] = [workCount(), secondMs];

  sandbox.onChange(() => {
    const late = new Promise((resolve) => void setTimeout(resolve, mostSettleMs).unref());
    void sandbox.hold(() => Promise.race([settle(), late]));
  });
  sandbox.stopAt(() => {
    stepMs = workCount() === knownWork ? stepMs * 8 : secondMs;
    knownWork = workCount();
    const now = sandbox.now();
    return Math.min(now + stepMs, ...[...moments].map((at) => Math.max(at, now + 1)));
  });

  return () => {
    const cancels = new Set<() => void>();
    function setTimer(callback: () => void, ms: number): () => void {
      const at = sandbox.now() + ms;
      if (ms >= sandbox.longDelayMs) moments.add(at);
      const forget = (): void => {
        moments.delete(at);
        cancels.delete(cancel);
      };
      const stopWaiting = sandbox.after(ms, () => {
        forget();
        callback();
      });
      const cancel = (): void => {
        forget();
        stopWaiting();
      };
      cancels.add(cancel);
      return cancel;
    }
    return {
      clock: { now: sandbox.now, setTimer, sleep: sleepBy(setTimer) },
      end() {
        for (const cancel of cancels) cancel();
      },
    };
  };
}

/**
 * A bot on an empty record of attempts, whose days are skipped.
 * @param beginsAt in milliseconds since the epoch
 * @param options.isKilled whether the test kills the bot, which then has a process of its own
 */
export async function openSkippedCampaigns(
  store: string,
  beginsAt: number,
  {
    env,
    isKilled = false,
    ...options
  }: Pick<ProcessTestBedOptions, 'env' | 'beforeStart' | 'instances' | 'manifestPath'> & { isKilled?: boolean } = {},
) {
  const clock = createSandboxClock(beginsAt - Date.now(), quarterDaySteps);
  const testBed = await openProcessTestBed({
    installation: inject('installation'),
    store: store === 'Redis' ? 'redis' : 'sqlite',
    account: inject('account') ?? 'smooth',
    clock,
    hasQuizLinks: true,
    // What waits inside Redis would not keep up with steps that go by the requests of this process.
    ...(!isKilled && store !== 'Redis' && { createBot: botsHere(clock) }),
    env: { ALERTS_CHANNEL: '', ...env },
    ...options,
  });
  onTestFinished(() => testBed.close());
  const {
    workspace,
    redis,
    bots: [bot],
  } = testBed;
  const follow = () => redis && followOverRedis(clock, redis.url);
  let stopFollowing = follow();
  onTestFinished(() => stopFollowing?.());
  testBed.quizService.database.run('DELETE FROM responses');
  type Message = ReturnType<typeof workspace.ephemerals>[number];
  const reply = async (personId: string, line: string) => (await workspace.as(personId).command(line)).reply();
  /** Says what there was where the words did not come. */
  const findIn = async (messages: () => readonly Message[], words: string | RegExp): Promise<Message> =>
    workspace
      .until(() => messages().findLast((message) => includes(textOf(message), words)))
      .catch(() => {
        throw new Error(`no “${String(words)}” in\n${messages().map(textOf).join('\n---\n')}`);
      });
  /** Presses Start in a preview. @returns what the person reads then */
  async function startShown(personId: string, preview: Message): Promise<string> {
    await workspace.as(personId).click(locationOf(preview), 'choose:run-campaign');
    const answers = () => workspace.ephemerals(personId).filter(({ ts }) => ts === preview.ts);
    return textOf(await findIn(answers, 'Started a campaign'));
  }

  /** Sends a command. @returns the file that comes last, once the answer with these words is there */
  async function bytesFor(personId: string, line: string, words: string): Promise<Buffer> {
    const files = () => workspace.directMessages(personId).flatMap(({ files: sent = [] }) => sent);
    const answers = () => workspace.ephemerals(personId).filter((message) => textOf(message).includes(words));
    const before = { files: files().length, answers: answers().length };
    await workspace.as(personId).command(line);
    await workspace
      .until(() => answers()[before.answers])
      .catch(() => {
        throw new Error(`no “${words}” in\n${workspace.ephemerals(personId).map(textOf).join('\n---\n')}`);
      });
    const { url } = await workspace.until(() => files().slice(before.files).at(-1));
    return Buffer.from(await (await fetch(url)).arrayBuffer());
  }

  return {
    clock,
    workspace,
    testBed,
    /** Lets time pass while the bot is stopped: a year takes seconds. */
    async skipStopped(ms: number, meanwhile: () => Promise<void> = async () => {}) {
      await bot!.stop();
      stopFollowing?.();
      await meanwhile();
      await clock.skip(ms);
      await bot!.start();
      stopFollowing = follow();
    },
    account: inTheAccount(testBed),
    reply,
    startShown,
    /** Previews and starts a campaign. @returns what the person reads then */
    start: async (personId: string, line: string) =>
      startShown(personId, await reply(personId, `/quiz-campaign start ${line}`)),
    /** Presses a button of a message. */
    press: (personId: string, message: Awaited<ReturnType<typeof reply>>, label: string) =>
      workspace.as(personId).click(locationOf(message), actionIdOf(message, label)),
    directMessage: (personId: string, words: string | RegExp) =>
      findIn(() => workspace.directMessages(personId), words),
    /** A message of a channel that has these words in the end. */
    posted: (channelId: string, words: string | RegExp) => findIn(() => workspace.messages(channelId), words),
    /** The first lines of what the bot wrote to a person. */
    written: (personId: string) =>
      workspace.directMessages(personId).map((message) => textOf(message).split('\n')[0] ?? ''),
    /** What the person alone reads, such as the answer to a press. */
    answer: (personId: string, words: string | RegExp) => findIn(() => workspace.ephemerals(personId), words),
    /** The rows of the report, by name: what they have under each title. */
    async report(personId: string, campaign: string) {
      const text = await bytesFor(personId, `/quiz-campaign report ${campaign} csv`, 'Sent you the report');
      const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
      return new Map(rows.map((row) => [row['Person'] ?? '', row]));
    },
    bytesFor,
    fileFor: async (...sent: Parameters<typeof bytesFor>) => (await bytesFor(...sent)).toString(),
  };
}

function includes(text: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? text.includes(words) : words.test(text);
}
