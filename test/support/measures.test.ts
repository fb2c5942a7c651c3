import { expect, test, onTestFinished } from 'vitest';
import { createServer } from 'node:http';
import { strToU8, zipSync } from 'fflate';
import { heldPerMinute, sampleOf, slopeOf, type Sample } from './process-cost.ts';
import type { KillableBot } from './killable-bot.ts';
import { createWaitMeter } from './kills/run-kills.ts';
import { listenOnLoopback } from './loopback.ts';
import { eventually } from './watchdog.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { compareDelivery, readAnnouncements } from './delivery-report.ts';
import { numberedName } from './event.ts';
import { textOfFile } from './csv-of.ts';

/** Five minutes in which garbage comes and goes, with a leak in the old space. */
function samplesOf(leakPerMinute: number): Sample[] {
  return Array.from({ length: 600 }, (_, n) => ({
    atS: 300 + n / 2,
    resident: 300 + (n % 30),
    oldSpace: 30 + 5 * (n % 10) + (leakPerMinute * n) / 120,
    besides: 128 + (n % 7),
  }));
}

test.each([0, 0.5, 2, -1])('garbage hides no growth by %d MiB per minute, and does not look like growth', (leak) => {
  expect(slopeOf(heldPerMinute(samplesOf(leak)))).toBeCloseTo(leak, 1);
});

test('a minute alone has not grown', () => {
  expect(slopeOf([{ atS: 0, held: 160 }])).toBe(0);
});

test('a sample has the old space, and what lies outside V8’s heap', () => {
  const mib = 1024 ** 2;
  const metrics = [
    `process_resident_memory_bytes ${300 * mib}`,
    `nodejs_heap_size_total_bytes ${140 * mib}`,
    `nodejs_heap_space_size_used_bytes{space="new"} ${9 * mib}`,
    `nodejs_heap_space_size_used_bytes{space="old"} ${33 * mib}`,
  ].join('\n');
  expect(sampleOf(metrics, 7)).toEqual({ atS: 7, resident: 300, oldSpace: 33, besides: 160 });
});

/** A meter of a bot that is ready, of a load and of a clock that are as the test says. */
async function startMeter() {
  const state = { isReady: false, readinessAsked: 0, now: 0, done: 5, isWaiting: true, waitingAsked: 0 };
  const server = createServer((_, answer) => {
    state.readinessAsked += 1;
    answer.writeHead(state.isReady ? 200 : 503).end(JSON.stringify({ ready: state.isReady }));
  });
  const bot = { url: await listenOnLoopback(server) } as KillableBot;
  onTestFinished(() => void server.close());
  const isWaiting = () => {
    state.waitingAsked += 1;
    return state.isWaiting;
  };
  const meter = createWaitMeter({ done: () => state.done, isWaiting }, () => state.now);
  return { meter, bot, state };
}

test('a wait lasts from when the bot is ready again until the first thing goes on', async () => {
  const { meter, bot, state } = await startMeter();
  meter.killed(bot);
  await eventually(() => expect(state.readinessAsked).toBeGreaterThan(1));
  Object.assign(state, { now: 1_000, isReady: true });
  await eventually(() => expect(state.waitingAsked).toBeGreaterThan(1));
  Object.assign(state, { now: 4_500, done: 6 });
  await eventually(() => expect(meter.longest()).toEqual({ measured: 1, ms: 3_500 }));
});

test('what another bot does meanwhile is no wait', async () => {
  const { meter, bot, state } = await startMeter();
  meter.killed(bot);
  Object.assign(state, { done: 6, isReady: true, now: 1_000 });
  await eventually(() => expect(meter.longest()).toEqual({ measured: 1, ms: 0 }));
});

test('nothing is measured where the bot is killed again, and where nothing is left to do', async () => {
  const { meter, bot, state } = await startMeter();
  state.isReady = true;
  meter.killed(bot);
  await eventually(() => expect(state.waitingAsked).toBeGreaterThan(0));
  meter.killed(bot);
  state.isWaiting = false;
  const askedBefore = state.waitingAsked;
  await eventually(() => expect(state.waitingAsked).toBeGreaterThan(askedBefore));
  Object.assign(state, { done: 6, now: 9_000 });
  meter.killed(bot);
  Object.assign(state, { done: 7, now: 9_500 });
  await eventually(() => expect(meter.longest()).toEqual({ measured: 1, ms: 0 }));
});

const [a, b, c] = [numberedName(1), numberedName(2), numberedName(3)];
/** Each event is sent after the previous one was accepted. */
const sendings = new Map([
  [a, { sentAt: 0, takenAt: 1 }],
  [b, { sentAt: 2, takenAt: 3 }],
  [c, { sentAt: 4, takenAt: 5 }],
]);

const reportOn = (...texts: string[]) => compareDelivery(readAnnouncements(texts.map(message)), sendings);

function message(text: string, index: number): Message {
  const sections = text.split('|').map((part) => ({ type: 'section', text: { type: 'mrkdwn', text: part } }));
  return { channel: 'C1', ts: `${index}.0`, user: 'U1', text, blocks: sections as Message['blocks'] & object };
}

test('accepts single and combined messages that name each respondent once, in order', () => {
  expect(reportOn(`✅ *Rosa ${a}* passed`, `✅ Rosa ${b} · 85%|❌ Rosa ${c} · 20%`)).toMatchObject({
    lost: [],
    duplicated: [],
    outOfOrder: [],
    messages: 2,
  });
});

test('finds names with six digits', () => {
  expect(readAnnouncements([message(`${numberedName(100_000)}|${numberedName(99_999)}`, 0)])).toEqual([
    { names: ['P100000', 'P99999'], counted: 0 },
  ]);
});

test('reports a respondent in no message as lost', () => {
  expect(reportOn(a, c)).toMatchObject({ lost: [b], duplicated: [] });
});

test('reports a respondent named twice, in one message or two, as duplicated', () => {
  expect(reportOn(a, `${b}|${c}`, c)).toMatchObject({ lost: [], duplicated: [c] });
  expect(reportOn(`${a}|${b}|${a}|${c}`)).toMatchObject({ lost: [], duplicated: [a] });
});

test('accepts respondents that are only counted, if the count is correct', () => {
  expect(reportOn(`${a}|…and 2 more: *Results* names them.`)).toMatchObject({ lost: [], duplicated: [], unnamed: 2 });
  expect(reportOn(`${a}|…and 1 more`)).toMatchObject({ lost: [c], duplicated: [] });
  expect(reportOn(`${a}|…and 3 more`)).toMatchObject({ lost: [], duplicated: ['somebody without a name'] });
});

test('reports a respondent as out of order who is announced after a later one', () => {
  expect(reportOn(b, a, c)).toMatchObject({ lost: [], duplicated: [], outOfOrder: [a] });
});

test('what is compressed in a file is read, also in a ZIP file in a ZIP file, and the names of files', () => {
  const inner = zipSync({ 'people.csv': strToU8('canary.mail@secret.example') });
  const outer = zipSync({ 'pack.zip': inner, 'summary.html': strToU8('<p>Wanda</p>') });
  expect(Buffer.from(outer).includes('canary')).toBe(false);
  const text = textOfFile(outer);
  for (const read of ['canary.mail@secret.example', 'people.csv', '<p>Wanda</p>', 'summary.html'])
    expect(text).toContain(read);
  expect(textOfFile(strToU8('a,b'))).toBe('a,b');
});
