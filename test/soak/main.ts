import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readAnnouncements, countAnnounced } from '../support/delivery-report.ts';
import { heldPerMinute, sampleOf, slopeOf, type Sample } from '../support/held-memory.ts';
import { openProcessTestBed, planQuizChannels } from '../support/process-test-bed.ts';
import { metricIn, percentile } from '../support/measurements.ts';
import type { Minute } from './load.ts';
import { createServer } from 'node:http';
import { checkBlocks } from '../../src/sandbox/workspace/block-kit/validate.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/** Starts a server for `response_url`s. The sandbox workspace only creates them for the commands that it sends itself. */
async function startAnswers() {
  const answered = new Set<string>();
  const wrong: string[] = [];
  const validTexts = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      // Every answer has the same list. Checking each one would take longer than the bot takes to build it.
      if (!validTexts.has(text) && isList(text)) validTexts.add(text);
      if (!validTexts.has(text) || answered.has(request.url!)) wrong.push(text.slice(0, 300));
      answered.add(request.url!);
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('ok');
    });
  });
  server.keepAliveTimeout = 65_000;
  return {
    url: await listenOnLoopback(server),
    answered,
    /** Answers that are not a list of quizzes, and repeated answers to a command. */
    wrong,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isList(text: string): boolean {
  const { blocks } = JSON.parse(text) as { blocks?: unknown };
  return text.includes('Forklift theory test') && checkBlocks(blocks, { surface: 'message' }).errors === undefined;
}

/*
 * `npm run soak -- --minutes 10` sends 200 commands and 200 webhooks per second to the bot; `--rate` sets another rate.
 * The bot and the load run in their own processes, the workspace and the quiz service in this one.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '200' },
    channels: { type: 'string', default: '50' },
    profile: { type: 'string' },
  },
});
const [seconds, perSecond, channelCount] = [60 * Number(values.minutes), Number(values.rate), Number(values.channels)];
const goals = { p99Ms: 100, growthShare: 0.05 };
/** V8 collects garbage every few seconds: the samples have to come shortly after it, too. */
const sampleIntervalMs = 500;
/** How long queued messages can take after the load ends. */
const drainMs = 60_000;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const ms = (value: number) => `${value.toFixed(1)} ms`;
const mib = (value: number) => `${value.toFixed(1)} MiB`;

const quizChannels = planQuizChannels(channelCount);
const testBed = await openProcessTestBed({
  store: 'sqlite',
  quizChannels,
  env: { ALERTS_CHANNEL: '', LOG_LEVEL: 'info' },
  ...(values.profile !== undefined && { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] }),
});
const answers = await startAnswers();
const [bot] = testBed.bots;
testBed.workspace.faults.setRateLimits(false);

say(`subscribed ${channelCount} channels; the load begins in a minute, when the request budget is full again`);
await pause(61_000);

const begin = performance.now();
const samples: Sample[] = [];
const loopDelaysMs: number[] = [];
const total: Omit<Minute, 'kind'> = { sent: 0, errors: [], tookMs: { command: [], webhook: [] } };

const load = fork(
  'test/soak/load.ts',
  [
    JSON.stringify({
      botUrl: bot!.url,
      answersUrl: answers.url,
      perSecond,
      seconds,
      quizzes: quizChannels.map(({ quiz }) => quiz),
    }),
  ],
  { serialization: 'advanced' },
);
const ended = new Promise<void>((resolve) => {
  load.on('message', (minute: Minute) => {
    total.sent += minute.sent;
    total.errors.push(...minute.errors);
    total.tookMs.command.push(...minute.tookMs.command);
    total.tookMs.webhook.push(...minute.tookMs.webhook);
    say(`${((performance.now() - begin) / 60_000).toFixed(1)} min: ${describe(minute)}`);
    if (minute.kind === 'end') resolve();
  });
  load.once('exit', () => resolve());
});
const samplingEnd = new AbortController();
const sampling = (async () => {
  while (!samplingEnd.signal.aborted) {
    const text = await fetch(`${bot!.url}/metrics`).then((answer) => answer.text());
    samples.push(sampleOf(text, (performance.now() - begin) / 1_000));
    loopDelaysMs.push(metricIn(text, 'nodejs_eventloop_lag_p99_seconds') * 1_000);
    await pause(sampleIntervalMs);
  }
})();
await ended;
samplingEnd.abort();
await sampling;

const webhooks = total.tookMs.webhook.length;
const announced = () =>
  quizChannels.reduce(
    (sum, { channel }) => sum + countAnnounced(readAnnouncements(testBed.workspace.messages(channel.id))),
    0,
  );
const drainedBy = performance.now() + drainMs;
while ((announced() < webhooks || answers.answered.size < total.tookMs.command.length) && performance.now() < drainedBy)
  await pause(250);

const secondHalf = samples.filter(({ atS }) => atS >= seconds / 2 && atS < seconds);
const held = heldPerMinute(secondHalf);
const slope = slopeOf(held);
const growth = (slope * seconds) / 120;
const heldMiB = percentile(
  held.map((minute) => minute.held),
  50,
);
const residentMiB = percentile(
  secondHalf.map(({ resident }) => resident),
  50,
);
const p99 = Math.max(percentile(total.tookMs.command, 99), percentile(total.tookMs.webhook, 99));
say(`total: ${describe(total)}`);
say(
  `answers to commands: ${answers.answered.size} of ${total.tookMs.command.length}, ${answers.wrong.length} wrong or duplicated; submissions announced: ${announced()} of ${webhooks}`,
);
say(
  `memory in the second half: ${mib(residentMiB)} resident, ${mib(heldMiB)} without garbage, which grew by ${mib(growth)} (${slope.toFixed(2)} MiB per minute)`,
);

const missed = [
  total.errors.length > 0 && 'there were errors',
  answers.wrong.length > 0 && 'answers to commands were wrong or duplicated',
  answers.answered.size !== total.tookMs.command.length && 'some commands got no answer',
  announced() !== webhooks && 'submissions were lost or duplicated',
  p99 >= goals.p99Ms && `the p99 of the acknowledgement is not under ${goals.p99Ms} ms`,
  growth > goals.growthShare * heldMiB && `memory grew by more than ${100 * goals.growthShare}%`,
].filter((goal) => goal !== false);
say(missed.length === 0 ? 'every goal is met' : `missed: ${missed.join('; ')}`);
answers.close();
await testBed.close({ keepFolder: missed.length > 0 });
process.exit(missed.length === 0 ? 0 : 1);

function describe({ sent, errors, tookMs }: Omit<Minute, 'kind'>): string {
  const kinds = (['command', 'webhook'] as const).map(
    (kind) => `${kind} p50 ${ms(percentile(tookMs[kind], 50))} p99 ${ms(percentile(tookMs[kind], 99))}`,
  );
  const now = samples.at(-1)?.resident ?? NaN;
  const firstErrors = errors.length === 0 ? '' : ` (${[...new Set(errors)].slice(0, 3).join('; ')})`;
  return `${sent} sent, ${errors.length} errors${firstErrors}; ${kinds.join(', ')}; memory ${mib(now)}; event loop p99 ${ms(loopDelaysMs.at(-1) ?? NaN)}`;
}
