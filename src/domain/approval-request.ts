/** A change that one person requests and another person decides on. It never holds a secret. */
export interface ApprovalRequest {
  id: string;
  /** The workspace it was asked in. */
  teamId: string;
  /** The channel it was asked in, whose subscriptions everyone in it may name; undefined in a direct message. */
  channelId?: string | undefined;
  /** The operation’s name. */
  operation: string;
  /** The operation’s input, things by their ids. */
  input: Readonly<Record<string, readonly string[]>>;
  /** The addresses in the input, as `addressId` has them: they are masked once it is history. */
  addressIds?: readonly string[];
  requesterId: string;
  /** A person who asks again adds to it. */
  reason: string;
  /** Asked by a step of a workflow, which takes from a profile what its requester may not see. */
  isOfStep?: true;
  /** How many reasons were added while it was open. */
  reasonsAdded?: number;
  /** Times are milliseconds since the epoch. */
  createdAt: number;
  remindAt: number;
  expiresAt: number;
  /** What it meant when it was asked. */
  asked: ChangePreview;
  state: RequestState;
  isReminded: boolean;
  decision?: Decision | undefined;
  /** When the run began: from then on, a crash leaves it open whether the change was made. */
  startedAt?: number | undefined;
  /** How many runs failed so far. */
  failures: number;
  lastFailure?: { message: string; by: string; at: number };
  outcome?: {
    kind: 'done' | 'unknown' | 'not run';
    message: string;
    at: number;
    /** The user whom it created. */
    createdId?: string;
    /** After a run that left a user with a password that nobody knows. */
    passwordOffer?: PasswordOffer;
  };
  posts: Posts;
}

/** A person who can have a new password of a user set, and see it. It holds no password: there is none until they look. */
export interface PasswordOffer {
  personId: string;
  userId: string;
  /** The user’s name. */
  name: string;
}

/** A request and the version it has in the store, which takes a change of that version only. */
export interface StoredRequest {
  request: ApprovalRequest;
  version: number;
}

/**
 * `open` can be decided; `decided` is being run or about to be; `closed` is over and has still to be
 * announced; `announced` is history. A failed run opens a request again.
 */
type RequestState = 'open' | 'decided' | 'closed' | 'announced';

export interface Decision {
  verdict: 'approved' | 'denied' | 'withdrawn' | 'expired';
  /** The person who decided; undefined for a request that expired. */
  by?: string;
  comment: string;
  at: number;
  /** What the reviewer saw and approved; nothing else is run. Undefined where nothing was approved. */
  preview?: ChangePreview;
}

/** What an operation would do, and the present state of what it would do it to. Texts are sentences (`domain/said.ts`). */
export interface ChangePreview {
  /** What is requested, as an imperative: “suspend ⁨Rosa⁩”. */
  action?: string;
  /** What would happen, in the conditional. */
  effect: string;
  details: readonly { label: string; value: string }[];
  targets: readonly Target[];
  /** Of many changes: those that need the approval, a sentence without a period each. */
  privileged?: readonly string[];
  /** Of many changes: what is no longer as it was when they were worked out. */
  changes?: readonly string[];
}

/** Something that an operation changes, as the service had it when it was read. */
export interface Target {
  kind: 'quiz' | 'user' | 'group' | 'channel' | 'subscription';
  id: string;
  name: string;
  facts: Readonly<Record<string, string>>;
}

/** The messages about a request. `shown` and `told` name the stage that people have seen. */
export interface Posts {
  messages: readonly { channel: string; ts: string }[];
  /** The stage that the messages show; undefined until the first message is known to be posted. */
  shown?: string;
  /** Why fewer people got the request than should, as a sentence for the requester. */
  trouble?: string;
  /** The message that the requester has of it. */
  requester?: { channel: string; ts: string };
  /** The stage that the requester’s message shows. */
  told?: string | undefined;
}

/** Between the reasons of a person who requested the same several times. */
export const addedReason = ' · Added: ';
