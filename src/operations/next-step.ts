import { say } from '../domain/said.ts';
import type { Operation } from './operation.ts';
import type { Step } from './page.ts';
import type { TextInput } from './text-input.ts';

/** A button that runs an operation. The input names things by ID, so that a new name changes nothing. */
export function runStep(label: string, { name }: Pick<Operation, 'name'>, input: TextInput): Step {
  return { label, operation: name, input };
}

/** A button for the inputs of a list’s filter. A list that is short by itself has none. @param count how many are listed */
export function filterStep(operation: Pick<Operation, 'name'>, typed: string, count: number): Step[] {
  return typed === '' && count < shortList ? [] : [formStep(say`Filter…`, operation, { filter: [typed] })];
}

/** Shorter lists need no filter. */
const shortList = 10;

/** A button that opens the form of an operation with what is known. */
export function formStep(label: string, operation: Pick<Operation, 'name'>, input: TextInput): Step {
  return { ...runStep(label, operation, input), opensForm: true };
}
