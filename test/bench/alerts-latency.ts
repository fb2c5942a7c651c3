import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { sign } from '../support/event.ts';
import { percentile } from '../support/figures.ts';
import { nameOf, numberedNames, submissionOf } from '../support/numbered-person.ts';
import { planRooms } from '../support/rooms.ts';
import type { BenchRow } from './bench-row.ts';

const channels = 40;
const warmUp = 80;
const events = 400;
/** Each channel hears of somebody every 1.6 s: its pace holds nobody up. */
const betweenMs = 40;

/** From the moment a webhook is sent until Slack has the call, on one clock: nothing waits, nothing else happens. */
export async function run(): Promise<BenchRow[]> {
  const rooms = planRooms(channels);
  const box = await openProcessTestBed({ store: 'sqlite', rooms, env: { ALERTS_CHANNEL: '' } });
  const agent = new Agent({ connections: 4 });
  try {
    await pause(1_500);
    const arrivals = new Map<string, number>();
    box.workspace.faults.inject(
      { kind: 'latency', ms: 0 },
      {
        method: 'chat.postMessage',
        when: (call) => {
          const arrivedAt = performance.now();
          for (const name of JSON.stringify(call).match(numberedNames) ?? []) if (!arrivals.has(name)) arrivals.set(name, arrivedAt);
          return false;
        },
      },
    );
    const sentAt: number[] = [];
    for (let number = 0; number < warmUp + events; number += 1) {
      const quiz = rooms[number % channels]?.quiz;
      const body = submissionOf(number, quiz && { quiz });
      const headers = { 'content-type': 'application/json; charset=utf-8', 'x-webhook-signature': sign(body) };
      sentAt.push(performance.now());
      const answer = await request(`${box.bots[0]?.url}/webhooks/quiz`, { method: 'POST', body, headers, dispatcher: agent });
      await answer.body.dump();
      await pause(betweenMs);
    }
    await box.workspace.until(() => arrivals.size === warmUp + events);
    const timesMs = sentAt.map((sent, number) => (arrivals.get(nameOf(number)) ?? Number.NaN) - sent).slice(warmUp);
    const [p50, p99] = [percentile(timesMs, 50), percentile(timesMs, 99)];
    return [{
      name: 'from webhook to chat.postMessage, when nothing waits (SQLite)',
      figure: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      goal: 'p50 under 5 ms, p99 under 25 ms',
      met: p50 < 5 && p99 < 25,
    }];
  } finally {
    await agent.destroy();
    await box.close();
  }
}
