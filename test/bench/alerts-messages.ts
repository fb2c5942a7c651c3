import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { runBurst } from '../support/burst.ts';
import { sign, numberedName, numberedNamePattern, numberedSubmission } from '../support/event.ts';
import { percentile } from '../support/measurements.ts';
import { openProcessTestBed, planQuizChannels } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const latencySize = { channels: 40, warmUp: 80, events: 400 };
const shortLatencySize = { channels: 2, warmUp: 2, events: 8 };
/** Each channel gets a message every 1.6 s, slower than its limit of one per second. */
const betweenMs = 40;

/** Measures the time from sending a webhook to Slack's receipt of the message, on one clock and without other load. */
export async function latency({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const { channels, warmUp, events } = isShort ? shortLatencySize : latencySize;
  const quizChannels = planQuizChannels(channels);
  await using testBed = await openProcessTestBed({ store: 'sqlite', quizChannels, env: { ALERTS_CHANNEL: '' } });
  await using agents = new AsyncDisposableStack();
  const agent = agents.adopt(new Agent({ connections: 4 }), (used) => used.destroy());
  await pause(1_500);
  const arrivals = new Map<string, number>();
  testBed.workspace.faults.inject(
    { kind: 'latency', ms: 0 },
    {
      method: 'chat.postMessage',
      when: (call) => {
        const arrivedAt = performance.now();
        for (const name of JSON.stringify(call).match(numberedNamePattern) ?? [])
          if (!arrivals.has(name)) arrivals.set(name, arrivedAt);
        return false;
      },
    },
  );
  const sentAt: number[] = [];
  for (let number = 0; number < warmUp + events; number += 1) {
    const quiz = quizChannels[number % channels]?.quiz;
    const body = numberedSubmission(number, quiz && { quiz });
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-webhook-signature': sign(body) };
    sentAt.push(performance.now());
    const answer = await request(`${testBed.bots[0]?.url}/webhooks/quiz`, {
      method: 'POST',
      body,
      headers,
      dispatcher: agent,
    });
    await answer.body.dump();
    await pause(betweenMs);
  }
  await testBed.workspace.until(() => arrivals.size === warmUp + events);
  const timesMs = sentAt.map((sent, number) => (arrivals.get(numberedName(number)) ?? Number.NaN) - sent).slice(warmUp);
  const [p50, p99] = [percentile(timesMs, 50), percentile(timesMs, 99)];
  return [
    {
      name: 'from webhook to chat.postMessage, with empty queues (SQLite)',
      figure: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      ...heldAgainst('webhook to message', { p50Ms: p50, p99Ms: p99 }),
    },
  ];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Measures bursts of submissions until every submission is announced. */
export async function bursts({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const events = isShort ? 30 : 300;
  const many = isShort ? { events: 40, channels: 4 } : { events: 10_000, channels: 50 };
  return [await oneChannel(events, 1), await oneChannel(events, 15), await manyChannels(many)];
}

async function oneChannel(events: number, quizzes: number): Promise<BenchRow> {
  const { messages, announced, unnamed, sentMs, doneMs } = await runBurst({ events, channels: 0, quizzes });
  return {
    name: `${events} submissions ${quizzes > 1 ? `to ${quizzes} quizzes ` : ''}for one channel within a second`,
    figure: `${messages} messages with ${announced - unnamed} names and ${unnamed} counted, after ${seconds(doneMs)} (sent in ${seconds(sentMs)})`,
    ...heldAgainst('burst for one channel', {
      messages,
      unannounced: events - announced,
      sentS: sentMs / 1_000,
      doneS: doneMs / 1_000,
    }),
  };
}

/** The minimum time is the sending time, or one second per message of the busiest channel. */
async function manyChannels({ events, channels }: { events: number; channels: number }): Promise<BenchRow> {
  const { messages, announced, sentMs, doneMs } = await runBurst({ events, channels });
  const allowedMs = Math.max(sentMs, (messages - 1) * 1_000);
  return {
    name: `${events.toLocaleString('en')} submissions over ${channels} channels`,
    figure: `${seconds(doneMs - allowedMs)} longer than the pace allows (${seconds(doneMs)}; sent in ${seconds(sentMs)}, at most ${messages} messages per channel)`,
    ...heldAgainst('burst for many channels', {
      laterS: (doneMs - allowedMs) / 1_000,
      unannounced: events - announced,
    }),
  };
}
