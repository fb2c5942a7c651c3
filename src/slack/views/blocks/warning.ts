import { asSaid, say } from '../../../domain/said.ts';
import type { ExecutionResult } from '../../../governance/perform/execution-result.ts';
import type { Operation } from '../../../operations/operation.ts';
import { confirmationField } from '../../../operations/text-input.ts';
import { operationButton } from './buttons.ts';
import { buttonRow } from './item-actions.ts';
import { textMessage, type Message } from './message.ts';
import { context } from './mrkdwn.ts';

/** Says what can go wrong, with a button that goes on. Where the input is too long for a button, the form goes on. */
export function warningMessage(
  operation: Operation,
  { message, input, confirmation }: Extract<ExecutionResult, { kind: 'warned' }>,
): Message {
  const said = textMessage('⚠️', message);
  const button = operationButton('confirmed', {
    text: say`${asSaid(operation.submit)} anyway`,
    doing: 'replace',
    operation,
    raw: { ...input, [confirmationField]: [confirmation] },
  });
  const [command, verb] = operation.command.split(' ');
  const instead =
    button.length === 0 ? [context(say`To go on, use the form: \`${asSaid(`${command ?? ''} ${verb ?? ''}`)}\``)] : [];
  return { ...said, blocks: [...said.blocks, ...buttonRow(button), ...instead] };
}
