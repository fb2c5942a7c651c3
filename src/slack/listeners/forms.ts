import type { App, ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { plainSentence } from '../../domain/sentence.ts';
import type { Outcome } from '../../governance/execute.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonField, type TextInput } from '../../operations/text-input.ts';
import type { Right } from '../../operations/context.ts';
import { catalog } from '../../operations/catalog.ts';
import { formStateOf, inputFromPlace, readFormState, textInputOf } from '../form-state.ts';
import { updateModal } from '../open-modal.ts';
import type { ResponseTarget } from '../response-url.ts';
import { operationButton } from '../views/buttons.ts';
import { formView, messageView, waitingView } from '../views/form.ts';
import type { FormState } from '../views/inputs.ts';
import { needsReason } from '../views/approval.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { textMessage } from '../views/message.ts';
import { answerBeside, notOpenedMessage, openModalOrAnswer, type Origin } from './answers.ts';
import type { ListenerContext } from './listener-context.ts';

/** Slack waits 3 seconds for the answer to a submission; a later answer goes into the open modal. */
const deadlineMs = 2_000;

/** Who opens a form, and from where. */
export interface FormOpening extends Origin {
  triggerId: string;
  teamId: string;
  /** The channel the person is in; undefined in a direct message and where Slack does not say. */
  channelId?: string | undefined;
  /** The modal that the form replaces. */
  modalId?: string | undefined;
}

/**
 * Opens the form of an operation with what was typed already, or a modal that says why the person may not have it. Where
 * Slack opens neither, the person gets a message with a button that tries again.
 */
export async function openForm(listenerContext: ListenerContext, opening: FormOpening, operation: Operation, raw: TextInput = {}): Promise<void> {
  const { client, triggerId, modalId, responseTarget } = opening;
  const view = buildForm(listenerContext, opening, operation, raw)
    .then((form) => rememberPlace(form, responseTarget))
    .catch((error: unknown) => messageView(operation, textMessage('⚠️', listenerContext.logAndExplain(error))));
  const instead = (error: unknown) => notOpenedMessage(listenerContext, error, operationButton('again', { text: 'Try again', doing: 'form', operation, raw, style: 'primary' }));
  if (modalId === undefined) return openModalOrAnswer(listenerContext, opening, { triggerId, view, waiting: waitingView(operation), instead });
  try {
    await updateModal(client, modalId, await view);
  } catch (error) {
    await answerBeside(listenerContext, opening, instead(error));
  }
}

async function buildForm(listenerContext: ListenerContext, { personId, teamId, channelId }: FormOpening, operation: Operation, given: TextInput): Promise<ModalView> {
  const { rights, visibility, refusalOf } = await listenerContext.permissions.of(personId);
  const message = refusalOf(operation);
  if (message !== undefined) return messageView(operation, textMessage('🚫', message));
  const fromPlace = inputFromPlace(operation, channelId);
  // The picker does not offer channels that other companies read.
  const isShared = channelId !== undefined && Object.keys(fromPlace).length > 0 && (await listenerContext.findCompanies(channelId)).length > 0;
  const raw = isShared ? given : { ...fromPlace, ...given };
  const read = await listenerContext.permissions.readSome(operation, raw, { personId, teamId });
  const [reason] = raw[reasonField] ?? [];
  return formView(operation, rights, { ...formStateOf(operation, read, visibility), ...(reason && { [reasonField]: { texts: [reason] } }) });
}

export function registerForms(app: App, listenerContext: ListenerContext): void {
  for (const operation of catalog) {
    app.view(operation.name, async ({ ack, body, view, client, context }) => {
      const formState = readFormState(operation, view.state.values);
      const personId = body.user.id;
      const responseTarget = rememberedPlace(view);
      const outcome = listenerContext.execute({ operation, inputs: [textInputOf(formState)], personId, teamId: context.teamId ?? '', through: 'form' });

      const quick = await Promise.race([outcome, listenerContext.sleep(deadlineMs)]);
      // The person has lost rights since the form opened, so the form has no input for a reason yet.
      const lacksReason = quick?.kind === 'unexplained' && !(reasonField in view.state.values);
      if (quick && !lacksReason) return (await showInConversation(listenerContext, responseTarget, operation, quick)) ? ack() : ack(answer(operation, formState, quick, listenerContext.timeZone));
      await ack({ response_action: 'update', view: waitingView(operation) });
      const { rights } = await listenerContext.permissions.of(personId);
      const late = (await showInConversation(listenerContext, responseTarget, operation, await outcome))
        ? messageView(operation, textMessage('✅', 'It is in the conversation now.'))
        : rememberPlace(lateView(operation, rights, formState, await outcome, listenerContext.timeZone), responseTarget);
      if (!(await updateModal(client, view.id, late))) await answerClosed(listenerContext, { client, personId }, operation, await outcome);
    });
  }
}

/** The answer to a form that the person closed while it was being worked on. */
async function answerClosed(listenerContext: ListenerContext, origin: Origin, operation: Operation, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'incomplete') return;
  await answerBeside(listenerContext, origin, outcomeMessage(operation, {}, outcome, listenerContext.timeZone));
}

/** Errors are shown under their fields, and what was entered stays. */
function answer(operation: Operation, formState: FormState, outcome: Outcome, timeZone: string): ViewResponseAction {
  const problem = problemOf(operation, outcome);
  if (problem) return { response_action: 'errors', errors: { [problem.field]: plainSentence(problem.message) } };
  return { response_action: 'update', view: endView(operation, formState, outcome, timeZone) };
}

function lateView(operation: Operation, rights: ReadonlySet<Right>, formState: FormState, outcome: Outcome, timeZone: string): ModalView {
  const problem = problemOf(operation, outcome);
  return problem ? formView(operation, rights, formState, problem.message) : endView(operation, formState, outcome, timeZone);
}

/** What the person can correct in the form, or try again from it. */
function problemOf(operation: Operation, outcome: Outcome): { field: string; message: string } | undefined {
  const [firstField = ''] = Object.keys(operation.fields);
  switch (outcome.kind) {
    case 'failed':
      return { field: firstField, message: outcome.message };
    case 'invalid':
      return outcome;
    case 'unclear':
      // A picker offers only what is there. Attempts and filters are typed, so the person chooses with buttons.
      return outcome.noun === 'attempt' || outcome.noun === 'user or group' || outcome.field === 'filter' ? undefined : { field: outcome.field, message: 'This is not there any more. Choose another one.' };
    case 'unexplained':
      return { field: reasonField, message: needsReason };
    case 'incomplete':
      return { field: firstField, message: 'Something is missing here.' };
    case 'done':
    case 'requested':
    case 'refused':
      return undefined;
  }
}

function endView(operation: Operation, formState: FormState, outcome: Outcome, timeZone: string): ModalView {
  if (outcome.kind === 'incomplete') throw new Error('an incomplete form has no end');
  return messageView(operation, outcomeMessage(operation, textInputOf(formState), outcome, timeZone));
}

/**
 * Posts what a modal cannot show whole to the conversation the form was opened from, and the answer to a form that
 * belongs to a message. Slack takes such a post for 30 minutes only; a form can stay open for longer.
 * @returns whether it was posted
 */
async function showInConversation(listenerContext: ListenerContext, responseTarget: ResponseTarget | undefined, operation: Operation, outcome: Outcome): Promise<boolean> {
  if (responseTarget === undefined || outcome.kind !== 'done') return false;
  const message = outcomeMessage(operation, {}, outcome, listenerContext.timeZone);
  if (message.plain === undefined && !responseTarget.replacesOriginal) return false;
  try {
    await listenerContext.answerAt(responseTarget, message);
    return true;
  } catch (error) {
    listenerContext.logAndExplain(error);
    return false;
  }
}

const placeSchema = z.object({ responseUrl: z.string(), replacesOriginal: z.boolean(), isOriginalPublic: z.boolean().optional(), threadTs: z.string().optional() });

function rememberPlace(view: ModalView, responseTarget: ResponseTarget | undefined): ModalView {
  return responseTarget ? { ...view, private_metadata: JSON.stringify(responseTarget) } : view;
}

function rememberedPlace({ private_metadata }: { private_metadata: string }): ResponseTarget | undefined {
  return private_metadata === '' ? undefined : placeSchema.parse(JSON.parse(private_metadata));
}
