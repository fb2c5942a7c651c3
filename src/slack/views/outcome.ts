import { choicePage, confirmationMessage, useForm, warningMessage } from './blocks/questions.ts';
import { say } from '../../domain/said.ts';
import { fullName } from '../../directory/names.ts';
import type { ExecutionResult } from '../../governance/perform/execute.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import type { Page, Step } from '../../operations/page.ts';
import { pageIn, type DoneResult } from '../../operations/operation-result.ts';
import { askedPage, needsReason } from '../../features/administration/pages/requests.ts';
import { formStep } from '../../operations/next-step.ts';
import { stepButtons } from './blocks/buttons.ts';
import { drawPage } from './blocks/page.ts';
import { textMessage, type Message } from './blocks/message.ts';
import { passwordOfferBlocks } from './users/password.ts';

/** Every outcome of `execute` that has a message; an incomplete input opens a form instead. */
export type ShownOutcome = Exclude<ExecutionResult, { kind: 'incomplete' }>;

/** The answer to a command, a form or a click. */
export function outcomeMessage(operation: Operation, raw: TextInput, outcome: ShownOutcome): Message {
  switch (outcome.kind) {
    case 'done': {
      const { result, offered } = outcome;
      return result.kind === 'done' ? doneMessage(result, offered) : drawPage(pageIn(result), { offered });
    }
    case 'requested':
      return drawPage(askedPage(outcome.request));
    case 'unconfirmed':
      return confirmationMessage(operation, outcome);
    case 'unexplained':
      return unexplainedMessage(operation, raw);
    case 'refused':
      return textMessage('🚫', outcome.message);
    case 'failed':
    case 'invalid':
      return textMessage('⚠️', outcome.message);
    case 'warned':
      return warningMessage(operation, outcome);
    case 'unclear':
      return drawPage(choicePage(operation, raw, outcome));
  }
}

const nextStepsAtMost = 3;

/**
 * Confirms a change, or says that there was none, with buttons for what the person may do next. What a button shows goes beside the
 * confirmation; what it changes goes in its place, so that nobody clicks it twice.
 */
export function doneMessage(
  { message, problems = [], passwordOf, next = [], isNoChange }: DoneResult,
  offered: ReadonlySet<string>,
): Message {
  const steps = next
    .filter((step) => offered.has(step.operation))
    .slice(0, nextStepsAtMost)
    .map((step): Step => ({
      ...step,
      opens: step.opens ?? (operationNamed(step.operation)?.access === 'read' ? undefined : 'replace'),
    }));
  const icon = isNoChange ? 'ℹ️' : '✅';
  const page: Page = {
    heading: say`${icon} ${message}`,
    parts: [{ lines: problems.map((problem) => say`⚠️ ${problem}`) }],
    steps,
  };
  const drawn = drawPage(page);
  const offer = passwordOf && passwordOfferBlocks({ userId: passwordOf.user.user_id, name: fullName(passwordOf.user) });
  return { ...drawn, blocks: [...drawn.blocks, ...(offer ?? [])] };
}

/** Asks for the reason of a change that needs approval. */
function unexplainedMessage(operation: Operation, raw: TextInput): Message {
  const step: Step = { ...formStep(say`Give a reason`, operation, raw), style: 'primary' };
  const notes = stepButtons([step]).length > 0 ? [] : [useForm(operation)];
  return drawPage({ heading: say`🙋 ${needsReason}`, steps: [step], notes });
}
