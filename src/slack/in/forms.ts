import { saysNothing } from '../../operations/line/line.ts';
import type { ModalView } from '@slack/types';
import { shortName, listed, say } from '../../domain/said.ts';
import type { ExecutionResult } from '../../governance/perform/execute.ts';
import type { Asking } from '../../governance/rights/permissions.ts';
import { idsOf } from '../../governance/perform/meaning.ts';
import { kindOf, type Value } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import {
  goneOrUnseen,
  InvalidInputError,
  isOpaqueId,
  leftOverField,
  reasonField,
  type TextInput,
} from '../../operations/text-input.ts';
import { goneMessage } from '../../operations/fields/kept.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { catalog, operationNamed } from '../../operations/catalog.ts';
import { pageIn, type Page, type Step } from '../../operations/page.ts';
import {
  askedView,
  confirmationBlockId,
  formView,
  inputFromPlace,
  messageView,
  moreActionId,
  readForm,
  remember,
  shownFields,
  waitingView,
  type FormContent,
} from '../form/form.ts';
import { isSearched } from '../form/inputs.ts';
import { plain, textMessage, operationButton } from '../views/blocks/message.ts';
import { needsReason } from '../../features/administration/pages/requests.ts';
import { outcomeMessage } from '../views/outcome.ts';
import type { Delivery, Memory, SubmittedValues } from './delivery.ts';
import type { Parts, Reply, ResponseTarget } from './reply.ts';
import { formOfferPage } from '../views/help.ts';
import { openPreviewItems } from '../../features/batches/pages/batches.ts';
import { drawPage, drawParts } from '../views/blocks/page.ts';

/** Slack waits 3 seconds for the answer to a submission; a later answer goes into the open modal. */
const deadlineMs = 2_000;

/**
 * Opens the form of an operation with what was typed already, or a modal that says why the person may not have it. Where
 * Slack opens neither, the person gets a message with a button that tries again.
 */
export async function openForm(
  parts: Parts,
  reply: Reply,
  operation: Operation,
  typed: TextInput | readonly [TextInput, ...TextInput[]],
  how: 'replace' | 'beside',
): Promise<void> {
  const readings = isSeveral(typed) ? typed : [typed];
  if (!reply.canOpen) return offerForm(parts, reply, operation, readings);
  const [raw = {}] = readings;
  const again = { text: say`Try again`, doing: 'form', operation, raw, style: 'primary' } as const;
  await reply.open({
    view: buildForm(parts, reply, operation, readings)
      .then((form) => remember(form, { place: reply.place(how) }))
      .catch((error: unknown) => messageView(operation, textMessage('⚠️', parts.logAndExplain(error)))),
    waiting: waitingView(operation),
    instead: (error) => reply.notOpened(error, operationButton('again', again)),
    inPlace: true,
  });
}

/** Offers the form in a message, since Slack opens a modal only right after a command or a click. */
async function offerForm(
  parts: Parts,
  reply: Reply,
  operation: Operation,
  readings: readonly TextInput[],
): Promise<void> {
  const { refusalOf } = await parts.permissions.of(reply.personId);
  const refusal = refusalOf(operation);
  if (refusal !== undefined) return reply.show(textMessage('🚫', refusal));
  const { input } = await bestReading(parts, operation, readings, reply);
  await reply.show(drawPage(formOfferPage(operation, input)));
}

async function buildForm(
  parts: Parts,
  { personId, teamId, channelId }: Reply,
  operation: Operation,
  readings: readonly TextInput[],
): Promise<ModalView> {
  const { rights, visibility, refusalOf } = await parts.permissions.of(personId);
  const message = refusalOf(operation);
  if (message !== undefined) return messageView(operation, textMessage('🚫', message));
  const spread = readings.map((typed) => spreadInput(operation, typed));
  const fromPlace = inputFromPlace(operation, channelId);
  // The picker does not offer channels that other companies read.
  const isShared =
    channelId !== undefined && Object.keys(fromPlace).length > 0 && (await parts.findCompanies(channelId)).length > 0;
  const given = spread.map((one) => (isShared ? one.given : { ...fromPlace, ...one.given }));
  const person = { personId, teamId, channelId };
  const { input: raw, read, leftOver } = await bestReading(parts, operation, given, person);
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
  const present = operation.present && (await parts.permissions.readSome(operation, operation.present(read), person));
  const values = { ...present, ...read };
  const [reason] = raw[reasonField] ?? [];
  const texts = { ...idsOf(operation, values), ...(reason && { [reasonField]: [reason] }) };
  const form = formView(operation, { rights, visibility }, { texts, values, notice });
  if (readings.some((typed) => Object.keys(typed).length > 0)) return form;
  const open = await parts.permissions.openPreviews(operation, person);
  if (open.length === 0) return form;
  const items = openPreviewItems(open);
  return { ...form, blocks: [...drawParts([{ items }, { isApart: true }]), ...form.blocks] };
}

function isSeveral(typed: TextInput | readonly TextInput[]): typed is readonly TextInput[] {
  return Array.isArray(typed);
}

/** What was typed and stands in no input: what nobody knows, and what the form has no input for. */
function leftOverNotice(unknown: readonly string[], unshown: readonly string[]): string | undefined {
  const quoted = (texts: readonly string[]) => listed(texts.map((text) => `“${shortName(text)}”`));
  const typed = unknown.filter((text) => !isOpaqueId(text));
  const sentences = [
    ...(typed.length < unknown.length ? [goneOrUnseen] : []),
    ...(typed.length > 0 ? [say`I don’t know ${quoted(typed)}. Choose it below.`] : []),
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

/** The names of all forms. */
export const formNames = new RegExp(`^(?:${catalog.map(({ name }) => name).join('|')})$`);

/** Runs the operation of a form that was submitted. */
export async function submitForm(
  parts: Parts,
  { view }: Delivery,
  reply: Reply,
  ack: (answer?: object) => Promise<void>,
): Promise<void> {
  const operation = operationNamed(view?.name ?? '');
  if (view === undefined || operation === undefined) return;
  const { id, values, memory } = view;
  const { personId, teamId, channelId } = reply;
  const texts = readForm(operation, values);
  const { place, before } = memory;
  let isQueued = false;
  const outcome = parts.execute({
    operation,
    inputs: [{ ...before, ...texts }],
    personId,
    teamId,
    channelId,
    through: 'form',
    onQueued: () => void (isQueued = true),
  });
  const submitted = { ...memory, operation, texts, values, personId, teamId, channelId };

  const quick = await Promise.race([outcome, parts.sleep(deadlineMs)]);
  // The person has lost rights since the form opened, so the form has no input for a reason yet.
  const lacksReason = quick?.kind === 'unexplained' && !(reasonField in values);
  if (quick && !lacksReason) {
    if (await showInConversation(parts, place, operation, quick)) return ack();
    return ack(await answer(parts, submitted, quick));
  }
  await ack({ response_action: 'update', view: waitingView(operation, isQueued) });
  const late = await outcome;
  const shown = (await showInConversation(parts, place, operation, late))
    ? messageView(operation, textMessage('✅', say`It’s in the conversation now.`))
    : await nextView(parts, submitted, late);
  const closed = late.kind === 'incomplete' ? undefined : outcomeMessage(operation, {}, late);
  await reply.update(id, shown, { closed });
}

/**
 * Draws a form again once something was chosen on which other fields depend, or **More…** was pressed: Slack sends no other choice
 * before it is submitted.
 */
export async function redrawForm(parts: Parts, { view, name }: Delivery, reply: Reply): Promise<void> {
  const operation = operationNamed(view?.name ?? '');
  if (view === undefined || operation === undefined) return;
  const isFull = name === moreActionId || view.memory.isFull;
  await reply.update(view.id, await redrawnForm(parts, operation, { ...view, isFull }, reply), { hash: view.hash });
}

/** The form with the inputs that apply now. What was entered in an input stays, also while the form does not show it. */
async function redrawnForm(
  parts: Parts,
  operation: Operation,
  view: Pick<NonNullable<Delivery['view']>, 'memory' | 'values'> & { isFull: boolean | undefined },
  person: Asking,
): Promise<ModalView> {
  const { isFull } = view;
  const { place, hidden } = view.memory;
  const texts = { ...hidden, ...readForm(operation, view.values) };
  const shown = new Set(shownFields(operation.fields, texts, isFull).map(([name]) => name));
  const nowHidden = Object.entries(texts).filter(([name]) => name in operation.fields && !shown.has(name));
  const form = await drawForm(parts, operation, person, { texts, isFull });
  return remember(form, { place, hidden: Object.fromEntries(nowHidden), isFull });
}

/** Draws a form with what was entered in it, and finds out again what its pickers hold. */
async function drawForm(
  { permissions, logAndExplain }: Parts,
  operation: Operation,
  person: Asking,
  content: FormContent,
): Promise<ModalView> {
  const fields = Object.fromEntries(Object.entries(operation.fields).filter(([, field]) => isSearched(field)));
  const values = await permissions.readSome({ ...operation, fields }, content.texts ?? {}, person).catch((error) => {
    logAndExplain(error);
    return {};
  });
  return formView(operation, await permissions.of(person.personId), { ...content, values });
}

/** A form as a person submitted it, with what it remembers. */
interface SubmittedForm extends Memory, Asking {
  operation: Operation;
  texts: TextInput;
  values: SubmittedValues;
}

/** Errors are shown under their fields, and what was entered stays. */
async function answer(parts: Parts, submitted: SubmittedForm, outcome: ExecutionResult): Promise<object> {
  const problem = problemOf(submitted.operation, outcome);
  const field = Object.keys(submitted.values).find((id) => id.split(' ')[0] === problem?.field);
  if (problem && field !== undefined) return { response_action: 'errors', errors: { [field]: problem.message } };
  const blockId = outcome.kind === 'warned' ? confirmationBlockId(outcome.confirmation) : '';
  if (blockId in submitted.values)
    return { response_action: 'errors', errors: { [blockId]: say`Tick this to go on, or change your choice.` } };
  return { response_action: 'update', view: await nextView(parts, submitted, outcome) };
}

/** The form in which an operation asks for more, with what stands on its page; undefined where it does not ask. */
export async function viewOfAsked(
  parts: Parts,
  operation: Operation,
  outcome: ExecutionResult,
  { personId, place }: { personId: string; place: ResponseTarget | undefined },
): Promise<ModalView | undefined> {
  const page = askedBy(outcome);
  if (page?.ask === undefined) return undefined;
  const asking = askedView(operation, page, page.ask, await parts.permissions.of(personId));
  const view = remember(asking, { place, before: page.ask.entered });
  return view.private_metadata?.includes('"before"')
    ? view
    : messageView(operation, textMessage('⚠️', say`You chose more than a form can keep. Choose less, then try again.`));
}

/** The form again, with what keeps it from running; the form in which the operation asks for more; or the end. */
async function nextView(
  parts: Parts,
  { operation, texts, place, before, isFull, ...person }: SubmittedForm,
  outcome: ExecutionResult,
): Promise<ModalView> {
  const asking = await viewOfAsked(parts, operation, outcome, { personId: person.personId, place });
  if (asking) return asking;
  const started = mainView(operation, outcome, place);
  if (started) return started;
  const problem = problemOf(operation, outcome);
  if (before && outcome.kind !== 'incomplete' && (problem ?? outcome.kind === 'warned'))
    return messageView(operation, outcomeMessage(operation, { ...before, ...texts }, outcome));
  if (problem ?? outcome.kind === 'warned') {
    const warning = outcome.kind === 'warned' ? outcome : undefined;
    const form = await drawForm(parts, operation, person, { texts, notice: problem?.message, warning, isFull });
    return remember(form, { place, isFull });
  }
  if (outcome.kind === 'incomplete') throw new Error('an incomplete form has no end');
  return messageView(operation, outcomeMessage(operation, texts, outcome));
}

/** The answer whose main step is the button of the modal, which sends its input; undefined where it has none. */
function mainView(
  operation: Operation,
  outcome: ExecutionResult,
  place: ResponseTarget | undefined,
): ModalView | undefined {
  if (outcome.kind !== 'done' || outcome.result.kind === 'done') return undefined;
  const page = pageIn(outcome.result);
  const main = page.steps?.find((step): step is Step => 'operation' in step && step.isMain === true);
  const run = main && operationNamed(main.operation);
  if (main === undefined || run === undefined || !outcome.offered.has(run.name)) return undefined;
  const message = drawPage(
    { ...page, steps: page.steps?.filter((step) => step !== main) ?? [] },
    { offered: outcome.offered },
  );
  const view: ModalView = {
    ...messageView(operation, message),
    callback_id: run.name,
    submit: plain(main.label),
  };
  return remember(view, { place, before: main.input });
}

/** The page with which an operation asks for more; undefined where it does not. */
export function askedBy(outcome: ExecutionResult): Page | undefined {
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
      if (outcome.noun === 'meaning')
        return { field: outcome.field, message: say`This can mean ${meaningsIn(outcome)}. Type the one you mean.` };
      // A picker offers only what is there. Names are typed, so the person chooses with buttons.
      return operation.fields[outcome.field]?.kind === 'text'
        ? undefined
        : { field: outcome.field, message: say`This no longer exists. Choose another.` };
    case 'unexplained':
      return { field: reasonField, message: needsReason };
    case 'incomplete':
      return { field: outcome.field, message: say`Fill this in.` };
    case 'done':
    case 'requested':
    case 'refused':
    case 'warned':
    case 'unconfirmed':
      return undefined;
  }
}

function meaningsIn({ candidates }: Extract<ExecutionResult, { kind: 'unclear' }>): string {
  return listed(
    candidates.map(({ label }) => label),
    'disjunction',
  );
}

/**
 * Posts what a modal cannot show whole to the conversation the form was opened from, and the answer to a form that
 * belongs to a message. Slack takes such a post for 30 minutes only; a form can stay open for longer.
 * @returns whether it was posted
 */
async function showInConversation(
  parts: Parts,
  responseTarget: ResponseTarget | undefined,
  operation: Operation,
  outcome: ExecutionResult,
): Promise<boolean> {
  if (responseTarget === undefined || outcome.kind !== 'done' || askedBy(outcome)) return false;
  const message = outcomeMessage(operation, {}, outcome);
  if (message.plain === undefined && !responseTarget.replacesOriginal) return false;
  try {
    await parts.answerAt(responseTarget, message);
    return true;
  } catch (error) {
    parts.logAndExplain(error);
    return false;
  }
}

/** The reading of a line of which most makes sense. */
export interface BestReading {
  input: TextInput;
  /** What makes sense of it, by field. */
  read: Readonly<Record<string, Value>>;
  /** What was typed for fields that cannot hold it, in words. */
  leftOver: readonly string[];
}

/** Resolves the readings of a line, the likeliest first, as far as they make sense: for a form, and to say what a line would do. */
export async function bestReading(
  { permissions }: Pick<Parts, 'permissions'>,
  operation: Operation,
  inputs: readonly TextInput[],
  person: Asking,
): Promise<BestReading> {
  let best: BestReading | undefined;
  for (const input of inputs) {
    const read = await permissions.readSome(operation, input, person);
    const leftOver = Object.entries(input)
      .filter(([name]) => name !== reasonField && operation.fields[name] !== undefined && read[name] === undefined)
      .flatMap(([, texts]) => texts.map(mentionsInWords).filter((text) => text.trim() !== ''));
    if (best === undefined || lettersIn(leftOver) < lettersIn(best.leftOver)) best = { input, read, leftOver };
    if (leftOver.length === 0) break;
  }
  return best ?? { input: {}, read: {}, leftOver: [] };
}

/** Whether nothing that the operation needs is missing. */
export function isWhole(operation: Operation, { read, leftOver }: BestReading): boolean {
  return (
    leftOver.length === 0 &&
    !saysNothing(operation, read) &&
    Object.entries(operation.fields).every(
      ([name, field]) => field.optional || kindOf(field).followsFromPlace || read[name] !== undefined,
    )
  );
}

function lettersIn(texts: readonly string[]): number {
  return texts.join('').length;
}
