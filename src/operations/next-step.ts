import type { Operation } from './operation.ts';
import type { NextStep } from './operation-result.ts';
import type { TextInput } from './text-input.ts';

/** A button that runs an operation. The input names things by ID, so that a new name changes nothing. */
export function runStep(label: string, { name }: Pick<Operation, 'name'>, input: TextInput): NextStep {
  return { label, operation: name, input };
}

/** A button that opens the form of an operation with what is known. */
export function formStep(label: string, operation: Pick<Operation, 'name'>, input: TextInput): NextStep {
  return { ...runStep(label, operation, input), opensForm: true };
}
