import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { say } from '../../domain/said.ts';
import { decideRequest, withdrawRequest } from '../../features/administration/decide-request.ts';
import { chooseLanguage, turnMessages } from '../../features/administration/own-settings.ts';
import {
  forMe,
  myReportAfterAll,
  notMe,
  notMyReport,
  snoozeReminders,
} from '../../features/campaigns/operations/own-answers.ts';
import { importUsers } from '../../features/imports/import-users.ts';
import { showAttempt } from '../../features/results/attempt-page.ts';
import { showUser } from '../../features/users/list-and-show.ts';
import type { ExecutionResult, OperationRequest } from '../../governance/perform/execute.ts';
import { operationNamed } from '../../operations/catalog.ts';
import { formatFile } from '../../operations/fields/file.ts';
import { isTyped } from '../../operations/line/line.ts';
import { goneMessage } from '../../operations/fields/kept.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { formatMention } from '../../operations/typed-text.ts';
import { messageView, waitingView } from '../form/form.ts';
import { optionsOf, distinctOptions } from '../form/inputs.ts';
import { messageOf, run, showGrowth } from './commands.ts';
import type { Delivery, Pressed } from './delivery.ts';
import { askedBy, openForm, viewOfAsked } from './forms.ts';
import { listsIn, offerImport } from './messages.ts';
import type { Parts, Reply, ResponseTarget } from './reply.ts';
import { asWritten } from '../connection/outgoing.ts';
import {
  type Message,
  textMessage,
  menuActionId,
  buttonActionIds,
  operationButton,
  type ButtonDoing,
  afterPress,
} from '../views/blocks/message.ts';
import { commandsView } from '../views/help.ts';
import { passwordListView, passwordSorryMessage, passwordView, passwordWaitingView } from '../views/users/password.ts';

const rawInput = z.record(z.string(), z.array(z.string()));
const choice = z.object({ operation: z.string(), raw: rawInput });
const menuValue = z.tuple([
  z.enum(['run', 'form', 'modal', 'replace', 'row', 'button', 'question']),
  z.string(),
  rawInput,
]);

const doings = Object.keys(buttonActionIds) as ButtonDoing[];

/**
 * Runs the operation that a button or a menu names, or opens its form; also on the Home tab. Rights and input are checked
 * as for a command.
 */
export async function press(parts: Parts, delivery: Delivery, reply: Reply): Promise<void> {
  const { pressed } = delivery;
  if (pressed === undefined) return;
  const { does, operation: name, input } = wantedBy(pressed);
  const operation = operationNamed(name);
  if (operation === undefined) throw new Error(`a button names the operation ${name}, which does not exist`);
  const { personId, teamId, channelId } = reply;
  const request: OperationRequest = { operation, inputs: [input], personId, teamId, channelId, through: 'choice' };
  const [plan] = input['plan'] ?? [];
  if (does === 'form' && plan !== undefined && operation.fields['plan'] === undefined)
    return openEntered(parts, reply, plan, input['columns'] !== undefined);
  if (does === 'question' || (does === 'form' && input['columns']?.includes('ask')))
    return openAnswer(parts, reply, request, inConversation(reply));
  if (does === 'form') return openForm(parts, reply, operation, input, pressed.isButton ? 'replace' : 'beside');
  if (does === 'row' || does === 'button') return answerInPlace(parts, delivery, reply, request, does);
  if (does !== 'modal' && delivery.view === undefined) {
    const outcome = await parts.execute(request);
    const how = does === 'replace' && canReplace(outcome) ? does : 'beside';
    await reply.show(messageOf(request, outcome), how);
    return how === 'replace' ? showGrowth(parts, reply, request, outcome) : undefined;
  }
  if (does === 'replace' && reply.modalId !== undefined) {
    const message = await run(parts, request);
    return reply.update(reply.modalId, messageView(operation, message), { closed: message });
  }
  await openAnswer(parts, reply, request);
}

/** What a press wants. */
function wantedBy({ actionId, blockId, value }: Pressed): { does: ButtonDoing; operation: string; input: TextInput } {
  const earlier = earlierButtons[actionId];
  if (earlier) return { does: earlier[0], operation: earlier[1].name, input: earlier[2](value, blockId) };
  if (actionId.startsWith(`${menuActionId}:`)) {
    const [does, operation, input] = menuValue.parse(JSON.parse(value));
    return { does: does === 'run' ? 'beside' : does, operation, input };
  }
  const does = doings.find((doing) => actionId.startsWith(`${buttonActionIds[doing]}:`)) ?? 'beside';
  const { operation, raw: input } = choice.parse(JSON.parse(value));
  return { does, operation, input };
}

const reportSchema = z.object({ userId: z.string(), campaignIds: z.array(z.string()) });
const inCampaigns = (value: string) => ({ campaigns: [z.array(z.string()).parse(JSON.parse(value)).join(' ')] });
const aboutReport = (value: string) => {
  const { userId, campaignIds } = reportSchema.parse(JSON.parse(value));
  return { user: [userId], campaigns: [campaignIds.join(' ')] };
};

const approving = (value: string) => ({ request: [value], verdict: ['approved'] });

/** Buttons of messages that 1.7 posted, and of Home tabs that it showed: what each does, by its value and the ID of its block. */
const earlierButtons: Readonly<
  Record<string, [ButtonDoing, { name: string }, (value: string, blockId: string) => TextInput]>
> = {
  // The block of the picker in results: `results of <ID of the quiz> …`.
  attempt: ['modal', showAttempt, (value, blockId) => ({ quiz: [blockId.split(' ')[2] ?? ''], response: [value] })],
  // The form of a plan opens by what was entered for it.
  'change-plan': ['form', importUsers, (value) => ({ plan: [value] })],
  'ask-columns': ['form', importUsers, (value) => ({ plan: [value], columns: ['ask'] })],
  'campaign:not-me': ['row', notMe, inCampaigns],
  'campaign:for-me': ['row', forMe, inCampaigns],
  'campaign:snooze': ['button', snoozeReminders, inCampaigns],
  'reports:not-mine': ['row', notMyReport, aboutReport],
  'reports:undo': ['row', myReportAfterAll, aboutReport],
  'approve-request': ['modal', decideRequest, approving],
  'review-request': ['modal', decideRequest, approving],
  'deny-request': ['modal', decideRequest, (value) => ({ request: [value], verdict: ['denied'] })],
  'withdraw-request': ['beside', withdrawRequest, (value) => ({ request: [value] })],
  'direct-messages:on': ['button', turnMessages, () => ({ to: ['on'] })],
  'direct-messages:off': ['button', turnMessages, () => ({ to: ['off'] })],
  'choose-language': ['button', chooseLanguage, (value) => ({ language: [value === 'slack' ? 'default' : value] })],
};

/** The action IDs of all that `press` takes. */
export const pressedIds = new RegExp(
  `^(?:(?:${[...Object.values(buttonActionIds), menuActionId].join('|')}):|(?:${Object.keys(earlierButtons).join('|')})$)`,
);

/** Runs the operation of a button, and puts a note in its place, or says beside it why nothing changed. The Home tab is shown anew. */
async function answerInPlace(
  parts: Parts,
  { pressed, message, view }: Delivery,
  reply: Reply,
  request: OperationRequest,
  opens: 'row' | 'button',
): Promise<void> {
  const outcome = await parts.execute(request);
  if (outcome.kind !== 'done' || outcome.result.kind !== 'done' || outcome.result.isNoChange)
    return reply.show(messageOf(request, outcome));
  if (view !== undefined && !reply.modalId) return parts.home.open(request.personId);
  // As people see it, whatever it names.
  if (!message.blocks || !pressed?.isButton) return;
  const { text, blocks } = asWritten({ text: message.text, blocks: message.blocks });
  const button = { action_id: pressed.actionId, value: pressed.value };
  await reply.show({ text, blocks: afterPress(blocks, button, outcome.result, opens) }, 'replace');
}

/** The answer to the form takes the place of the message with the button. */
const inConversation = (reply: Reply) => ({ place: reply.place('replace'), inPlace: true });

/**
 * Runs the operation of a button, and opens the answer in a modal, on top of a modal that contains the button: the form in which
 * the operation asks for more, or what came of it. Where the modal does not open, an answer is a message, since a second try
 * could run a change twice, and a form is opened by another press.
 *
 * @param goesOn.place where the answer to the form goes; undefined: it stays in the modal
 */
async function openAnswer(
  parts: Parts,
  reply: Reply,
  request: OperationRequest,
  goesOn: { place?: ResponseTarget | undefined; inPlace?: boolean } = {},
): Promise<void> {
  const { operation, inputs } = request;
  let isQueued = false;
  const ended = parts.execute({ ...request, onQueued: () => void (isQueued = true) });
  const message = ended.then((outcome) => messageOf(request, outcome));
  await reply.open({
    view: ended.then(
      async (outcome) =>
        (await viewOfAsked(parts, operation, outcome, { personId: reply.personId, place: goesOn.place })) ??
        messageView(operation, await message),
    ),
    waiting: () => waitingView(operation, isQueued),
    instead: async (error) => {
      if (askedBy(await ended) === undefined) return loggedInstead(parts, message)(error);
      const doing = goesOn.inPlace ? 'question' : 'modal';
      const again = { text: say`Try again`, doing, operation, raw: inputs[0], style: 'primary' } as const;
      return reply.notOpened(error, operationButton('again', again));
    },
    inPlace: goesOn.inPlace ?? false,
  });
}

const loggedInstead =
  ({ logAndExplain }: Parts, message: Promise<Message>) =>
  async (error: unknown) => {
    logAndExplain(error);
    return message;
  };

/** After a failure the message keeps its buttons, so that the person can click again. */
function canReplace({ kind }: ExecutionResult): boolean {
  return kind === 'done' || kind === 'requested' || kind === 'unclear' || kind === 'warned' || kind === 'unconfirmed';
}

/** Opens the form with what the person entered for a plan, which is longer than the value of a button, or with the question about its columns. */
async function openEntered(parts: Parts, reply: Reply, plan: string, asksColumns: boolean): Promise<void> {
  const entered = await parts.permissions.enteredFor(plan, reply);
  const operation = operationNamed(entered?.operation ?? '');
  if (entered === undefined || operation === undefined) return reply.show(textMessage('ℹ️', goneMessage));
  if (!asksColumns) return openForm(parts, reply, operation, entered.input, 'replace');
  const columns = ['ask', ...(entered.input['columns'] ?? [])];
  const { personId, teamId } = reply;
  const inputs = [{ ...entered.input, columns }] as const;
  await openAnswer(parts, reply, { operation, inputs, personId, teamId, through: 'choice' }, inConversation(reply));
}

/** Opens the commands that a button of the Home tab is about. */
export async function openCommands(parts: Parts, _: Delivery, reply: Reply): Promise<void> {
  const { operations } = await parts.permissions.of(reply.personId);
  await reply.open({
    view: Promise.resolve(commandsView(operations.filter(isTyped))),
    waiting: commandsView([]),
    instead: (error) => reply.notOpened(error, []),
  });
}

export async function cancel(_parts: Parts, _: Delivery, reply: Reply): Promise<void> {
  await reply.show(textMessage('👌', say`Cancelled. Nothing has changed.`), 'replace');
}

/** Opens the form of the operation that a global shortcut is named after. The manifest says which ones exist. */
export async function openShortcut(parts: Parts, { name }: Delivery, reply: Reply): Promise<void> {
  const operation = operationNamed(name);
  if (operation) await openForm(parts, reply, operation, {}, 'beside');
}

/** Shows the author of a message in the quiz account. */
export async function findAuthor(parts: Parts, { message }: Delivery, reply: Reply): Promise<void> {
  const user = [formatMention({ kind: 'person', id: message.authorId ?? '' })];
  const { personId, teamId } = reply;
  const found = run(parts, { operation: showUser, inputs: [{ user }], personId, teamId, through: 'choice' });
  await reply.open({
    view: found.then((answer) => messageView(showUser, answer)),
    waiting: waitingView(showUser),
    instead: loggedInstead(parts, found),
  });
}

const noList = say`There’s no Excel or CSV file in this message. Use the shortcut on a message with one, or type \`/quiz-user import\` and upload it.`;

/** Opens the form of the import with the list in a message. */
export async function importMessage(parts: Parts, { message }: Delivery, reply: Reply): Promise<void> {
  const [file, ...others] = listsIn(message.files);
  if (file === undefined) return reply.show(textMessage('⚠️', noList));
  if (others.length > 0) return offerImport(parts, reply, [file, ...others]);
  await openForm(parts, reply, importUsers, { file: [formatFile(file)] }, 'beside');
}

/** Slack takes an answer for 3 seconds, and 100 options. */
const deadlineMs = 2_000;
const optionsAtMost = 100;

/** Gives options for the text typed into a picker. The form names the operation, the block its field. */
export async function suggest(
  parts: Parts,
  delivery: Delivery,
  reply: Reply,
  ack: (answer: object) => Promise<void>,
): Promise<void> {
  const options = await Promise.race([
    optionsFor(parts, delivery, reply).catch((error: unknown) => void parts.logAndExplain(error)),
    parts.sleep(deadlineMs),
  ]);
  await ack({ options: options ?? [] });
}

async function optionsFor(
  { permissions }: Parts,
  { view, field: name, text }: Delivery,
  reply: Reply,
): Promise<PlainTextOption[]> {
  const operation = operationNamed(view?.name ?? '');
  const field = operation?.fields[name];
  if (operation === undefined || field === undefined) return [];
  const { refusalOf, visibility } = await permissions.of(reply.personId);
  if (refusalOf(operation) !== undefined) return [];
  const values = await permissions.narrow(field, text, reply, optionsAtMost);
  return distinctOptions(values.flatMap((value) => optionsOf(field, value, visibility)));
}

const notOpened = say`Slack didn’t open the window. Nothing has changed yet.`;
const notShown = say`The new password could not be shown, so nobody knows it. Press the button to set another one.`;

/** **Show password** sets a new one, and shows it. */
export async function showPassword(parts: Parts, { pressed }: Delivery, reply: Reply): Promise<void> {
  const { personId, teamId } = reply;
  const userId = pressed?.value ?? '';
  await showSecret(
    parts,
    reply,
    (sentence) => passwordSorryMessage(userId, sentence),
    async () => {
      const shown = await parts.passwords.show({ teamId, personId, userId });
      return { view: passwordView(shown), sorry: shown.kind === 'shown' ? notShown : shown.message };
    },
  );
}

const printedSchema = z.object({ batch: z.string(), after: z.number().int(), isPrinted: z.boolean().optional() });
const listNotShown = say`The new passwords could not be shown, so nobody knows them. \`/quiz-user reset-password\` sets others.`;

/** Sets passwords for a page of new users, and shows them to be printed. */
export async function printPasswords(parts: Parts, { pressed }: Delivery, reply: Reply): Promise<void> {
  const { personId, teamId } = reply;
  const { batch: batchId, after, isPrinted } = printedSchema.parse(JSON.parse(pressed?.value ?? ''));
  await showSecret(
    parts,
    reply,
    (sentence) => textMessage('⚠️', sentence),
    async () => {
      const list = await parts.passwords.showList({ teamId, personId, batchId, after, isPrinted });
      return { view: passwordListView(batchId, list), sorry: 'message' in list ? list.message : listNotShown };
    },
  );
}

/**
 * Opens a modal before anything is set: if it does not open, nothing has changed. A modal that contains the button shows the
 * secret itself.
 *
 * @param make.sorry what a person reads to whom the modal cannot be shown
 */
async function showSecret(
  { logAndExplain }: Parts,
  reply: Reply,
  instead: (sentence: string) => Message,
  make: () => Promise<{ view: ModalView; sorry: string }>,
): Promise<void> {
  const viewId = await reply.wait(passwordWaitingView()).catch((error: unknown) => void logAndExplain(error));
  if (viewId === undefined) return reply.show(instead(notOpened));
  const { view, sorry } = await make();
  const closed = instead(sorry);
  await reply.update(viewId, view, { closed }).catch(async (error: unknown) => {
    logAndExplain(error);
    await reply.show(closed);
  });
}
