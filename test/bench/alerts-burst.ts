import { runBurst } from '../support/burst.ts';
import type { BenchRow } from './bench-row.ts';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Measures bursts of submissions until every submission is announced. */
export async function run(): Promise<BenchRow[]> {
  return [await oneChannel(1), await oneChannel(15), await manyChannels()];
}

async function oneChannel(quizzes: number): Promise<BenchRow> {
  const events = 300;
  const { messages, announced, unnamed, sentMs, doneMs } = await runBurst({ events, channels: 0, quizzes });
  return {
    name: `${events} submissions ${quizzes > 1 ? `to ${quizzes} quizzes ` : ''}for one channel within a second`,
    figure: `${messages} messages with ${announced - unnamed} names and ${unnamed} counted, after ${seconds(doneMs)} (sent in ${seconds(sentMs)})`,
    goal: 'at most 4 messages, within 5 s',
    met: messages <= 4 && announced === events && doneMs <= 5_000 && sentMs <= 1_000,
  };
}

/** The minimum time is the sending time, or one second per message of the busiest channel. */
async function manyChannels(): Promise<BenchRow> {
  const [events, channels] = [10_000, 50];
  const { messages, announced, sentMs, doneMs } = await runBurst({ events, channels });
  const allowedMs = Math.max(sentMs, (messages - 1) * 1_000);
  return {
    name: `${events.toLocaleString('en')} submissions over ${channels} channels`,
    figure: `${seconds(doneMs - allowedMs)} longer than the pace allows (${seconds(doneMs)}; sent in ${seconds(sentMs)}, at most ${messages} messages per channel)`,
    goal: 'at most 2 s longer',
    met: announced === events && doneMs - allowedMs <= 2_000,
  };
}
