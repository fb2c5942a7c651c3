import type { Result } from './result.ts';

/** A run of a custom step in a workflow of the platform. */
export interface StepExecution {
  /** The platform’s ID of the run. */
  id: string;
  teamId: string;
  /** The platform’s ID of the app. Runs of versions up to 1.6 have none. */
  appId?: string;
  /** Undefined where the platform does not say which workflow it is. */
  workflowId?: string;
  /** The name of the step. */
  step: string;
  /** Texts, numbers and booleans as texts. */
  inputs: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

export type StepOutputs = Readonly<Record<string, string | number | boolean>>;

/** How a run ends. `message`: a sentence in plain text for the people of the workflow. */
export type StepEnding = { kind: 'success'; outputs: StepOutputs } | { kind: 'error'; message: string };

/** What a workflow gets to know of an attempt. `submittedAt` is in milliseconds since the epoch; null where the service does not say. */
export interface AttemptResult extends Pick<Result, 'outcome' | 'points' | 'percentage' | 'grade'> {
  submittedAt: number | null;
}

/** A run that ends when a user has taken a quiz. Times are milliseconds since the epoch. */
export interface ResultWait {
  executionId: string;
  /** The person by whose rights it runs. */
  personId: string;
  /** The grant of their rights. Waits of versions up to 1.6 have none. */
  grantId?: string;
  quizId: string;
  userId: string;
  /** As they were at the beginning, for the time when they are gone. Waits of versions up to 1.6 have none. */
  names?: { user: string; quiz: string };
  /** Attempts submitted before do not count; undefined: every attempt counts. */
  countsFrom?: number;
  /** Whether a failed attempt goes on waiting. */
  needsPass: boolean;
  /** When it ends in any case. */
  until: number;
  /** When the service is asked for the result: at the beginning, when the time is over, and each hour while it waits to be marked. */
  checkAt: number;
  /** Passed, or else the latest. */
  result: AttemptResult | null;
  /** The way it ends, once that is known. It is stored before the platform is called, and never changes. */
  ending?: StepEnding;
  /** How often the platform or the service could not be used in a row, and when they are tried again. */
  failures: number;
  restsFrom?: number | undefined;
  notBefore: number;
}

/** Something that happened to a run. Each is applied once. */
export type WorkflowEvent =
  | { kind: 'start'; execution: StepExecution }
  | { kind: 'wait'; wait: ResultWait }
  | { kind: 'result'; userId: string; quizId: string; result: AttemptResult }
  /** A user or a quiz was deleted, for which runs may wait. */
  | { kind: 'look' };
