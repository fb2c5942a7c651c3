/** How the alerts of a workspace are doing. Times are milliseconds since the epoch; undefined for what never happened. */
export interface AlertsStatus {
  webhooks: WebhooksStatus;
  /** Events that are stored and not matched with subscriptions yet, without the postponed ones. */
  events: number;
  /** Events of which a try failed, and which are tried again later. */
  postponed: number;
  /** Entries that wait to be posted, without those collected for a digest. */
  waiting: number;
  /** Channels in which something waits. */
  channels: number;
  oldestAt: number | undefined;
  subscriptions: number;
  paused: number;
}

/** Webhooks since counting began, over all instances. */
export interface WebhooksStatus {
  since: number | undefined;
  lastAt: number | undefined;
  taken: number;
  /** Submissions without a webhook, which the bot found by asking the quiz service. */
  backfilled: number;
  /** The most frequent reason first. */
  refused: readonly { reason: string; count: number }[];
  lastRefusedAt: number | undefined;
  /** The latest different refusals for the signature or the path, the last first. */
  refusedSignatures: readonly RefusedSignature[];
  /** Events whose tries have ended: how many, and the latest of them, the last first. */
  setAside: { count: number; events: readonly SetAsideEvent[] };
}

/** An event that is not announced, because each of its tries failed. */
export interface SetAsideEvent {
  quizId: string;
  responseId: string;
  /** Null where the bot does not know it. */
  quizName: string | null;
  /** Of the respondent, where they are a user of the account. */
  userId?: string;
  /** The respondent; null where the service never confirmed the response. */
  name: string | null;
  /** When the first try failed, in milliseconds since the epoch. */
  since: number;
}

/** What a webhook lacked when it was refused. It names schemes, headers or the path, and never contains a value. */
export interface RefusedSignature {
  /** Milliseconds since the epoch. */
  at: number;
  tried: readonly { scheme: string; problem: string }[];
  /** The headers that came, without those of every request; a few. */
  headers: readonly string[];
  /** Where it was sent, if it was not the route. */
  path?: string;
}
