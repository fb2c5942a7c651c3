import type { Announcement, ListAnnouncement, PostingPlatform } from '../../domain/announcement.ts';
import type { Note } from '../../domain/note.ts';

/** What texts for people call the platform on which they use the bot. */
export interface PlatformWords {
  /** Goes before “account”, “profile”, “e-mail address”. */
  name: string;
}

/** The platform, for what an operation writes itself. */
export interface Platform extends PlatformWords {
  /** Puts the names that the bot and its commands have there into a sentence for a file. Answers get them where they leave the bot. */
  inOwnNames: (sentence: string) => string;
  /** By the platform’s code. */
  closedReason: (code: string) => ClosedReason;
}

/** Why the bot cannot post in a channel, for people: `why` stands after a colon, and `remedy` is a sentence. */
export interface ClosedReason {
  why: string;
  remedy: string;
}

/** Where alerts are announced. Ids of channels, people, threads and messages are the platform's. */
export interface AnnouncementChannel extends PostingPlatform, Pick<Platform, 'closedReason'> {
  /** Counts the first items of a list that fit into a message; at least 1. The platform may still refuse the message. */
  countFitting(list: ListAnnouncement): number;
  /** @returns why the platform would refuse a message in a channel; undefined where it shows no obstacle */
  whyClosed(channelId: string): Promise<ClosedReason | undefined>;
  /** The same for announcements that look the same. */
  fingerprint(announcement: Announcement): string;
  /** Replaces the content of a message. */
  update(channelId: string, messageId: string, announcement: Announcement): Promise<void>;
  /** @returns the id of the bot's conversation with a person */
  openDirect(personId: string): Promise<string>;
  /** Posts where only the person reads it. */
  sendDirect(personId: string, announcement: Announcement): Promise<void>;
}

/** What a live message shows now, and where. */
export interface LiveMessage {
  to: { channelId: string } | { personId: string };
  announcement: Announcement;
  /** It does not change any more. */
  isFinal: boolean;
  /** Who is told, and what, where the platform does not let the bot post it. */
  whenClosed?: { personId: string; note: (closed: ClosedReason) => Note };
}
