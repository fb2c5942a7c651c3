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

/** Why the bot cannot post in a channel, for people: `why` stands after a colon, and `inBrief` in parentheses. */
export interface ClosedReason {
  why: string;
  inBrief: string;
  /** `why` as a sentence. */
  sentence: string;
  /** What to do before one tries again. */
  remedy: string;
  /** The same where the bot tries again by itself. */
  remedyAlone: string;
  /** The same before **Resume**. */
  remedyThenResume: string;
  /** The same before one starts what needs the channel. */
  remedyBeforeStart: string;
}
