import type { App, BlockAction, ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { shortName } from '../../domain/short-name.ts';
import { listed, say } from '../../domain/said.ts';
import type { ExecutionResult } from '../../governance/perform/execution-result.ts';
import type { Operation } from '../../operations/operation.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { goneMessage } from '../../operations/plans/plan-kind.ts';
import { confirmationField, leftOverField, reasonField, type TextInput } from '../../operations/text-input.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { catalog, operationNamed } from '../../operations/catalog.ts';
import {
  confirmationInput,
  formStateOf,
  inputFromPlace,
  readFormState,
  restoredState,
  textInputOf,
} from '../form-state.ts';
import { updateModal } from '../open-modal.ts';
import type { ResponseTarget } from '../connection/response-url.ts';
import { operationButton } from '../views/blocks/buttons.ts';
import { formView, messageView, shownFields, waitingView } from '../views/blocks/form.ts';
import { inputActionId, type FormState } from '../views/blocks/inputs.ts';
import { needsReason } from '../views/approvals/approval.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { textMessage, type Message } from '../views/blocks/message.ts';
import { answerBeside, notOpenedMessage, openModalOrAnswer, type Origin } from './answers.ts';
import { askedColumnsView } from './column-forms.ts';
import { remember, rememberedIn, rememberPlace } from './form-memory.ts';
import { bestReading } from './best-reading.ts';
import type { ListenerContext } from './listener-context.ts';
import { formOfferMessage } from '../views/help.ts';
import { openPreviewBlocks } from '../views/batches/open-previews.ts';

/** Slack waits 3 seconds for the answer to a submission; a later answer goes into the open modal. */
const deadlineMs = 2_000;

/** Who opens a form, and from where. */
export interface FormOpening extends Origin {
  /** Undefined where Slack lets nothing open: after a message. */
  triggerId?: string | undefined;
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
export async function openForm(
  listenerContext: ListenerContext,
  opening: FormOpening,
  operation: Operation,
  typed: TextInput | readonly [TextInput, ...TextInput[]] = {},
): Promise<void> {
  const readings = isSeveral(typed) ? typed : [typed];
  const { client, triggerId, modalId, responseTarget } = opening;
  if (triggerId === undefined) return offerForm(listenerContext, opening, operation, readings[0] ?? {});
  const view = buildForm(listenerContext, opening, operation, readings)
    .then((form) => rememberPlace(form, responseTarget))
    .catch((error: unknown) => messageView(operation, textMessage('⚠️', listenerContext.logAndExplain(error))));
  const instead = (error: unknown) =>
    notOpenedMessage(
      listenerContext,
      error,
      operationButton('again', {
        text: say`Try again`,
        doing: 'form',
        operation,
        raw: readings[0] ?? {},
        style: 'primary',
      }),
    );
  if (modalId === undefined)
    return openModalOrAnswer(listenerContext, opening, { triggerId, view, waiting: waitingView(operation), instead });
  try {
    await updateModal(client, modalId, await view);
  } catch (error) {
    await answerBeside(listenerContext, opening, instead(error));
  }
}

/** Offers the form in a message, since Slack opens a modal only right after a command or a click. */
async function offerForm(
  listenerContext: ListenerContext,
  opening: FormOpening,
  operation: Operation,
  raw: TextInput,
): Promise<void> {
  const { refusalOf } = await listenerContext.permissions.of(opening.personId);
  const refusal = refusalOf(operation);
  const message = refusal === undefined ? formOfferMessage(operation, raw) : textMessage('🚫', refusal);
  await answerBeside(listenerContext, opening, message);
}

async function buildForm(
  listenerContext: ListenerContext,
  { personId, teamId, channelId }: FormOpening,
  operation: Operation,
  readings: readonly TextInput[],
): Promise<ModalView> {
  const { rights, visibility, refusalOf } = await listenerContext.permissions.of(personId);
  const message = refusalOf(operation);
  if (message !== undefined) return messageView(operation, textMessage('🚫', message));
  const spread = readings.map((typed) => spreadInput(operation, typed));
  const fromPlace = inputFromPlace(operation, channelId);
  // The picker does not offer channels that other companies read.
  const isShared =
    channelId !== undefined &&
    Object.keys(fromPlace).length > 0 &&
    (await listenerContext.findCompanies(channelId)).length > 0;
  const given = spread.map((one) => (isShared ? one.given : { ...fromPlace, ...one.given }));
  const { input: raw, read, leftOver } = await bestReading(listenerContext, operation, given, { personId, teamId });
  const unshown = Object.entries(raw).flatMap(([name, texts]) => {
    const { typedOnly, kind } = operation.fields[name] ?? {};
    // Nobody types what columns hold: the form of the file asks for it.
    return name === leftOverField || (typedOnly && kind !== 'columns') ? texts : [];
  });
  const notice = spread[given.indexOf(raw)]?.notice ?? leftOverNotice(leftOver, unshown.map(mentionsInWords));
  for (const [name, field] of Object.entries(operation.fields)) {
    if (field.kind === 'plan' && raw[name] !== undefined && read[name] === undefined)
      return messageView(operation, textMessage('⚠️', goneMessage));
  }
  const present =
    operation.present &&
    (await listenerContext.permissions.readSome(operation, operation.present(read), { personId, teamId }));
  const [reason] = raw[reasonField] ?? [];
  const form = formView(
    operation,
    rights,
    {
      ...formStateOf(operation, { ...present, ...read }, visibility),
      ...(reason && { [reasonField]: { texts: [reason] } }),
    },
    notice,
  );
  if (readings.some((typed) => Object.keys(typed).length > 0)) return form;
  const open = await listenerContext.permissions.openPreviews(operation, { personId, teamId });
  return { ...form, blocks: [...openPreviewBlocks(open, listenerContext.timeZone), ...form.blocks] };
}

function isSeveral(typed: TextInput | readonly TextInput[]): typed is readonly TextInput[] {
  return Array.isArray(typed);
}

/** What was typed and stands in no input: what nobody knows, and what the form has no input for. */
function leftOverNotice(unknown: readonly string[], unshown: readonly string[]): string | undefined {
  const quoted = (texts: readonly string[]) => listed(texts.map((text) => `“${shortName(text)}”`));
  const sentences = [
    ...(unknown.length > 0 ? [say`I don’t know ${quoted(unknown)}. Choose it below.`] : []),
    ...(unshown.length > 0 ? [say`You also typed ${quoted(unshown)}. Set it below.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

/** What was typed, in the inputs of the form; where it cannot be read, the form says why. */
function spreadInput(operation: Operation, typed: TextInput): { given: TextInput; notice?: string } {
  try {
    return { given: operation.spread?.(typed) ?? typed };
  } catch (error) {
    if (error instanceof InvalidInputError) return { given: typed, notice: error.message };
    throw error;
  }
}

export function registerForms(app: App, listenerContext: ListenerContext): void {
  for (const operation of catalog) {
    app.view(operation.name, async ({ ack, body, view, client, context }) => {
      const formState = readFormState(operation, view.state.values);
      const personId = body.user.id;
      const { place: responseTarget, before } = rememberedIn(view);
      let isQueued = false;
      const outcome = listenerContext.execute({
        operation,
        inputs: [{ ...before, ...textInputOf(formState) }],
        personId,
        teamId: context.teamId ?? '',
        through: 'form',
        onQueued: () => void (isQueued = true),
      });
      const submitted = { operation, formState, values: view.state.values, personId, before };

      const quick = await Promise.race([outcome, listenerContext.sleep(deadlineMs)]);
      // The person has lost rights since the form opened, so the form has no input for a reason yet.
      const lacksReason = quick?.kind === 'unexplained' && !(reasonField in view.state.values);
      if (quick && !lacksReason) {
        const asked = askedColumnsView(quick, responseTarget);
        if (asked) return ack({ response_action: 'update', view: asked });
        if (await showInConversation(listenerContext, responseTarget, operation, quick)) return ack();
        return ack(await answer(listenerContext, submitted, quick, responseTarget));
      }
      await ack({ response_action: 'update', view: waitingView(operation, isQueued) });
      const late =
        askedColumnsView(await outcome, responseTarget) ??
        ((await showInConversation(listenerContext, responseTarget, operation, await outcome))
          ? messageView(operation, textMessage('✅', say`It’s in the conversation now.`))
          : rememberPlace(await lateView(listenerContext, submitted, await outcome), responseTarget));
      if (!(await updateModal(client, view.id, late)))
        await answerClosed(listenerContext, { client, personId }, operation, await outcome);
    });
  }

  // Slack sends a choice before the form is submitted only where other fields depend on it.
  app.action<BlockAction>({ type: 'block_actions', action_id: inputActionId }, async ({ ack, body, client }) => {
    await ack();
    const { view } = body;
    const operation = operationNamed(view?.callback_id ?? '');
    if (view && operation)
      await updateModal(client, view.id, await redrawnForm(listenerContext, operation, view, body.user.id), view.hash);
  });
}

/** The form with the inputs that apply now. What was entered in an input stays, also while the form does not show it. */
async function redrawnForm(
  listenerContext: ListenerContext,
  operation: Operation,
  view: ViewOutput,
  personId: string,
): Promise<ModalView> {
  const { rights, visibility } = await listenerContext.permissions.of(personId);
  const { place, hidden = {} } = rememberedIn(view);
  const restored = Object.entries(operation.fields).flatMap(([name, field]) =>
    hidden[name] ? [[name, restoredState(field, hidden[name], visibility)] as const] : [],
  );
  const formState: FormState = { ...Object.fromEntries(restored), ...readFormState(operation, view.state.values) };
  const shown = new Set(shownFields(operation.fields, formState).map(([name]) => name));
  const nowHidden = Object.entries(textInputOf(formState)).filter(
    ([name]) => name in operation.fields && !shown.has(name),
  );
  return remember(formView(operation, rights, formState), {
    place,
    hidden: Object.fromEntries(nowHidden.map(([name, texts]) => [name, [...texts]])),
  });
}

/** The answer to a form that the person closed while it was being worked on. */
async function answerClosed(
  listenerContext: ListenerContext,
  origin: Origin,
  operation: Operation,
  outcome: ExecutionResult,
): Promise<void> {
  if (outcome.kind === 'incomplete') return;
  await answerBeside(listenerContext, origin, outcomeMessage(operation, {}, outcome, listenerContext.timeZone));
}

/** A form as a person submitted it. */
interface SubmittedForm {
  operation: Operation;
  formState: FormState;
  values: ViewOutput['state']['values'];
  personId: string;
  /** What was entered in the form before it, whose inputs this one does not show. */
  before?: TextInput | undefined;
}

/** Errors are shown under their fields, and what was entered stays. */
async function answer(
  listenerContext: ListenerContext,
  submitted: SubmittedForm,
  outcome: ExecutionResult,
  responseTarget: ResponseTarget | undefined,
): Promise<ViewResponseAction> {
  const { operation, formState, values, before } = submitted;
  const problem = problemOf(operation, outcome);
  if (problem && before) return { response_action: 'update', view: messageView(operation, problemMessage(problem)) };
  if (problem) return { response_action: 'errors', errors: { [problem.field]: problem.message } };
  if (outcome.kind !== 'warned')
    return { response_action: 'update', view: endView(operation, formState, outcome, listenerContext.timeZone) };
  const blockId = confirmationInput(values)?.blockId;
  if (blockId === `${confirmationField} ${outcome.confirmation}`)
    return { response_action: 'errors', errors: { [blockId]: say`Tick this to go on, or change your choice.` } };
  return {
    response_action: 'update',
    view: rememberPlace(await lateView(listenerContext, submitted, outcome), responseTarget),
  };
}

/** The form again, with what keeps it from running; or the end. */
async function lateView(
  listenerContext: ListenerContext,
  { operation, formState, personId, before }: SubmittedForm,
  outcome: ExecutionResult,
): Promise<ModalView> {
  const problem = problemOf(operation, outcome);
  if (problem && before) return messageView(operation, problemMessage(problem));
  if (problem === undefined && outcome.kind !== 'warned')
    return endView(operation, formState, outcome, listenerContext.timeZone);
  const { rights } = await listenerContext.permissions.of(personId);
  return formView(operation, rights, formState, problem?.message, outcome.kind === 'warned' ? outcome : undefined);
}

function problemMessage({ message }: { message: string }): Message {
  return textMessage('⚠️', message);
}

/** What the person can correct in the form, or try again from it. */
function problemOf(operation: Operation, outcome: ExecutionResult): { field: string; message: string } | undefined {
  const [firstField = ''] = Object.keys(operation.fields);
  switch (outcome.kind) {
    case 'failed':
      return { field: firstField, message: outcome.message };
    case 'invalid':
      return outcome;
    case 'unclear':
      // A picker offers only what is there. Attempts and filters are typed, so the person chooses with buttons.
      return outcome.noun === 'attempt' || outcome.noun === 'user or group' || outcome.field === 'filter'
        ? undefined
        : { field: outcome.field, message: say`This no longer exists. Choose another.` };
    case 'unexplained':
      return { field: reasonField, message: needsReason };
    case 'incomplete':
      return { field: firstField, message: say`Fill this in.` };
    case 'done':
    case 'requested':
    case 'refused':
    case 'warned':
    case 'unconfirmed':
      return undefined;
  }
}

function endView(operation: Operation, formState: FormState, outcome: ExecutionResult, timeZone: string): ModalView {
  if (outcome.kind === 'incomplete') throw new Error('an incomplete form has no end');
  return messageView(operation, outcomeMessage(operation, textInputOf(formState), outcome, timeZone));
}

/**
 * Posts what a modal cannot show whole to the conversation the form was opened from, and the answer to a form that
 * belongs to a message. Slack takes such a post for 30 minutes only; a form can stay open for longer.
 * @returns whether it was posted
 */
async function showInConversation(
  listenerContext: ListenerContext,
  responseTarget: ResponseTarget | undefined,
  operation: Operation,
  outcome: ExecutionResult,
): Promise<boolean> {
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
