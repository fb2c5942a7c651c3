import type { App, BlockAction, ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { shortName } from '../../domain/short-name.ts';
import { listed, say } from '../../domain/said.ts';
import type { ExecutionResult } from '../../governance/perform/execution-result.ts';
import { idsOf } from '../../governance/perform/operation-input.ts';
import type { Operation } from '../../operations/operation.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { goneMessage } from '../../operations/plans/plan-kind.ts';
import { leftOverField, reasonField, type TextInput } from '../../operations/text-input.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { catalog, operationNamed } from '../../operations/catalog.ts';
import { updateModal } from '../open-modal.ts';
import type { ResponseTarget } from '../connection/response-url.ts';
import type { Page } from '../../operations/page.ts';
import { operationButton } from '../views/blocks/buttons.ts';
import {
  confirmationBlockId,
  formView,
  inputFromPlace,
  messageView,
  readForm,
  remember,
  rememberedIn,
  shownFields,
  waitingView,
  type FormContent,
} from '../form/form.ts';
import { inputActionId, isSearched } from '../form/inputs.ts';
import { section } from '../views/blocks/mrkdwn.ts';
import { needsReason } from '../views/approvals/approval.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { textMessage, type Message } from '../views/blocks/message.ts';
import { answerBeside, notOpenedMessage, openModalOrAnswer, type Origin } from './answers.ts';
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
  const { responseTarget } = opening;
  if (opening.triggerId === undefined) return offerForm(listenerContext, opening, operation, readings[0] ?? {});
  const view = buildForm(listenerContext, opening, operation, readings)
    .then((form) => remember(form, { place: responseTarget }))
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
  await showModal(listenerContext, opening, operation, view, instead);
}

/** Opens a modal, or shows it in place of the one that the person has open. */
async function showModal(
  listenerContext: ListenerContext,
  opening: FormOpening,
  operation: Operation,
  view: Promise<ModalView>,
  instead: (error: unknown) => Message,
): Promise<void> {
  const { client, triggerId = '', modalId } = opening;
  if (modalId === undefined)
    return openModalOrAnswer(listenerContext, opening, { triggerId, view, waiting: waitingView(operation), instead });
  try {
    await updateModal(client, modalId, await view);
  } catch (error) {
    await answerBeside(listenerContext, opening, instead(error));
  }
}

/** Runs an operation to be asked for more, and opens the form in which it asks, or its answer. */
export async function openAsked(
  listenerContext: ListenerContext,
  opening: FormOpening,
  operation: Operation,
  input: TextInput,
): Promise<void> {
  const { personId, teamId, responseTarget: place } = opening;
  const submitted = { operation, texts: {}, values: {}, personId, teamId, place, before: input };
  const view = listenerContext
    .execute({ operation, inputs: [input], personId, teamId, through: 'form' })
    .then(async (outcome) => nextView(listenerContext, submitted, outcome));
  await showModal(listenerContext, opening, operation, view, (error) =>
    textMessage('⚠️', listenerContext.logAndExplain(error)),
  );
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
  const values = { ...present, ...read };
  const [reason] = raw[reasonField] ?? [];
  const texts = { ...idsOf(operation, values), ...(reason && { [reasonField]: [reason] }) };
  const form = formView(operation, { rights, visibility }, { texts, values, notice });
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
      const { values } = view.state;
      const texts = readForm(operation, values);
      const [personId, teamId] = [body.user.id, context.teamId ?? ''];
      const { place, before } = rememberedIn(view);
      let isQueued = false;
      const outcome = listenerContext.execute({
        operation,
        inputs: [{ ...before, ...texts }],
        personId,
        teamId,
        through: 'form',
        onQueued: () => void (isQueued = true),
      });
      const submitted = { operation, texts, values, personId, teamId, place, before };

      const quick = await Promise.race([outcome, listenerContext.sleep(deadlineMs)]);
      // The person has lost rights since the form opened, so the form has no input for a reason yet.
      const lacksReason = quick?.kind === 'unexplained' && !(reasonField in values);
      if (quick && !lacksReason) {
        if (await showInConversation(listenerContext, place, operation, quick)) return ack();
        return ack(await answer(listenerContext, submitted, quick));
      }
      await ack({ response_action: 'update', view: waitingView(operation, isQueued) });
      const late = (await showInConversation(listenerContext, place, operation, await outcome))
        ? messageView(operation, textMessage('✅', say`It’s in the conversation now.`))
        : await nextView(listenerContext, submitted, await outcome);
      if (!(await updateModal(client, view.id, late)))
        await answerClosed(listenerContext, { client, personId }, operation, await outcome);
    });
  }

  // Slack sends a choice before the form is submitted only where other fields depend on it.
  app.action<BlockAction>(
    { type: 'block_actions', action_id: inputActionId },
    async ({ ack, body, client, context }) => {
      await ack();
      const { view, user } = body;
      const operation = operationNamed(view?.callback_id ?? '');
      if (!view || !operation) return;
      const person = { personId: user.id, teamId: context.teamId ?? '' };
      await updateModal(client, view.id, await redrawnForm(listenerContext, operation, view, person), view.hash);
    },
  );
}

/** The form with the inputs that apply now. What was entered in an input stays, also while the form does not show it. */
async function redrawnForm(
  listenerContext: ListenerContext,
  operation: Operation,
  view: ViewOutput,
  person: { personId: string; teamId: string },
): Promise<ModalView> {
  const { place, hidden } = rememberedIn(view);
  const texts = { ...hidden, ...readForm(operation, view.state.values) };
  const shown = new Set(shownFields(operation.fields, texts).map(([name]) => name));
  const nowHidden = Object.entries(texts).filter(([name]) => name in operation.fields && !shown.has(name));
  const form = await drawForm(listenerContext, operation, person, { texts });
  return remember(form, { place, hidden: Object.fromEntries(nowHidden) });
}

/** Draws a form with what was entered in it, and finds out again what its pickers hold. */
async function drawForm(
  { permissions, logAndExplain }: ListenerContext,
  operation: Operation,
  person: { personId: string; teamId: string },
  content: FormContent,
): Promise<ModalView> {
  const fields = Object.fromEntries(Object.entries(operation.fields).filter(([, field]) => isSearched(field)));
  const values = await permissions.readSome({ ...operation, fields }, content.texts ?? {}, person).catch((error) => {
    logAndExplain(error);
    return {};
  });
  return formView(operation, await permissions.of(person.personId), { ...content, values });
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
  texts: TextInput;
  values: ViewOutput['state']['values'];
  personId: string;
  teamId: string;
  /** Where its answer goes. */
  place: ResponseTarget | undefined;
  /** What was entered in the form before it, whose inputs this one does not show. */
  before?: TextInput | undefined;
}

/** Errors are shown under their fields, and what was entered stays. */
async function answer(
  listenerContext: ListenerContext,
  submitted: SubmittedForm,
  outcome: ExecutionResult,
): Promise<ViewResponseAction> {
  const problem = problemOf(submitted.operation, outcome);
  if (problem && submitted.before === undefined)
    return { response_action: 'errors', errors: { [problem.field]: problem.message } };
  const blockId = outcome.kind === 'warned' ? confirmationBlockId(outcome.confirmation) : '';
  if (blockId in submitted.values)
    return { response_action: 'errors', errors: { [blockId]: say`Tick this to go on, or change your choice.` } };
  return { response_action: 'update', view: await nextView(listenerContext, submitted, outcome) };
}

/** The form again, with what keeps it from running; the form in which the operation asks for more; or the end. */
async function nextView(
  listenerContext: ListenerContext,
  { operation, texts, place, before, ...person }: SubmittedForm,
  outcome: ExecutionResult,
): Promise<ModalView> {
  const asked = askedBy(outcome);
  if (asked?.ask) {
    const { fields, entered } = asked.ask;
    const form = formView({ ...operation, fields }, await listenerContext.permissions.of(person.personId));
    const view = remember({ ...form, blocks: [section(asked.heading), ...form.blocks] }, { place, before: entered });
    return view.private_metadata?.includes('"before"')
      ? view
      : messageView(
          operation,
          textMessage('⚠️', say`You chose more than a form can keep. Choose less, then try again.`),
        );
  }
  const problem = problemOf(operation, outcome);
  if (problem && before) return messageView(operation, textMessage('⚠️', problem.message));
  if (problem ?? outcome.kind === 'warned') {
    const warning = outcome.kind === 'warned' ? outcome : undefined;
    const form = await drawForm(listenerContext, operation, person, { texts, notice: problem?.message, warning });
    return remember(form, { place });
  }
  if (outcome.kind === 'incomplete') throw new Error('an incomplete form has no end');
  return messageView(operation, outcomeMessage(operation, texts, outcome, listenerContext.timeZone));
}

/** The page with which an operation asks for more, in a form; undefined where it does not. */
function askedBy(outcome: ExecutionResult): Page | undefined {
  const page = outcome.kind === 'done' && outcome.result.kind === 'page' ? outcome.result : undefined;
  return page?.ask && page;
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
  if (responseTarget === undefined || outcome.kind !== 'done' || askedBy(outcome)) return false;
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
