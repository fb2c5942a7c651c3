import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { announcements, countAnnounced } from '../support/announced.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { metricIn, percentile } from '../support/figures.ts';
import { planRooms } from '../support/rooms.ts';
import { startAnswers } from './answers.ts';
import type { Minute } from './load.ts';
import { slopeOf, type Sample } from './memory-slope.ts';

/*
 * `npm run soak -- --minutes 10`: commands and webhooks for as long, 200 of each a second unless `--rate` says
 * otherwise. The bot and the load are processes of their own; the workspace and the quiz service are in this one.
 */

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '200' }, rooms: { type: 'string', default: '50' }, profile: { type: 'string' } } });
const [seconds, perSecond, roomCount] = [60 * Number(values.minutes), Number(values.rate), Number(values.rooms)];
const goals = { p99Ms: 100, growthShare: 0.05 };
const samplesEveryMs = 2_000;
/** After the load, what waits for its channel's turn. */
const drainMs = 60_000;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const ms = (value: number) => `${value.toFixed(1)} ms`;
const mib = (value: number) => `${value.toFixed(1)} MiB`;

const rooms = planRooms(roomCount);
const box = await openProcessTestBed({
  store: 'sqlite',
  rooms,
  env: { ALERTS_CHANNEL: '', LOG_LEVEL: 'info' },
  ...(values.profile !== undefined && { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] }),
});
const answers = await startAnswers();
const [bot] = box.bots;
box.workspace.faults.setRateLimits(false);

say(`subscribed ${roomCount} channels; the load begins in a minute, when the request budget has forgotten that`);
await pause(61_000);

const begin = performance.now();
const samples: Sample[] = [];
const loopDelaysMs: number[] = [];
const all: Omit<Minute, 'kind'> = { sent: 0, errors: [], tookMs: { command: [], webhook: [] } };

const load = fork('test/soak/load.ts', [JSON.stringify({ botUrl: bot!.url, answersUrl: answers.url, perSecond, seconds, quizzes: rooms.map(({ quiz }) => quiz) })], { serialization: 'advanced' });
const ended = new Promise<void>((resolve) => {
  load.on('message', (told: Minute) => {
    all.sent += told.sent;
    all.errors.push(...told.errors);
    all.tookMs.command.push(...told.tookMs.command);
    all.tookMs.webhook.push(...told.tookMs.webhook);
    say(`${((performance.now() - begin) / 60_000).toFixed(1)} min: ${described(told)}`);
    if (told.kind === 'end') resolve();
  });
  load.once('exit', () => resolve());
});
const over = new AbortController();
const sampling = (async () => {
  while (!over.signal.aborted) {
    const text = await fetch(`${bot!.url}/metrics`).then((answer) => answer.text());
    samples.push({ atS: (performance.now() - begin) / 1_000, residentMiB: metricIn(text, 'process_resident_memory_bytes') / 1024 ** 2 });
    loopDelaysMs.push(metricIn(text, 'nodejs_eventloop_lag_p99_seconds') * 1_000);
    await pause(samplesEveryMs);
  }
})();
await ended;
over.abort();
await sampling;

const webhooks = all.tookMs.webhook.length;
const announced = () => rooms.reduce((sum, { channel }) => sum + countAnnounced(announcements(box.workspace.messages(channel.id))), 0);
const drainedBy = performance.now() + drainMs;
while ((announced() < webhooks || answers.answered.size < all.tookMs.command.length) && performance.now() < drainedBy) await pause(250);

const lateHalf = samples.filter(({ atS }) => atS >= seconds / 2);
const slope = slopeOf(lateHalf);
const growth = (slope * seconds) / 120;
const size = percentile(lateHalf.map(({ residentMiB }) => residentMiB), 50);
const p99 = Math.max(percentile(all.tookMs.command, 99), percentile(all.tookMs.webhook, 99));
say(`all: ${described(all)}`);
say(`answers to commands: ${answers.answered.size} of ${all.tookMs.command.length}, ${answers.wrong.length} wrong or doubled; submissions announced: ${announced()} of ${webhooks}`);
say(`memory over the last half: ${mib(size)}, ${growth >= 0 ? '+' : ''}${mib(growth)} by its slope of ${slope.toFixed(2)} MiB a minute`);

const missed = [
  all.errors.length > 0 && 'there were errors',
  answers.wrong.length > 0 && 'answers to commands were wrong or doubled',
  answers.answered.size !== all.tookMs.command.length && 'commands were not answered',
  announced() !== webhooks && 'submissions were lost or doubled',
  p99 >= goals.p99Ms && `the p99 of the acknowledgement is not under ${goals.p99Ms} ms`,
  growth > goals.growthShare * size && `memory grew by more than ${100 * goals.growthShare} %`,
].filter((goal) => goal !== false);
say(missed.length === 0 ? 'every goal is met' : `missed: ${missed.join('; ')}`);
answers.close();
await box.close({ keepFolder: missed.length > 0 });
process.exit(missed.length === 0 ? 0 : 1);

function described({ sent, errors, tookMs }: Omit<Minute, 'kind'>): string {
  const kinds = (['command', 'webhook'] as const).map((kind) => `${kind} p50 ${ms(percentile(tookMs[kind], 50))} p99 ${ms(percentile(tookMs[kind], 99))}`);
  const now = samples.at(-1)?.residentMiB ?? NaN;
  const firstErrors = errors.length === 0 ? '' : ` (${[...new Set(errors)].slice(0, 3).join('; ')})`;
  return `${sent} sent, ${errors.length} errors${firstErrors}; ${kinds.join(', ')}; memory ${mib(now)}; event loop p99 ${ms(loopDelaysMs.at(-1) ?? NaN)}`;
}
