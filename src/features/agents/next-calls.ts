import { operationNamed } from '../../operations/catalog.ts';
import type { NextStep, OperationResult } from '../../operations/operation-result.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { accountText } from './account-text.ts';
import { missingSteps } from '../results/missing-steps.ts';
import { isTool } from './tool.ts';

/** A call that a model can make as it stands, such as the one that takes a change back. */
export interface NextCall {
  label: string;
  tool: string;
  arguments: TextInput;
  /** It needs more arguments. */
  isIncomplete?: true;
}

/**
 * What people have as buttons below an answer, as calls: those that this person may make. One with a name in it that could be markup
 * is left to the button.
 */
export function nextCalls(result: OperationResult, offered: ReadonlySet<string>): NextCall[] {
  return stepsOf(result).flatMap(({ label, operation: name, input, opensForm }) => {
    const operation = operationNamed(name);
    if (operation === undefined || !isTool(operation) || !offered.has(name)) return [];
    if (!Object.values(input).flat().every(isPlain)) return [];
    return [{ label, tool: name, arguments: input, ...(opensForm && { isIncomplete: true as const }) }];
  });
}

function stepsOf(result: OperationResult): readonly NextStep[] {
  switch (result.kind) {
    case 'done':
      return result.next ?? [];
    case 'missing':
      return missingSteps(result);
    default:
      return [];
  }
}

function isPlain(text: string): boolean {
  return accountText(text) === text;
}
