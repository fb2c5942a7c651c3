import { addressId } from './erasure.ts';
import { markedPerson } from './said.ts';

/**
 * Many changes of one kind that run one after the other in the background, and survive restarts. Times are milliseconds since
 * the epoch.
 */
export interface Batch {
  id: string;
  teamId: string;
  /** The person who started it, by whose rights it runs. */
  ownerId: string;
  /** Where the bot started it by the rule of a campaign: the person who approved that. */
  approvedBy?: string;
  /** The name of the operation that started it. */
  operation: string;
  /** What it does, as an imperative sentence of `domain/said.ts` without a period: “assign ⁨Fire safety⁩ to 500 people”. */
  action: string;
  /** The same of a batch that has made all of it: “assigned ⁨Fire safety⁩ to 500 people”. Undefined: no message of its own shows it. */
  done?: string;
  startedAt: number;
  endedAt: number | null;
  state: BatchState;
  /** The outcome of each row, in the order of the rows. Empty before the batch has begun. */
  outcomes: readonly RowOutcome[];
  /** Undefined where its owner started it by their own rights. */
  approval?: BatchApproval;
  /** The live message that shows its progress: its own one in the owner’s conversation with the bot, or a campaign’s board; null: none. */
  liveId: string | null;
  /** Of a change that a person’s request makes by itself: the batch makes what is left of it where the bot ends in the middle. */
  takesOver?: TakenOver;
}

export interface TakenOver {
  /** Of the request. */
  correlationId: string;
  /** When the request is over in any case: the batch does not begin before. */
  notBefore: number;
}

/** `stopped`: the owner may not do this any more, its approval has expired, or the account cannot be used; the reason is in `BatchProgress.problem`. */
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
  /** It needs approval now, so it was not made. */
  needsApproval?: true;
  /** How many of the row’s changes are made, while it is tried. */
  made?: number;
  /** The user was created, and the message by which they get a password could not be sent. */
  isWithoutPassword?: true;
  /** Whoever started the batch has seen a password of the user. */
  isPasswordShown?: true;
}

/** An operation and its input, things by their IDs: what a command, a form and a row of a batch have in common. */
export interface Change {
  operation: string;
  input: Readonly<Record<string, readonly string[]>>;
}

/** Stands in the input of a row’s later changes for the user whom its first change creates. */
export const newUser = '{new user}';

/** One row of a batch: changes that are made in their order, each judged when its turn comes. */
export type BatchRow =
  | ChangeRow
  /** Nothing to do: the row is in the result only. */
  | { kind: 'none'; outcome: RowOutcome; name: string };

export interface ChangeRow {
  kind: 'change';
  name: string;
  /** What it does to its person or group, in words that follow the name and a colon: “gets the quiz”. */
  words: string;
  changes: readonly [Change, ...Change[]];
  /** The operation that takes it back with the same input, and its words; undefined where nothing does. */
  undo?: { operation: string; words: string };
  /** The user it is about; undefined for groups, and for users who do not exist yet. */
  userId?: string;
  /** Who has a message about a quiz as soon as it is theirs. Without `users`, it is the user of the row. */
  notify?: readonly QuizNotice[];
  /** By the rights of its maker and the state of its targets when it was planned, another person has to approve it. */
  needsApproval?: true;
  /** Requests besides its changes: of some, the user is read right before. */
  reads?: number;
  /** A digest of the users it changes, as they were when they were shown: an approval is for them as they were then. */
  shown?: string;
}

/** By what the person of a row is known: the ID of their user, or their address until they have one. Undefined for a group. */
export function idOfRow(row: BatchRow): string | undefined {
  if (row.kind === 'none') return row.outcome.userId;
  const { user_name: userName = [], email_address: address = [] } = row.changes[0].input;
  return row.userId ?? [...userName, ...address].map(addressId).find((id) => id !== undefined);
}

/** What a row is called, marked as the name of its person. */
export function nameOfRow(row: BatchRow): string {
  const id = idOfRow(row);
  return id === undefined ? row.name : markedPerson(id, row.name);
}

export interface QuizNotice {
  quizId: string;
  quizName: string;
  /** `groupId`: they get it through this group. */
  users?: readonly { userId: string; groupId?: string }[];
}

/** Another person’s approval of the changes that need it. */
export interface BatchApproval {
  by: string;
  /** In milliseconds since the epoch. */
  expiresAt: number;
}

/** A batch as its preview shows it, before a person starts it. The rows are frozen. */
export interface BatchPlan {
  kind: 'batch';
  operation: string;
  /** As in `Batch`. */
  action: string;
  done?: string;
  rows: readonly BatchRow[];
  /** Whether another person has to decide before it starts. */
  approval: 'privileged' | 'many people' | null;
  /** The names of the trainers and administrators whom it changes, for the person who decides. */
  privileged?: readonly string[];
  /** The quizzes and groups that its rows name, as they were called when it was made. */
  things?: readonly { kind: 'quiz' | 'group'; id: string; name: string }[];
  /** The file it was read from, for the result: its header and cells. */
  source?: { header: readonly string[]; cells: readonly (readonly string[])[] };
  /** Of an import: what its preview says of the file. */
  imported?: ImportSummary;
}

/** How many of some rows are done. */
export interface DoneOf {
  done: number;
  total: number;
}

/** How far a batch is. */
export interface BatchProgress {
  batch: Pick<Batch, 'id' | 'action' | 'done' | 'ownerId' | 'state' | 'startedAt' | 'endedAt'>;
  /** The rows that change something: as many as the action names. */
  total: number;
  done: number;
  failed: number;
  /** Of an import. `errors`: rows that failed, and those in which something was wrong before. */
  imported?: { created: DoneOf; updated: DoneOf; errors: number };
  /** Of `failed`: rows that were not made because they need approval now; left out where there are none. */
  needApproval?: number;
  /** Those that were cancelled, of the rows that change something. */
  skipped: number;
  /** What is done can be undone, at least in part. */
  canUndo?: true;
  /** Of `done`: created users whom no message about their password reached; left out where there are none. */
  withoutPassword?: number;
  /** Of `done`: created users whose passwords were shown to be printed. */
  passwordsShown?: number;
  /** Some of what is left needs approval, and the approval has expired: resuming needs another one. */
  needsNewApproval?: true;
  /** When it will be through, by the requests that are left; undefined while it rests. */
  readyAt: number | undefined;
  /** Why it is stopped, as a sentence. */
  problem?: string;
}

/** What people and the bot do to a batch. Each is applied once, in order. `unreached`: the user of a row got no message about their password. */
export type BatchEvent =
  | { kind: 'start'; batch: Batch }
  /** The request made the change, or told the person why not: the batch does not begin. */
  | { kind: 'call off' }
  | { kind: 'pause'; by: string }
  | { kind: 'resume'; by: string; at: number; approval?: BatchApproval }
  | { kind: 'cancel'; by: string; at: number }
  | { kind: 'unreached'; row: number }
  /** The person who started it was shown a password of the user of a row. */
  | { kind: 'password shown'; row: number };

/** What an import does with a row. `differs`: the user exists and differs, and stays as they are. */
export type ImportedRowKind =
  | 'create'
  | 'update'
  | 'same'
  | 'differs'
  | 'conflict'
  | 'repeated'
  | 'outsider'
  | 'gone'
  | 'no address'
  | 'invalid';

/** What an import would do with the rows of its source. Texts are sentences of `domain/said.ts`. */
export interface ImportSummary {
  /** The file, channel or user group, as people write it. */
  source: string;
  /** People know the rows by their lines: the source is a file. */
  hasLines: boolean;
  counts: Partial<Record<ImportedRowKind, number>>;
  /** `of`: as `idOfRow` has it, here and below. Rows in which nothing happens though the person may want it, in the order of the file; at least the first few. */
  problems: readonly { line: number; of?: string; person?: string; note: string }[];
  /** The people whom the source says are gone; as `problems`. `suspend`: the ID of a user who still can sign in. */
  gone?: readonly (ImportSummary['problems'][number] & { suspend?: string })[];
  /** Default: as many as `problems` has. */
  problemCount?: number;
  /** Names of the people who would become trainers or administrators, or get rights. */
  privileged: readonly string[];
  notices: readonly string[];
  /** More than half of the new users would have no name: the import cannot be started. */
  lacksNames?: { count: number; total: number };
  /** Some names as the bot read them, those first that it changed most. */
  names?: readonly { of?: string; written: string; first: string; last: string }[];
  /** Everybody in a short source who is no problem; its rows are not sent as a file. */
  people?: readonly { of?: string; kind: ImportedRowKind; person: string }[];
  /** New users with an e-mail address to whom the service mails no password. */
  withoutMail?: number;
}
