import { runBurst } from '../support/burst.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Measures bursts of submissions until every submission is announced. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
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
