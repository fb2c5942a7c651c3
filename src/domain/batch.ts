/**
 * Many changes of one kind that run one after the other in the background, and survive restarts. Times are milliseconds since
 * the epoch.
 */
export interface Batch {
  id: string;
  teamId: string;
  /** The person who started it, by whose rights it runs. */
  ownerId: string;
  /** The name of the operation that started it. */
  operation: string;
  /** What it does, as an imperative sentence of `domain/sentence.ts` without a period: “assign ⁨Fire safety⁩ to 500 people”. */
  action: string;
  startedAt: number;
  endedAt: number | null;
  state: BatchState;
  /** The outcome of each row, in the order of the rows. Empty before the batch has begun. */
  outcomes: readonly RowOutcome[];
  /** The live message that shows its progress: its own one in the owner’s conversation with the bot, or a campaign’s board; null: none. */
  liveId: string | null;
}

/** `stopped`: the owner may not do this any more, or the account cannot be used; the reason is in `BatchProgress.problem`. */
export type BatchState = 'running' | 'paused' | 'stopped' | 'cancelled' | 'finished';

export interface RowOutcome {
  /**
   * `trying`: the request was sent or is about to be; after a crash, the service is asked before it is sent again. `same`:
   * things already were as asked.
   */
  kind: 'waiting' | 'trying' | 'done' | 'same' | 'failed' | 'skipped';
  /** Why it failed or was skipped, as a sentence. */
  error?: string;
  /** The user of the row, where it made or found one. */
  userId?: string;
  /** The user was created, and the message by which they get a password could not be sent. */
  isWithoutPassword?: true;
}

/** One change of a batch. */
export type BatchRow =
  /** `quizName`: a user gets a message about the quiz as soon as it is theirs; of a group, its `members` do. */
  | {
      kind: 'assign';
      quizId: string;
      quizName?: string;
      to: 'user' | 'group';
      id: string;
      name: string;
      members?: readonly string[];
    }
  | { kind: 'unassign'; quizId: string; from: 'user' | 'group'; id: string; name: string }
  | { kind: 'suspend'; userId: string; name: string }
  | { kind: 'reinstate'; userId: string; name: string }
  | { kind: 'join-group'; userId: string; groupId: string; name: string }
  | { kind: 'leave-group'; userId: string; groupId: string; name: string }
  | { kind: 'create'; user: NewUserRow; name: string }
  /** `changes`: what of the user differs; everything else stays as it is when the row runs. */
  | { kind: 'update'; userId: string; user: NewUserRow; changes: readonly (keyof NewUserRow)[]; name: string }
  /** Nothing to do: the row is in the result only. */
  | { kind: 'none'; outcome: RowOutcome; name: string };

/** A user to create, or to bring up to date. Passwords are made when the user is created, and never stored. */
export interface NewUserRow {
  firstName: string;
  lastName: string;
  userName: string;
  emailAddress: string;
  userType: 'respondent' | 'trainer' | 'administrator';
  flags: readonly ('edit_quizzes' | 'manage_users' | 'manage_groups')[];
  groups: readonly { id: string; name: string }[];
  quizzes: readonly { id: string; name: string }[];
  /** Has the service send a new user their password in a welcome e-mail. */
  sendsWelcome?: boolean;
}

/** A batch as its preview shows it, before a person starts it. The rows are frozen. */
export interface BatchPlan {
  kind: 'batch';
  operation: string;
  action: string;
  rows: readonly BatchRow[];
  /** The people who need a right that the requester lacks, or rows that the policy lets only another person decide on. */
  approval: 'privileged' | 'many people' | null;
  /** The names of the trainers and administrators whom it changes, for the person who decides. */
  privileged?: readonly string[];
  /** The file it was read from, for the result: its header and cells. */
  source?: { header: readonly string[]; cells: readonly (readonly string[])[] };
}

/** How far a batch is. */
export interface BatchProgress {
  batch: Pick<Batch, 'id' | 'action' | 'ownerId' | 'state' | 'startedAt' | 'endedAt'>;
  /** Without the rows for which the plan has nothing to do. */
  total: number;
  done: number;
  /** Rows that were as asked before. */
  same: number;
  failed: number;
  /** Rows that the plan leaves out, and those that were cancelled. */
  skipped: number;
  /** What is done can be undone, at least in part. */
  canUndo?: true;
  /** Of `done`: created users whom no message about their password reached; left out where there are none. */
  withoutPassword?: number;
  /** When it will be through, by the requests that are left; undefined while it rests. */
  readyAt: number | undefined;
  /** Why it is stopped, as a sentence. */
  problem?: string;
}

/** What people and the bot do to a batch. Each is applied once, in order. `unreached`: the user of a row got no message about their password. */
export type BatchEvent =
  | { kind: 'start'; batch: Batch }
  | { kind: 'pause'; by: string }
  | { kind: 'resume'; by: string }
  | { kind: 'cancel'; by: string; at: number }
  | { kind: 'unreached'; row: number };
