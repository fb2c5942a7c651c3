import type { App, BlockAction, ButtonAction, OverflowAction, StaticSelectAction } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { OperationRequest, ExecutionResult } from '../../governance/perform/execution-result.ts';
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
import { changeActionId } from '../views/batches/plan-buttons.ts';
import { attemptPickerId, quizIdOfResults } from '../views/results/results.ts';
import { answerBeside, clickedMessage, openModalOrAnswer } from './answers.ts';
import { messageOf, run } from './commands.ts';
import { openAsked, openForm } from './forms.ts';
import type { ListenerContext } from './listener-context.ts';

const rawInput = z.record(z.string(), z.array(z.string()));
const choice = z.object({ operation: z.string(), raw: rawInput });
const menuValue = z.tuple([z.enum(['run', 'form', 'modal', 'replace']), z.string(), rawInput]);

/**
 * Runs the operation that a button or a menu names, or opens its form; also on the Home tab. Rights and input are checked
 * as for a command.
 */
export function registerChoices(app: App, listenerContext: ListenerContext): void {
  for (const where of ['replace', 'beside'] as const) {
    app.action<BlockAction<ButtonAction>>(buttonsThat(where), async ({ ack, action, body, client, context }) => {
      await ack();
      await answerClick(listenerContext, { client, body }, requestOf(action, body, context.teamId), where);
    });
  }

  app.action<BlockAction<ButtonAction>>(buttonsThat('modal'), async ({ ack, action, body, client, context }) => {
    await ack();
    await openAnswer(listenerContext, { client, body }, requestOf(action, body, context.teamId));
  });

  app.action<BlockAction<ButtonAction>>(buttonsThat('form'), async ({ ack, action, body, client, context }) => {
    await ack();
    await openFormOf(
      listenerContext,
      { client, body },
      requestOf(action, body, context.teamId),
      clickedMessage(body, true),
    );
  });

  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: new RegExp(`^(?:${changeActionId}|${askColumnsAction})$`) },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const [person, responseTarget] = [
        { personId: body.user.id, teamId: context.teamId ?? '' },
        clickedMessage(body, true),
      ];
      const beside = async (icon: string, sentence: string) =>
        answerBeside(
          listenerContext,
          { client, personId: person.personId, responseTarget },
          textMessage(icon, sentence),
        );
      try {
        const entered = await listenerContext.permissions.enteredFor(action.value ?? '', person);
        const operation = operationNamed(entered?.operation ?? '');
        if (entered === undefined || operation === undefined) return await beside('ℹ️', goneMessage);
        const modalId = body.view?.type === 'modal' ? body.view.id : undefined;
        const channelId = channelOf(body.channel?.id, body.channel?.name);
        const opening = { client, triggerId: body.trigger_id, ...person, channelId, modalId, responseTarget };
        if (action.action_id === changeActionId)
          return await openForm(listenerContext, opening, operation, entered.input);
        const columns = ['ask', ...(entered.input['columns'] ?? [])];
        await openAsked(listenerContext, opening, operation, { ...entered.input, columns });
      } catch (error) {
        await beside('⚠️', listenerContext.logAndExplain(error));
      }
    },
  );

  app.action<BlockAction<OverflowAction | StaticSelectAction>>(
    { type: 'block_actions', action_id: new RegExp(`^${menuActionId}:`) },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const [does, name, raw] = menuValue.parse(JSON.parse(action.selected_option.value));
      const request = requestFor(name, raw, body, context.teamId);
      if (does === 'run' || does === 'replace')
        await answerClick(listenerContext, { client, body }, request, does === 'run' ? 'beside' : does);
      else if (does === 'modal') await openAnswer(listenerContext, { client, body }, request);
      else await openFormOf(listenerContext, { client, body }, request, clickedMessage(body, false));
    },
  );

  app.action({ type: 'block_actions', action_id: new RegExp(`^${linkActionId}:`) }, ({ ack }) => ack());
}

function buttonsThat(doing: ButtonDoing) {
  return { type: 'block_actions', action_id: new RegExp(`^${buttonActionIds[doing]}:`) } as const;
}

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

function requestOf(button: ButtonAction, body: BlockAction, teamId: string | undefined): OperationRequest {
  const { operation, raw } = choice.parse(JSON.parse(button.value ?? ''));
  return requestFor(operation, raw, body, teamId);
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

/** Opens the attempt that was chosen in a quiz's results, with fresh data from the service. */
export function registerAttempts(app: App, listenerContext: ListenerContext): void {
  app.action<BlockAction<StaticSelectAction>>(
    { type: 'block_actions', action_id: attemptPickerId },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const raw = { quiz: [quizIdOfResults(action.block_id) ?? ''], response: [action.selected_option.value] };
      await openAnswer(
        listenerContext,
        { client, body },
        {
          operation: showAttempt,
          inputs: [raw],
          personId: body.user.id,
          teamId: context.teamId ?? '',
          through: 'choice',
        },
      );
    },
  );
}

interface Click {
  client: WebClient;
  body: BlockAction;
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
