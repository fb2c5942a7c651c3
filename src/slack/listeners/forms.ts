import type { App, ViewResponseAction, ViewStateValue } from '@slack/bolt';
import type { ModalView, PlainTextOption } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Outcome } from '../../governance/execute.ts';
import { catalog } from '../../operations/catalog.ts';
import type { Operation } from '../../operations/operation.ts';
import { openModal } from '../open-modal.ts';
import { formView, inputActionId, messageView, waitingView, type Entered } from '../views/form.ts';
import { outcomeMessage, sentenceMessage } from '../views/outcome.ts';
import type { Desk } from './desk.ts';

/** A submission is answered within 3 seconds; what takes longer is shown when it is there. */
const patienceMs = 2_000;

/** Opens the form of an operation, or says why the person may not have it. */
export async function openForm(
  desk: Desk,
  person: { client: WebClient; triggerId: string; slackId: string },
  operation: Operation,
): Promise<void> {
  const { client, triggerId } = person;
  const view = desk.permissions
    .refusal(operation, person.slackId)
    .then((refusal) => (refusal === undefined ? formView(operation) : messageView(operation, sentenceMessage('🚫', refusal))))
    .catch((error: unknown) => messageView(operation, sentenceMessage('⚠️', desk.report(error))));
  await openModal({ client, triggerId, view, waiting: waitingView(operation), sleep: desk.sleep });
}

export function registerForms(app: App, desk: Desk): void {
  for (const operation of catalog) {
    app.view(operation.name, async ({ ack, body, view, client }) => {
      const entered = readForm(view.state.values);
      const raw = Object.fromEntries(
        Object.entries(entered).map(([name, value]) => [name, typeof value === 'string' ? value : value.value]),
      ) as Record<string, string>;
      const outcome = desk.execute({ operation, raw, slackId: body.user.id, through: 'form' });

      const quick = await Promise.race([outcome, desk.sleep(patienceMs)]);
      if (quick) return ack(answer(operation, quick, desk.timeZone));
      await ack({ response_action: 'update', view: waitingView(operation) });
      await client.views.update({ view_id: view.id, view: lateView(operation, entered, await outcome, desk.timeZone) });
    });
  }
}

/** Errors stand under the field they are about, and what was entered stays. */
function answer(operation: Operation, outcome: Outcome, timeZone: string): ViewResponseAction {
  const problem = problemOf(operation, outcome);
  if (problem) return { response_action: 'errors', errors: { [problem.field]: problem.sentence } };
  return { response_action: 'update', view: endView(operation, outcome, timeZone) };
}

function lateView(operation: Operation, entered: Entered, outcome: Outcome, timeZone: string): ModalView {
  const problem = problemOf(operation, outcome);
  return problem ? formView(operation, entered, problem.sentence) : endView(operation, outcome, timeZone);
}

/** What the person can mend in the form or try again from it. */
function problemOf(operation: Operation, outcome: Outcome): { field: string; sentence: string } | undefined {
  const [firstField = ''] = Object.keys(operation.fields);
  switch (outcome.kind) {
    case 'failed':
      return { field: firstField, sentence: outcome.sentence };
    case 'invalid':
      return outcome;
    case 'unclear':
      return { field: outcome.field, sentence: 'This is not there any more. Choose another one.' };
    case 'incomplete':
      return { field: firstField, sentence: 'Something is missing here.' };
    case 'done':
    case 'refused':
      return undefined;
  }
}

function endView(operation: Operation, outcome: Outcome, timeZone: string): ModalView {
  if (outcome.kind === 'incomplete') throw new Error('an incomplete form has no end');
  return messageView(operation, outcomeMessage(operation, {}, outcome, timeZone));
}

function readForm(values: Record<string, Record<string, ViewStateValue>>): Entered {
  const entered: Record<string, PlainTextOption | string> = {};
  for (const [field, inputs] of Object.entries(values)) {
    const input = inputs[inputActionId];
    const value = input?.selected_option ?? input?.value;
    if (value) entered[field] = value;
  }
  return entered;
}
