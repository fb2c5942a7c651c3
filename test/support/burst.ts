import { setTimeout as pause } from 'node:timers/promises';
import { countAnnounced, readAnnouncements } from './delivery-report.ts';
import { openProcessTestBed, planQuizChannels, type ProcessTestBedOptions } from './process-test-bed.ts';
import { sendWebhooks } from './load.ts';

interface BurstOptions {
  events: number;
  /** The number of channels with their own quiz and subscription; 0 uses only `ALERTS_CHANNEL`. */
  channels: number;
  /** The number of quizzes in `ALERTS_CHANNEL`. Default: 1. */
  quizzes?: number;
  installation?: ProcessTestBedOptions['installation'];
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
export async function runBurst({ events, channels, quizzes = 1, installation }: BurstOptions): Promise<BurstOutcome> {
  const quizChannels = planQuizChannels(channels);
  await using testBed = await openProcessTestBed({
    store: 'sqlite',
    installation,
    quizChannels,
    ...(channels > 0 && { env: { ALERTS_CHANNEL: '' } }),
  });
  const { workspace } = testBed;
  const channelIds = channels > 0 ? quizChannels.map(({ channel }) => channel.id) : [workspace.channels.results.id];
  const announcementsByChannel = () => channelIds.map((id) => readAnnouncements(workspace.messages(id)));
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
}
