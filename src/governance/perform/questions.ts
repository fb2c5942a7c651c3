import type { AnyContext } from '../../operations/context.ts';
import type { Confirmation } from '../../operations/operation.ts';
import { confirmationField, confirmationOf, reasonField } from '../../operations/text-input.ts';
import { idsOf, type OperationInput } from './operation-input.ts';
import type { OperationRequest, ExecutionResult } from './execution-result.ts';
import { say } from '../../domain/said.ts';

/** Asks everything at once: the yes to the question also confirms a warning. */
export async function unconfirmed(
  { question, label, input: yes }: Confirmation,
  request: OperationRequest,
  context: AnyContext,
  input: OperationInput,
  isAtOnce: boolean,
): Promise<ExecutionResult> {
  const [{ [reasonField]: reason }] = request.inputs;
  const warned = isAtOnce ? await warningAbout(request, context, input) : undefined;
  return {
    kind: 'unconfirmed',
    question: warned ? `${question} ${warned.message}` : question,
    label,
    input: {
      ...yes,
      ...(reason && { [reasonField]: reason }),
      ...(warned && { [confirmationField]: [warned.confirmation] }),
    },
  };
}

/** What can go wrong, where the person has not read and confirmed it. */
export async function warningAbout(
  { operation, inputs, through }: OperationRequest,
  context: AnyContext,
  input: OperationInput,
): Promise<Extract<ExecutionResult, { kind: 'warned' }> | undefined> {
  // What changes nothing needs no confirmation.
  if (operation.isDone?.(input, context.directory)) return undefined;
  const message = await operation.warn?.(context, input, { isForm: through === 'form' });
  if (message === undefined) return undefined;
  const confirmation = confirmationOf(message);
  const isConfirmed = inputs[0][confirmationField]?.includes(confirmation) ?? false;
  return isConfirmed ? undefined : { kind: 'warned', message, input: idsOf(operation, input), confirmation };
}

/** The question before what a message or an agent asked for runs. */
export function pressOf({ operation, through }: OperationRequest, input: OperationInput): Confirmation {
  const action = operation.action?.(input) ?? operation.name.replaceAll('-', ' ');
  return {
    question:
      through === 'message'
        ? say`Nothing has changed yet. Press the button to ${action}.`
        : say`An agent wants to ${action}.`,
    label: operation.submit,
    input: idsOf(operation, input),
  };
}
