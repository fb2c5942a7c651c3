import type {
  Batch,
  BatchApproval,
  BatchEvent,
  BatchPlan,
  BatchProgress,
  BatchRow,
  RowOutcome,
  TakenOver,
} from '../../domain/batch.ts';
import type { Plan } from '../../domain/plan.ts';
import type { User } from '../../quiz-api/users.ts';

/** Planned rows after they were judged. `things`: the quizzes and groups that they name. */
export interface JudgedRows {
  rows: readonly BatchRow[];
  things: NonNullable<BatchPlan['things']>;
}

/**
 * What became of what a row changes since it was shown. `changed`: the user’s type, rights, suspension or address. `refused`: its
 * operation does not take it any more; `message` says why.
 */
export type RowNow =
  { kind: 'as shown' | 'gone' | 'done' } | { kind: 'changed'; user: User } | { kind: 'refused'; message: string };

/** The batches of one workspace, as operations work with them. */
export interface BatchService {
  /** @param by the person who starts it, and is its owner */
  start(plan: BatchPlan, by: string, approval?: BatchApproval): Promise<Batch>;
  /**
   * Stores a change that is about to be made by itself. If the bot ends in the middle, a batch makes what is left of it; if it is
   * made, or the person knows why not, it is called off.
   */
  hold(plan: BatchPlan, by: string, takesOver: TakenOver): Promise<{ callOff: () => Promise<void> }>;
  /** Undefined for an unknown batch. */
  progress(id: string): Promise<BatchProgress | undefined>;
  /** The rows are empty where they are too old. */
  result(id: string): Promise<BatchResult | undefined>;
  /** Has an event applied to a batch. What is stored survives a crash. */
  put(id: string, event: Exclude<BatchEvent, { kind: 'start' | 'call off' }>): Promise<void>;
}

/** What became of each row of a batch. */
export interface BatchResult extends Pick<BatchPlan, 'operation' | 'source'>, Pick<Batch, 'ownerId' | 'state'> {
  rows: readonly BatchRow[];
  outcomes: readonly RowOutcome[];
}

/** Plans of one workspace. They are kept for some days, longer than a request for approval. */
export interface Plans {
  /** @returns the plan’s id */
  add(plan: Pick<Plan, 'personId' | 'content' | 'entered'>): Promise<string>;
  /** Those that the person made and can still start, the latest first; a few. */
  latest(personId: string): Promise<readonly Plan[]>;
  /** Undefined where it is too old, or was started. */
  byId(id: string): Promise<Plan | undefined>;
  /** Whether the person had the plan made, and it was started; false where that is long ago. */
  wasStarted(id: string, personId: string): Promise<boolean>;
  /** Takes a plan out, so that it is started once. False where another did so before. */
  take(id: string): Promise<boolean>;
}
