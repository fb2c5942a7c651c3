import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { openProcessTestBed, planQuizChannels } from '../support/process-test-bed.ts';
import { sign, numberedName, numberedNamePattern, numberedSubmission } from '../support/event.ts';
import { percentile } from '../support/measurements.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const sizes = { channels: 40, warmUp: 80, events: 400 };
const shortSizes = { channels: 2, warmUp: 2, events: 8 };
/** Each channel gets a message every 1.6 s, slower than its limit of one per second. */
const betweenMs = 40;

/** Measures the time from sending a webhook to Slack's receipt of the message, on one clock and without other load. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const { channels, warmUp, events } = isShort ? shortSizes : sizes;
  const quizChannels = planQuizChannels(channels);
  const testBed = await openProcessTestBed({ store: 'sqlite', quizChannels, env: { ALERTS_CHANNEL: '' } });
  const agent = new Agent({ connections: 4 });
  try {
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
    const timesMs = sentAt
      .map((sent, number) => (arrivals.get(numberedName(number)) ?? Number.NaN) - sent)
      .slice(warmUp);
    const [p50, p99] = [percentile(timesMs, 50), percentile(timesMs, 99)];
    return [
      {
        name: 'from webhook to chat.postMessage, with empty queues (SQLite)',
        figure: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        ...heldAgainst('webhook to message', { p50Ms: p50, p99Ms: p99 }),
      },
    ];
  } finally {
    await agent.destroy();
    await testBed.close();
  }
}
