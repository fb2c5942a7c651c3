import type { Result } from './result.ts';

/** A run of a custom step in a workflow of the platform. */
export interface StepExecution {
  /** The platform’s ID of the run. */
  id: string;
  teamId: string;
  /** The platform’s ID of the app. */
  appId: string;
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

/** What a step waits for, which ends when a user has taken a quiz. Times are milliseconds since the epoch. */
export interface ResultWait {
  /** The person by whose rights it runs. */
  personId: string;
  /** The grant of their rights. */
  grantId: string;
  quizId: string;
  userId: string;
  /** As they were at the beginning, for the time when they are gone. */
  names: { user: string; quiz: string };
  /** Attempts submitted before do not count; undefined: every attempt counts. */
  countsFrom?: number;
  /** Whether a failed attempt goes on waiting. */
  needsPass: boolean;
  /** When it ends in any case. */
  until: number;
  /** Passed, or else the latest. */
  result: AttemptResult | null;
}

/** A step that waits, in the list of its workspace. */
export interface ListedWait extends Pick<ResultWait, 'quizId' | 'userId' | 'until'> {
  executionId: string;
}

/** Something that happened to a run, or to the list of those that wait. Each is applied once. */
export type WorkflowEvent =
  | { kind: 'start'; execution: StepExecution }
  /** It waits on from a store of 1.7, or has the ending that version 1.7 made. */
  | { kind: 'wait'; execution: StepExecution; wait: ResultWait; ending?: StepEnding }
  /** The user that a run waits for has submitted the quiz. */
  | { kind: 'result'; result: AttemptResult }
  /** The service has to be asked. */
  | { kind: 'look' }
  | { kind: 'listed'; wait: ListedWait }
  | { kind: 'over'; executionId: string };
