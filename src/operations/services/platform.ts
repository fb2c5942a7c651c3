import type { Announcement, ListAnnouncement } from '../../domain/announcement.ts';
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

/**
 * Where alerts are announced. Ids of channels, people, threads and messages are the platform's. Each call is tried once.
 * All asynchronous calls throw `PlatformError`.
 */
export interface AnnouncementChannel extends Pick<Platform, 'closedReason'> {
  /** Counts the first items of a list that fit into a message; at least 1. The platform may still refuse the message. */
  countFitting(list: ListAnnouncement): number;
  /**
   * @param options.key finds the message again
   * @param options.threadId the id of the message that heads the thread
   * @returns the id of the message
   * @throws {PlatformError} `too_long` only for announcements that can be shorter; others lose their form before that
   */
  post(
    channelId: string,
    announcement: Announcement,
    options?: { key?: string; threadId?: string | undefined },
  ): Promise<string>;
  /**
   * @param options.after the id of a message that is older; it bounds the lookup
   * @returns the id of the message with this key; undefined where there is none
   */
  find(
    channelId: string,
    key: string,
    options: { threadId?: string | undefined; after?: string | undefined },
  ): Promise<string | undefined>;
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
