import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { countAnnounced, readAnnouncements } from '../support/delivery-report.ts';
import { openProcessTestBed, planQuizChannels } from '../support/process-test-bed.ts';
import { sendWebhooks } from '../support/load.ts';

interface BurstOptions {
  events: number;
  /** The number of channels with their own quiz and subscription; 0 uses only `ALERTS_CHANNEL`. */
  channels: number;
  /** The number of quizzes in `ALERTS_CHANNEL`. Default: 1. */
  quizzes?: number;
}

interface BurstOutcome {
  /** The number of messages in the channel with the most. */
  messages: number;
  /** Submissions named in messages, or counted in messages that name others. */
  announced: number;
  /** Submissions counted but not named. */
  unnamed: number;
  /** Time from the first webhook to the last response. */
  sentMs: number;
  /** Time from the first webhook to the last message. */
  doneMs: number;
}

/** Slack accepts one message per second and channel. The burst starts this long after the reply to `subscribe`. */
const channelPaceMs = 1_000;

/** Sends submissions as fast as the bot accepts them and waits until all are announced. */
async function runBurst({ events, channels, quizzes = 1 }: BurstOptions): Promise<BurstOutcome> {
  const quizChannels = planQuizChannels(channels);
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    quizChannels,
    ...(channels > 0 && { env: { ALERTS_CHANNEL: '' } }),
  });
  const { workspace } = testBed;
  const channelIds = channels > 0 ? quizChannels.map(({ channel }) => channel.id) : [workspace.channels.results.id];
  const announcementsByChannel = () => channelIds.map((id) => readAnnouncements(workspace.messages(id)));
  try {
    if (channels > 0) await pause(channelPaceMs);
    const quizzesSent = channels > 0 ? quizChannels : planQuizChannels(quizzes);
    const [{ beganAt, tookMs }, doneAt] = await Promise.all([
      sendWebhooks({
        urls: [testBed.bots[0]?.url ?? ''],
        count: events,
        eventIdPrefix: 'burst',
        quizzes: quizzesSent.map(({ quiz }) => quiz),
      }),
      workspace.until(() => countAnnounced(announcementsByChannel().flat()) >= events).then(() => Date.now()),
    ]);
    const announcements = announcementsByChannel();
    return {
      messages: Math.max(...announcements.map((messages) => messages.length)),
      announced: countAnnounced(announcements.flat()),
      unnamed: announcements.flat().reduce((sum, { counted }) => sum + counted, 0),
      sentMs: tookMs,
      doneMs: doneAt - beganAt,
    };
  } finally {
    await testBed.close();
  }
}

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
