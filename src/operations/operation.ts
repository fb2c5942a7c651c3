import type { Directory } from '../directory/directory.ts';
import type { Quiz, QuizStatus } from '../quiz-api/quizzes.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { Result } from './result.ts';

/** `destructive` cannot be undone. */
export type Access = 'read' | 'write' | 'destructive';

/**
 * What an operation can ask of the person: to be somebody the account knows, to be staff (trainer or
 * administrator), to hold one of the service's flags, or to be an administrator.
 */
export type Right = 'known' | 'staff' | 'edit_quizzes' | 'manage_users' | 'manage_groups' | 'administrator';

interface FieldBase {
  label: string;
  hint?: string;
  optional?: true;
}

/** A quiz the person may see; `status` narrows the picker to quizzes one would choose here. */
export interface QuizField extends FieldBase {
  kind: 'quiz';
  status?: readonly QuizStatus[];
}

export interface TextField extends FieldBase {
  kind: 'text';
  maxLength: number;
}

export type Field = QuizField | TextField;
export type Fields = Record<string, Field>;

type ValueOf<F extends Field> = F extends QuizField ? Quiz : string;

/** The parsed input: every required field is there. */
export type Input<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { optional: true } ? ValueOf<F[Name]> | undefined : ValueOf<F[Name]>;
};

/** What an operation works with. `call` carries the deadline and belongs in every call of the service. */
export interface World {
  api: QuizApi;
  directory: Directory;
  /** True for a quiz the person may know of. */
  sees: (quiz: Quiz) => boolean;
  call: CallOptions;
}

/**
 * Something a person can do, defined once: the slash command, the form, its errors, the help text and
 * the log come from it.
 */
export interface Operation<F extends Fields = Fields> {
  /** Also the callback id of its form and of its global shortcut, where the manifest has one. */
  name: string;
  /** As it is typed, with its fields in angle brackets: `/quiz close <quiz>`. */
  command: string;
  summary: string;
  access: Access;
  right: Right;
  fields: F;
  /** The word on the form's button. */
  submit: string;
  run(world: World, input: Input<F>): Promise<Result>;
}

/** Checks that `run` fits the fields; what comes out is an operation like any other. */
export function defineOperation<const F extends Fields>(operation: Operation<F>): Operation {
  return operation;
}
