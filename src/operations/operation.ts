import type { OperationContext, Right } from './context.ts';
import type { Fields, Input } from './fields/fields.ts';
import type { OperationResult } from './operation-result.ts';

/** `destructive` cannot be undone. */
export type Access = 'read' | 'write' | 'destructive';

/**
 * What was typed or chosen, by field name: names, parts of names, ids, e-mail addresses; mentions as `formatMention`
 * writes them. Each of several assignees is a text of its own.
 */
export type TextInput = Readonly<Record<string, readonly string[]>>;

/**
 * Something a person can do, defined once. The slash command, the form and its errors, the help text, the approval
 * request and the audit entry come from it.
 */
export interface Operation<F extends Fields = Fields> {
  /** Also the callback id of its form, and of its global shortcut where the manifest has one. */
  name: string;
  /** As people type it, with the fields that can be typed: `<quiz>` is required, `[filter]` optional, `…` is asked for in the form. */
  command: string;
  summary: string;
  access: Access;
  right: Right;
  fields: F;
  /** The label of the form's button. */
  submit: string;
  /** Makes something new each time it runs, so a run whose end is unknown is never repeated. */
  makesNew?: true;
  /**
   * Reads what is typed after the verb, for lines whose words come in no fixed order.
   * @throws {InvalidInputError}
   */
  parse?(line: string): TextInput;
  /** @throws {InvalidInputError} when fields do not go together */
  check?(input: Input<F>): void;
  /** What it is about to do, in plain words, for the person who decides on it. */
  effect?(context: OperationContext, input: Input<F>): string | Promise<string>;
  /** Whether things already are as it would make them; read after a crash that may have come after the run. */
  isDone?(input: Input<F>): boolean;
  /** @throws {InvalidInputError} when the account does not have what a field names */
  run(context: OperationContext, input: Input<F>): Promise<OperationResult>;
}

/** Checks that `run` fits the fields, and gives the operation without their types. */
export function defineOperation<const F extends Fields>(operation: Operation<F>): Operation {
  return operation;
}

/** The input in which a person gives a reason, beside the fields of the operation. */
export const reasonField = 'reason';
