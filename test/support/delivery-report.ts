import type { Message } from '../../src/sandbox/workspace/model.ts';
import { numberedNamePattern } from './event.ts';

/** The numbered respondents in one message. */
interface Announcement {
  /** The names, with repetitions. */
  names: string[];
  /** The number of respondents that the message counts without naming them. */
  counted: number;
}

/** The messages that announce respondents, in posting order. */
export function readAnnouncements(messages: readonly Message[]): Announcement[] {
  return messages
    .toSorted((a, b) => (a.ts < b.ts ? -1 : 1))
    .map(readAnnouncement)
    .filter(({ names, counted }) => names.length + counted > 0);
}

export const countAnnounced = (announcements: readonly Announcement[]): number =>
  announcements.reduce((sum, { names, counted }) => sum + names.length + counted, 0);

const cache = new WeakMap<object, Announcement>();

/** Reads only the visible text of blocks. The notification text repeats it, and ids in buttons and metadata announce nobody. */
function readAnnouncement({ blocks = [] }: Message): Announcement {
  const cached = cache.get(blocks);
  if (cached) return cached;
  const text = textsIn(blocks).join('\n');
  const counts = [...text.matchAll(/\band ([\d,]+) (?:more|submissions?)\b/g)].map(([, count = '']) =>
    Number(count.replaceAll(',', '')),
  );
  const announcement = {
    names: text.match(numberedNamePattern) ?? [],
    counted: counts.reduce((sum, count) => sum + count, 0),
  };
  cache.set(blocks, announcement);
  return announcement;
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}

/** When the sender first sent an event, and when it received the 200 for it, both on the sender's clock. */
export interface Sending {
  sentAt: number;
  takenAt: number;
}

interface DeliveryReport {
  messages: number;
  /** Respondents that messages count without naming them. */
  unnamed: number;
  /** Names in no message, without as many as are only counted. */
  lost: string[];
  /** Names for each time that they are there again. */
  duplicated: string[];
  /** Names announced after an event that was first sent when theirs was already accepted. */
  outOfOrder: string[];
}

/** Compares the announcements in a channel with the events sent. Every event must be announced exactly once. */
export function compareDelivery(
  announcements: readonly Announcement[],
  sendings: ReadonlyMap<string, Sending>,
): DeliveryReport {
  const times = new Map<string, number>();
  for (const name of announcements.flatMap(({ names }) => names)) times.set(name, (times.get(name) ?? 0) + 1);
  const missing = [...sendings.keys()].filter((name) => !times.has(name));
  const unnamed = announcements.reduce((sum, { counted }) => sum + counted, 0);
  const again = [...times].flatMap(([name, count]) => Array<string>(count - Number(sendings.has(name))).fill(name));
  return {
    messages: announcements.length,
    unnamed,
    lost: missing.slice(unnamed),
    duplicated: [...again, ...Array<string>(Math.max(0, unnamed - missing.length)).fill('somebody without a name')],
    outOfOrder: findOutOfOrder(announcements, sendings),
  };
}

/** Compares messages only: within a message, the view decides the order. */
function findOutOfOrder(announcements: readonly Announcement[], sendings: ReadonlyMap<string, Sending>): string[] {
  let latestSentAt = -Infinity;
  const outOfOrder: string[] = [];
  for (const { names } of announcements) {
    const sent = names.flatMap((name) => sendings.get(name) ?? []);
    outOfOrder.push(...names.filter((name) => (sendings.get(name)?.takenAt ?? Infinity) < latestSentAt));
    for (const { sentAt } of sent) latestSentAt = Math.max(latestSentAt, sentAt);
  }
  return outOfOrder;
}
