import { setTimeout as pause } from 'node:timers/promises';
import { announcements, countAnnounced } from './announced.ts';
import { openProcessTestBed } from './process-test-bed.ts';
import { planRooms, type Room } from './rooms.ts';
import { sendWebhooks } from './send-webhooks.ts';

export interface BurstOptions {
  events: number;
  /** Each with a quiz and a subscription of its own; 0: the channel that the configuration names hears of all. */
  channels: number;
}

export interface BurstOutcome {
  /** In the channel with most of them. */
  messages: number;
  /** Named, or counted in a message that names others. */
  announced: number;
  unnamed: number;
  /** Until the last webhook was answered. */
  sentMs: number;
  /** From the first webhook to the last message. */
  doneMs: number;
}

const timeoutMs = 120_000;
/** After the message that says what a channel is subscribed to, before which it takes no other. */
const paceMs = 1_000;

/** Sends submissions as fast as they are taken, and waits until the channels have heard of all. */
export async function runBurst({ events, channels }: BurstOptions): Promise<BurstOutcome> {
  const rooms = planRooms(channels);
  const box = await openProcessTestBed({ store: 'sqlite', rooms, ...(channels > 0 && { env: { ALERTS_CHANNEL: '' } }) });
  const { workspace } = box;
  const heard = () => channelsOf(rooms, workspace.channels.results.id).map((id) => announcements(workspace.messages(id)));
  try {
    if (channels > 0) await pause(paceMs);
    let beginMs = 0;
    const url = box.bots[0]?.url ?? '';
    const sent = sendWebhooks({ urls: [url], count: events, eventIdPrefix: 'burst', quizzes: rooms.map(({ quiz }) => quiz) }, () => {
      beginMs = performance.now();
    });
    const [sentMs, doneMs] = await Promise.all([
      sent,
      workspace.until(() => countAnnounced(heard().flat()) >= events, timeoutMs).then(() => performance.now() - beginMs),
    ]);
    const read = heard();
    return {
      messages: Math.max(...read.map((messages) => messages.length)),
      announced: countAnnounced(read.flat()),
      unnamed: read.flat().reduce((sum, { counted }) => sum + counted, 0),
      sentMs,
      doneMs,
    };
  } finally {
    await box.close();
  }
}

const channelsOf = (rooms: readonly Room[], configured: string): string[] =>
  rooms.length === 0 ? [configured] : rooms.map(({ channel }) => channel.id);
