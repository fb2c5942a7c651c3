import type {
  AllMiddlewareArgs,
  App,
  BlockAction,
  ButtonAction,
  OverflowAction,
  SlackActionMiddlewareArgs,
  StaticSelectAction,
} from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { OperationRequest, ExecutionResult } from '../../governance/perform/execution-result.ts';
import { chooseLanguage, turnMessages } from '../../features/administration/own-settings.ts';
import {
  forMe,
  myReportAfterAll,
  notMe,
  notMyReport,
  snoozeReminders,
} from '../../features/campaigns/operations/own-answers.ts';
import { showAttempt } from '../../features/results/show-attempt.ts';
import { operationNamed } from '../../operations/catalog.ts';
import { goneMessage } from '../../operations/plans/plan-kind.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { channelOf } from '../incoming-text.ts';
import { updateModal } from '../open-modal.ts';
import type { ResponseTarget } from '../connection/response-url.ts';
import { buttonActionIds, linkActionId, type ButtonDoing } from '../views/blocks/buttons.ts';
import { messageView, waitingView } from '../form/form.ts';
import { menuActionId } from '../views/blocks/item-actions.ts';
import { textMessage } from '../views/blocks/message.ts';
import { askColumnsAction } from '../views/batches/import-plan.ts';
import { afterPress } from '../views/blocks/pressed-button.ts';
import { changeActionId } from '../views/batches/plan-buttons.ts';
import { answerBeside, clickedMessage, openModalOrAnswer, shownMessage } from './answers.ts';
import { messageOf, run } from './commands.ts';
import { openAsked, openForm } from './forms.ts';
import type { ListenerContext } from './listener-context.ts';

const rawInput = z.record(z.string(), z.array(z.string()));
const choice = z.object({ operation: z.string(), raw: rawInput });
const menuValue = z.tuple([z.enum(['run', 'form', 'modal', 'replace', 'row', 'button']), z.string(), rawInput]);

/** A button, or an option of a menu, that somebody pressed. */
type Action = ButtonAction | OverflowAction | StaticSelectAction;
type Body = BlockAction<Action>;

/** What a press wants. */
interface Wanted {
  does: ButtonDoing;
  operation: string;
  input: TextInput;
}

const doings = Object.keys(buttonActionIds) as ButtonDoing[];
const prefixes = [...Object.values(buttonActionIds), menuActionId].join('|');

/**
 * Runs the operation that a button or a menu names, or opens its form; also on the Home tab. Rights and input are checked
 * as for a command.
 */
export function registerChoices(app: App, listenerContext: ListenerContext): void {
  const take = async ({ ack, action, body, client, context }: SlackActionMiddlewareArgs<Body> & AllMiddlewareArgs) => {
    await ack();
    const { does, operation, input } = wantedBy(action);
    const request = requestFor(operation, input, body, context.teamId);
    const click = { client, body };
    if (does === 'modal') return openAnswer(listenerContext, click, request);
    if (does === 'row' || does === 'button') return answerInPlace(listenerContext, click, action, request, does);
    if (does !== 'form') return answerClick(listenerContext, click, request, does);
    const [plan] = input['plan'] ?? [];
    if (plan !== undefined && request.operation.fields['plan'] === undefined)
      return openEntered(listenerContext, click, { plan, personId: request.personId, teamId: request.teamId }, false);
    await openFormOf(listenerContext, click, request, clickedMessage(body, action.type === 'button'));
  };
  app.action<Body>({ type: 'block_actions', action_id: new RegExp(`^(?:${prefixes}):`) }, take);
  for (const actionId of Object.keys(earlierButtons))
    app.action<Body>({ type: 'block_actions', action_id: actionId }, take);

  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: new RegExp(`^(?:${changeActionId}|${askColumnsAction})$`) },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const request = { plan: action.value ?? '', personId: body.user.id, teamId: context.teamId ?? '' };
      await openEntered(listenerContext, { client, body }, request, action.action_id === askColumnsAction);
    },
  );

  app.action({ type: 'block_actions', action_id: new RegExp(`^${linkActionId}:`) }, ({ ack }) => ack());
}

function wantedBy(action: Action): Wanted {
  const { action_id: actionId } = action;
  const value = (action.type === 'button' ? action.value : action.selected_option?.value) ?? '';
  const earlier = earlierButtons[actionId];
  if (earlier) return earlier(value, action.block_id);
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

/** Buttons of messages that 1.7 posted, and of Home tabs that it showed. */
const earlierButtons: Readonly<Record<string, (value: string, blockId: string) => Wanted>> = {
  // The block of the picker in results: `results of <ID of the quiz> …`.
  attempt: (value, blockId) => ({
    does: 'modal',
    operation: showAttempt.name,
    input: { quiz: [blockId.split(' ')[2] ?? ''], response: [value] },
  }),
  'campaign:not-me': (value) => ({ does: 'row', operation: notMe.name, input: inCampaigns(value) }),
  'campaign:for-me': (value) => ({ does: 'row', operation: forMe.name, input: inCampaigns(value) }),
  'campaign:snooze': (value) => ({ does: 'button', operation: snoozeReminders.name, input: inCampaigns(value) }),
  'reports:not-mine': (value) => ({ does: 'row', operation: notMyReport.name, input: aboutReport(value) }),
  'reports:undo': (value) => ({ does: 'row', operation: myReportAfterAll.name, input: aboutReport(value) }),
  'direct-messages:on': () => ({ does: 'button', operation: turnMessages.name, input: { to: ['on'] } }),
  'direct-messages:off': () => ({ does: 'button', operation: turnMessages.name, input: { to: ['off'] } }),
  'choose-language': (value) => ({
    does: 'button',
    operation: chooseLanguage.name,
    input: { language: [value === 'slack' ? 'default' : value] },
  }),
};

/** Opens the form of a request, in the modal that was clicked in or as a new modal. */
async function openFormOf(
  listenerContext: ListenerContext,
  { client, body }: Click,
  request: OperationRequest,
  responseTarget: ResponseTarget | undefined,
): Promise<void> {
  const { operation, inputs, personId, teamId, channelId } = request;
  const modalId = body.view?.type === 'modal' ? body.view.id : undefined;
  await openForm(
    listenerContext,
    { client, triggerId: body.trigger_id, personId, teamId, channelId, modalId, responseTarget },
    operation,
    inputs[0],
  );
}

/** Opens the form with what the person entered for a plan, or with the question about its columns. */
async function openEntered(
  listenerContext: ListenerContext,
  { client, body }: Click,
  { plan, ...person }: { plan: string; personId: string; teamId: string },
  asksColumns: boolean,
): Promise<void> {
  const { personId } = person;
  const responseTarget = clickedMessage(body, true);
  const beside = async (icon: string, sentence: string) =>
    answerBeside(listenerContext, { client, personId, responseTarget }, textMessage(icon, sentence));
  try {
    const entered = await listenerContext.permissions.enteredFor(plan, person);
    const operation = operationNamed(entered?.operation ?? '');
    if (entered === undefined || operation === undefined) return await beside('ℹ️', goneMessage);
    const modalId = body.view?.type === 'modal' ? body.view.id : undefined;
    const channelId = channelOf(body.channel?.id, body.channel?.name);
    const opening = { client, triggerId: body.trigger_id, ...person, channelId, modalId, responseTarget };
    if (!asksColumns) return await openForm(listenerContext, opening, operation, entered.input);
    const columns = ['ask', ...(entered.input['columns'] ?? [])];
    await openAsked(listenerContext, opening, operation, { ...entered.input, columns });
  } catch (error) {
    await beside('⚠️', listenerContext.logAndExplain(error));
  }
}

function requestFor(name: string, raw: TextInput, { user, channel }: BlockAction, teamId = ''): OperationRequest {
  const operation = operationNamed(name);
  if (operation === undefined) throw new Error(`a button names the operation ${name}, which does not exist`);
  return {
    operation,
    inputs: [raw],
    personId: user.id,
    teamId,
    channelId: channelOf(channel?.id, channel?.name),
    through: 'choice',
  };
}

interface Click {
  client: WebClient;
  body: BlockAction;
}

/** Runs the operation of a button, and puts a note in its place, or says beside it why nothing changed. The Home tab is shown anew. */
async function answerInPlace(
  listenerContext: ListenerContext,
  { client, body }: Click,
  action: Action,
  request: OperationRequest,
  opens: 'row' | 'button',
): Promise<void> {
  const outcome = await listenerContext.execute(request);
  const responseTarget = clickedMessage(body, true);
  if (outcome.kind !== 'done' || outcome.result.kind !== 'done' || outcome.result.isNoChange)
    return answerBeside(
      listenerContext,
      { client, personId: request.personId, responseTarget },
      messageOf(listenerContext, request, outcome),
    );
  const shown = shownMessage(body);
  if (responseTarget && shown && action.type === 'button')
    await listenerContext.answerAt(responseTarget, {
      ...shown,
      blocks: afterPress(shown.blocks, action, outcome.result, opens),
    });
  if (body.view?.type === 'home') await listenerContext.showHome(request.personId);
}

/** Runs the operation of a button, and replaces the clicked message with the answer or posts the answer separately. */
async function answerClick(
  listenerContext: ListenerContext,
  click: Click,
  request: OperationRequest,
  where: 'replace' | 'beside',
): Promise<void> {
  const { client, body } = click;
  if (body.view === undefined) {
    const outcome = await listenerContext.execute(request);
    const responseTarget = clickedMessage(body, where === 'replace' && canReplace(outcome));
    if (responseTarget) await listenerContext.answerAt(responseTarget, messageOf(listenerContext, request, outcome));
  } else if (body.view.type === 'modal' && where === 'replace') {
    const message = await run(listenerContext, request);
    const isShown = await updateModal(client, body.view.id, messageView(request.operation, message));
    if (!isShown) await answerBeside(listenerContext, { client, personId: request.personId }, message);
  } else {
    await openAnswer(listenerContext, click, request);
  }
}

/**
 * Runs the operation of a button, and opens the answer in a modal, on top of a modal that contains the button. Where the
 * modal does not open, the answer is a message: a second try could run a change twice.
 */
async function openAnswer(
  listenerContext: ListenerContext,
  { client, body }: Click,
  request: OperationRequest,
): Promise<void> {
  let isQueued = false;
  const message = run(listenerContext, { ...request, onQueued: () => void (isQueued = true) });
  await openModalOrAnswer(
    listenerContext,
    { client, personId: request.personId, responseTarget: clickedMessage(body, false) },
    {
      triggerId: body.trigger_id,
      isOnTop: body.view?.type === 'modal',
      view: message.then((answer) => messageView(request.operation, answer)),
      waiting: () => waitingView(request.operation, isQueued),
      async instead(error) {
        listenerContext.logAndExplain(error);
        return message;
      },
    },
  );
}

/** After a failure the message keeps its buttons, so that the person can click again. */
function canReplace({ kind }: ExecutionResult): boolean {
  return kind === 'done' || kind === 'requested' || kind === 'unclear' || kind === 'warned' || kind === 'unconfirmed';
}
