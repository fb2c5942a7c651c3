/** Something that somebody asked for and that somebody else has to decide. No secret ever stands in it. */
export interface ApprovalRequest {
  id: string;
  /** The workspace it was asked in. */
  teamId: string;
  /** The operation’s name. */
  operation: string;
  /** The operation’s input, things by their ids. */
  input: Readonly<Record<string, readonly string[]>>;
  /** Slack id of who asks. */
  requesterId: string;
  reason: string;
  /** Times are milliseconds since the epoch. */
  createdAt: number;
  remindAt: number;
  expiresAt: number;
  /** What it meant when it was asked. */
  asked: ChangePreview;
  state: RequestState;
  isReminded: boolean;
  decision?: Decision | undefined;
  /** When the operation was begun: from then on it may have been done. */
  startedAt?: number | undefined;
  /** Of the runs so far, how many failed, and the last of them. */
  failures: number;
  lastFailure?: { message: string; by: string; at: number };
  outcome?: { kind: 'done' | 'unknown' | 'not run'; message: string; at: number };
  posts: Posts;
}

/**
 * `open` can be decided; `decided` is being run or about to be; `closed` is over and has still to be
 * announced; `announced` is history. A failed run opens a request again.
 */
export type RequestState = 'open' | 'decided' | 'closed' | 'announced';

export interface Decision {
  verdict: 'approved' | 'denied' | 'withdrawn' | 'expired';
  /** Slack id; nobody decides that a request expires. */
  by?: string;
  comment: string;
  at: number;
}

/** What an operation is about to do, to what, as things stand. Texts are plain. */
export interface ChangePreview {
  effect: string;
  details: readonly { label: string; value: string }[];
  targets: readonly Target[];
}

/** Something as it was seen. */
export interface Target {
  kind: 'quiz' | 'user' | 'group' | 'channel' | 'subscription';
  id: string;
  name: string;
  facts: Readonly<Record<string, string>>;
}

/** What stands in Slack of a request. `intent` is set before something is posted: after a crash it may be there. */
export interface Posts {
  messages: readonly { channel: string; ts: string }[];
  messagesIntent?: true;
  /** The stage the messages show. */
  shown?: string;
  /** The stage the requester was last told of. */
  told?: string;
  toldIntent?: string;
}
