import type { App, ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Outcome } from '../../governance/execute.ts';
import { isDirectMessage, type RawInput } from '../../governance/resolve-input.ts';
import { catalog } from '../../operations/catalog.ts';
import { reasonField, type Operation, type Right } from '../../operations/operation.ts';
import { enteredOf, rawOf, readForm } from '../form-state.ts';
import { openModal } from '../open-modal.ts';
import type { AnswerPlace } from '../response-url.ts';
import { formView, messageView, waitingView } from '../views/form.ts';
import type { Entered } from '../views/inputs.ts';
import { needsReason } from '../views/approval-asked.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { sentenceMessage } from '../views/sentence.ts';
import type { Desk } from './listener-context.ts';

/** A submission is answered within 3 seconds; what takes longer is shown when it is there. */
const patienceMs = 2_000;

/** Whoever opens a form, and from where. */
export interface FormOpening {
  client: WebClient;
  triggerId: string;
  slackId: string;
  teamId: string;
  /** The conversation the person is in, where Slack tells. */
  channelId?: string | undefined;
  /** The modal in whose place the form goes. */
  modalId?: string | undefined;
  /** The conversation it is opened from. */
  place?: AnswerPlace | undefined;
}

/** Opens the form of an operation with what was typed already, or says why the person may not have it. */
export async function openForm(desk: Desk, opening: FormOpening, operation: Operation, raw: RawInput = {}): Promise<void> {
  const { client, triggerId, modalId, place } = opening;
  const view = buildForm(desk, opening, operation, { ...rawOfPlace(operation, opening.channelId), ...raw })
    .then((form) => rememberPlace(form, place))
    .catch((error: unknown) => messageView(operation, sentenceMessage('⚠️', desk.report(error))));
  try {
    if (modalId === undefined) await openModal({ client, triggerId, view, waiting: waitingView(operation), sleep: desk.sleep });
    else await client.views.update({ view_id: modalId, view: await view });
  } catch (error) {
    // Slack did not take the form: it is said where else something can be said.
    const sorry = sentenceMessage('⚠️', desk.report(error));
    if (place) await desk.answerAt({ ...place, replacesOriginal: false }, sorry);
    else await client.chat.postMessage({ channel: opening.slackId, text: sorry.text, blocks: sorry.blocks });
  }
}

/** The channel is the one the person is in, until they choose another. */
function rawOfPlace(operation: Operation, channelId: string | undefined): RawInput {
  if (channelId === undefined || isDirectMessage(channelId)) return {};
  return Object.fromEntries(Object.entries(operation.fields).flatMap(([name, { kind }]) => (kind === 'channel' ? [[name, [`<#${channelId}>`]]] : [])));
}

async function buildForm(desk: Desk, { slackId, teamId }: FormOpening, operation: Operation, raw: RawInput): Promise<ModalView> {
  const { rights, refusalOf } = await desk.permissions.of(slackId);
  const sentence = refusalOf(operation);
  if (sentence !== undefined) return messageView(operation, sentenceMessage('🚫', sentence));
  const read = await desk.permissions.readSome(operation, raw, { slackId, teamId });
  const [reason] = raw[reasonField] ?? [];
  return formView(operation, rights, { ...enteredOf(operation, read, rights), ...(reason && { [reasonField]: { text: reason } }) });
}

export function registerForms(app: App, desk: Desk): void {
  for (const operation of catalog) {
    app.view(operation.name, async ({ ack, body, view, client, context }) => {
      const entered = readForm(view.state.values);
      const slackId = body.user.id;
      const place = rememberedPlace(view);
      const outcome = desk.execute({ operation, raws: [rawOf(entered)], slackId, teamId: context.teamId ?? '', through: 'form' });

      const quick = await Promise.race([outcome, desk.sleep(patienceMs)]);
      // The form was opened with rights the person has no more: it has no place for a reason yet.
      const lacksReason = quick?.kind === 'unexplained' && !(reasonField in view.state.values);
      if (quick && !lacksReason) return (await showInConversation(desk, place, operation, quick)) ? ack() : ack(answer(operation, quick, desk.timeZone));
      await ack({ response_action: 'update', view: waitingView(operation) });
      const { rights } = await desk.permissions.of(slackId);
      const late = (await showInConversation(desk, place, operation, await outcome))
        ? messageView(operation, sentenceMessage('✅', 'It is in the conversation now.'))
        : rememberPlace(lateView(operation, rights, entered, await outcome, desk.timeZone), place);
      await client.views.update({ view_id: view.id, view: late });
    });
  }
}

/** Errors stand under the field they are about, and what was entered stays. */
function answer(operation: Operation, outcome: Outcome, timeZone: string): ViewResponseAction {
  const problem = problemOf(operation, outcome);
  if (problem) return { response_action: 'errors', errors: { [problem.field]: problem.sentence } };
  return { response_action: 'update', view: endView(operation, outcome, timeZone) };
}

function lateView(operation: Operation, rights: ReadonlySet<Right>, entered: Entered, outcome: Outcome, timeZone: string): ModalView {
  const problem = problemOf(operation, outcome);
  return problem ? formView(operation, rights, entered, problem.sentence) : endView(operation, outcome, timeZone);
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
    case 'unexplained':
      return { field: reasonField, sentence: needsReason };
    case 'incomplete':
      return { field: firstField, sentence: 'Something is missing here.' };
    case 'done':
    case 'requested':
    case 'refused':
      return undefined;
  }
}

function endView(operation: Operation, outcome: Outcome, timeZone: string): ModalView {
  if (outcome.kind === 'incomplete') throw new Error('an incomplete form has no end');
  return messageView(operation, outcomeMessage(operation, {}, outcome, timeZone));
}

/**
 * What a modal cannot show whole goes to the conversation the form was opened from, and so does the answer to
 * a form that belongs to a message. A form can stay open for longer than that is possible.
 * @returns whether it is there
 */
async function showInConversation(desk: Desk, place: AnswerPlace | undefined, operation: Operation, outcome: Outcome): Promise<boolean> {
  if (place === undefined || outcome.kind !== 'done') return false;
  const message = outcomeMessage(operation, {}, outcome, desk.timeZone);
  if (message.plain === undefined && !place.replacesOriginal) return false;
  try {
    await desk.answerAt(place, message);
    return true;
  } catch (error) {
    desk.report(error);
    return false;
  }
}

const placeSchema = z.object({ responseUrl: z.string(), replacesOriginal: z.boolean() });

function rememberPlace(view: ModalView, place: AnswerPlace | undefined): ModalView {
  return place ? { ...view, private_metadata: JSON.stringify(place) } : view;
}

function rememberedPlace({ private_metadata }: { private_metadata: string }): AnswerPlace | undefined {
  return private_metadata === '' ? undefined : placeSchema.parse(JSON.parse(private_metadata));
}
