import { createServer, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { checkBlocks } from '../../src/sandbox/workspace/block-kit/validate.ts';
import { countAnnounced, readAnnouncements } from '../support/delivery-report.ts';
import { heldPerMinute, sampleOf, slopeOf, type Sample } from '../support/process-cost.ts';
import { sendSteadily } from '../support/load.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { median, percentile } from '../support/measurements.ts';
import { openProcessTestBed, planQuizChannels } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** `perSecond`: of commands, and of webhooks. Then the request budget is full again, which the subscriptions took from. */
const fullSize = { seconds: 600, perSecond: 200, channels: 50, settledAfterMs: 61_000 };
const shortSize = { seconds: 2, perSecond: 10, channels: 2, settledAfterMs: 0 };
/** V8 collects garbage every few seconds: the samples have to come shortly after it, too. */
const sampleIntervalMs = 500;
/** How long queued messages can take after the load ends. */
const drainMs = 60_000;

/** Commands and webhooks at a constant rate, for minutes. `--size`: for how many. */
export async function run({ isShort, size: minutes }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : { ...fullSize, ...(minutes && { seconds: 60 * minutes }) };
  const { seconds, perSecond } = size;
  const quizChannels = planQuizChannels(size.channels);
  await using testBed = await openProcessTestBed({
    store: 'sqlite',
    quizChannels,
    env: { ALERTS_CHANNEL: '', LOG_LEVEL: 'info' },
  });
  using answers = await startAnswers();
  testBed.workspace.faults.setRateLimits(false);
  await pause(size.settledAfterMs);
  const { url } = testBed.bots[0]!;
  const over = new AbortController();
  const sampling = sampleUntil(url, over.signal);
  const errors: string[] = [];
  const tookMs = { command: [] as number[], webhook: [] as number[] };
  const quizzes = quizChannels.map(({ quiz }) => quiz);
  await sendSteadily({ url, answersUrl: answers.url, perSecond, seconds, quizzes }, (minute) => {
    errors.push(...minute.errors);
    tookMs.command.push(...minute.tookMs.command);
    tookMs.webhook.push(...minute.tookMs.webhook);
  });
  over.abort();
  const samples = (await sampling).filter(({ atS }) => atS >= seconds / 2 && atS < seconds);
  const announced = () =>
    quizChannels.reduce(
      (sum, { channel }) => sum + countAnnounced(readAnnouncements(testBed.workspace.messages(channel.id))),
      0,
    );
  const unanswered = () => tookMs.command.length - answers.answered.size;
  const lost = () => tookMs.webhook.length - announced();
  const drainedBy = performance.now() + drainMs;
  while ((lost() > 0 || unanswered() > 0) && performance.now() < drainedBy) await pause(250);
  const held = heldPerMinute(samples);
  const heldMiB = median(held.map((minute) => minute.held));
  const growthPercent = ((slopeOf(held) * seconds) / 120 / heldMiB) * 100;
  const p99Ms = Math.max(percentile(tookMs.command, 99), percentile(tookMs.webhook, 99));
  for (const error of new Set(errors)) process.stderr.write(`${error}\n`);
  for (const text of answers.wrong.slice(0, 3)) process.stderr.write(`a wrong answer: ${text}\n`);
  return [
    {
      name: `${perSecond} commands and ${perSecond} webhooks a second over SQLite, for ${(seconds / 60).toFixed(1)} minutes`,
      figure: `acknowledged within ${p99Ms.toFixed(1)} ms (p99; p50 of commands ${median(tookMs.command).toFixed(1)} ms, of webhooks ${median(tookMs.webhook).toFixed(1)} ms); ${errors.length} errors; of ${answers.answered.size} answers ${answers.wrong.length} wrong or duplicated; of ${tookMs.webhook.length} submissions ${announced()} announced; ${heldMiB.toFixed(0)} MiB held without garbage in the second half, in which it grew by ${growthPercent.toFixed(1)} %`,
      ...heldAgainst('minutes of load', {
        p99Ms,
        errors: errors.length,
        wrong: answers.wrong.length,
        missing: Math.abs(lost()) + Math.abs(unanswered()),
        growthPercent,
      }),
    },
  ];
}

async function sampleUntil(url: string, over: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const begin = performance.now(); !over.aborted; await pause(sampleIntervalMs))
    samples.push(sampleOf(await (await fetch(`${url}/metrics`)).text(), (performance.now() - begin) / 1_000));
  return samples;
}

/** Starts a server for `response_url`s. The sandbox workspace only creates them for the commands that it sends itself. */
async function startAnswers() {
  const answered = new Set<string>();
  const wrong: string[] = [];
  const validTexts = new Set<string>();
  const server = createServer((request, response) => {
    void take(request).finally(() =>
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('ok'),
    );
  });

  async function take(request: IncomingMessage): Promise<void> {
    const text = await readText(request);
    // Every answer has the same list. Checking each one would take longer than the bot takes to build it.
    if (!validTexts.has(text) && isList(text)) validTexts.add(text);
    if (!validTexts.has(text) || answered.has(request.url!)) wrong.push(text.slice(0, 300));
    answered.add(request.url!);
  }

  server.keepAliveTimeout = 65_000;
  return {
    url: await listenOnLoopback(server),
    answered,
    /** Answers that are not a list of quizzes, and repeated answers to a command. */
    wrong,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isList(text: string): boolean {
  const { blocks } = JSON.parse(text) as { blocks?: unknown };
  return text.includes('Forklift theory test') && checkBlocks(blocks, { surface: 'message' }).errors === undefined;
}
