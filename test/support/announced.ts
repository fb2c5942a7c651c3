import type { Message } from '../../src/sandbox/workspace/model.ts';
import { numberedNames } from './numbered-person.ts';

/** What one message says of numbered people: who is named, as often as they are, and how many more are only counted. */
export interface Announcement {
  names: string[];
  counted: number;
}

/** The messages that announce somebody, in the order they were posted. */
export function announcements(messages: readonly Message[]): Announcement[] {
  return messages
    .toSorted((a, b) => (a.ts < b.ts ? -1 : 1))
    .map(readAnnouncement)
    .filter(({ names, counted }) => names.length + counted > 0);
}

export const countAnnounced = (read: readonly Announcement[]): number =>
  read.reduce((sum, { names, counted }) => sum + names.length + counted, 0);

const alreadyRead = new WeakMap<object, Announcement>();

/** Only what people read in blocks: ids in buttons and metadata announce nobody, and the notification says the same again. */
function readAnnouncement({ blocks = [] }: Message): Announcement {
  const known = alreadyRead.get(blocks);
  if (known) return known;
  const text = textsIn(blocks).join('\n');
  const counts = [...text.matchAll(/\band ([\d,]+) (?:more|submissions?)\b/g)].map(([, count = '']) => Number(count.replaceAll(',', '')));
  const read = { names: text.match(numberedNames) ?? [], counted: counts.reduce((sum, count) => sum + count, 0) };
  alreadyRead.set(blocks, read);
  return read;
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => (key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner)));
}

/** When an event was sent for the first time and when it was answered 200, on the sender's clock. */
export interface Sending {
  sentAt: number;
  takenAt: number;
}

export interface Reckoning {
  messages: number;
  lost: number;
  doubled: number;
  /** Announced after somebody whose event was not even sent when theirs was taken already. */
  disordered: number;
  /** Counted and not named, so that they cannot be told apart. */
  unnamed: number;
  missingNames: string[];
  repeatedNames: string[];
  disorderedNames: string[];
}

/** Compares what was announced in a channel with whose events were sent: each is to be announced once. */
export function reckon(read: readonly Announcement[], sendings: ReadonlyMap<string, Sending>): Reckoning {
  const times = new Map<string, number>();
  for (const name of read.flatMap(({ names }) => names)) times.set(name, (times.get(name) ?? 0) + 1);
  const missingNames = [...sendings.keys()].filter((name) => !times.has(name));
  const repeatedNames = [...times].filter(([name, count]) => count > 1 || !sendings.has(name)).map(([name]) => name);
  const repeats = [...times].reduce((sum, [name, count]) => sum + count - (sendings.has(name) ? 1 : 0), 0);
  const unnamed = read.reduce((sum, { counted }) => sum + counted, 0);
  const disorderedNames = findDisordered(read, sendings);
  return {
    messages: read.length,
    lost: Math.max(0, missingNames.length - unnamed),
    doubled: repeats + Math.max(0, unnamed - missingNames.length),
    disordered: disorderedNames.length,
    unnamed,
    missingNames,
    repeatedNames,
    disorderedNames,
  };
}

/** Within one message the order is the view's own. */
function findDisordered(read: readonly Announcement[], sendings: ReadonlyMap<string, Sending>): string[] {
  let latestSentAt = -Infinity;
  const disordered: string[] = [];
  for (const { names } of read) {
    const sent = names.flatMap((name) => sendings.get(name) ?? []);
    disordered.push(...names.filter((name) => (sendings.get(name)?.takenAt ?? Infinity) < latestSentAt));
    for (const { sentAt } of sent) latestSentAt = Math.max(latestSentAt, sentAt);
  }
  return disordered;
}
