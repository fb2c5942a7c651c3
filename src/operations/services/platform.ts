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
