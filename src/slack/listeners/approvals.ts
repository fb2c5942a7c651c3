import type {
  App,
  BlockAction,
  ButtonAction,
  SlackActionMiddlewareArgs,
  ViewOutput,
  ViewStateValue,
  AllMiddlewareArgs,
} from '@slack/bolt';
import type { Decided, Participant } from '../../governance/approvals/decide.ts';
import { openWithinMs, updateModal } from '../open-modal.ts';
import {
  approveActionId,
  denyActionId,
  pressAgainButton,
  reviewActionId,
  withdrawActionId,
} from '../views/approvals/approval.ts';
import { inputActionId } from '../form/inputs.ts';
import {
  approveCallbackId,
  commentInput,
  decidedView,
  denialNeedsReason,
  denyCallbackId,
  pressed,
  reviewMessage,
  reviewSorryView,
  reviewWaitingView,
  withdrawCallbackId,
  type Pressed,
  type ReviewModal,
} from '../views/approvals/review.ts';
import { answerBeside, clickedMessage, notOpenedMessage, openModalOrAnswer, type Origin } from './answers.ts';
import type { ListenerContext } from './listener-context.ts';

/** Slack waits 3 seconds for the answer to a submission; a later result replaces the waiting view. */
const deadlineMs = 2_000;

type Press = SlackActionMiddlewareArgs<BlockAction<ButtonAction>> & AllMiddlewareArgs;
type Verdict = 'approved' | 'denied';

/** Listens to Approve, Deny and Withdraw. A payload names the request and nothing more: the rest is read from the store. */
export function registerApprovals(app: App, listenerContext: ListenerContext): void {
  const actions: [actionId: string, verdict: Verdict][] = [
    [approveActionId, 'approved'],
    [reviewActionId, 'approved'],
    [denyActionId, 'denied'],
  ];
  for (const [actionId, verdict] of actions) {
    app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: actionId }, async (press) => {
      await press.ack();
      await openReview(listenerContext, press, verdict);
    });
  }

  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: withdrawActionId },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const withdrawn = listenerContext.decisions.withdraw(participantOf(action.value, body.user.id, context.teamId));
      const view = await endOf(listenerContext, withdrawn);
      const responseTarget = clickedMessage(body, true);
      const origin: Origin = { client, personId: body.user.id, responseTarget };
      if (responseTarget === undefined) return showOrSend(listenerContext, origin, body.view?.id ?? '', view);
      if (responseTarget.isOriginalPublic !== true)
        return listenerContext.answerAt(responseTarget, reviewMessage(view));
      // The message in direct messages shows the request as it is, and was updated already.
      const isShown = await withdrawn.then(
        ({ kind }) => kind === 'decided',
        () => false,
      );
      if (!isShown) await answerBeside(listenerContext, origin, reviewMessage(view));
    },
  );

  const forms: [callbackId: string, verdict: Verdict][] = [
    [approveCallbackId, 'approved'],
    [denyCallbackId, 'denied'],
  ];
  for (const [callbackId, verdict] of forms) {
    app.view(callbackId, async ({ ack, body, view, client, context }) => {
      const [commentBlockId, commentState] = inputOf(view.state.values, commentInput);
      const comment = (commentState?.value ?? '').trim();
      if (verdict === 'denied' && comment === '')
        return ack({ response_action: 'errors', errors: { [commentBlockId]: denialNeedsReason } });
      const end = endOf(
        listenerContext,
        listenerContext.decisions.decide({
          ...participantOf(view.private_metadata, body.user.id, context.teamId),
          verdict,
          comment,
        }),
      );
      const quick = await Promise.race([end, listenerContext.sleep(deadlineMs)]);
      await ack({ response_action: 'update', view: quick ?? reviewWaitingView() });
      if (!quick) await showOrSend(listenerContext, { client, personId: body.user.id }, view.id, await end);
    });
  }

  app.view(withdrawCallbackId, async ({ ack, body, view, context }) => {
    const participant = participantOf(view.private_metadata, body.user.id, context.teamId);
    await ack({
      response_action: 'update',
      view: await endOf(listenerContext, listenerContext.decisions.withdraw(participant)),
    });
  });
}

/** Opens the modal for a decision, or says beside the button why the person may not decide. */
async function openReview(
  listenerContext: ListenerContext,
  { action, body, client, context }: Press,
  verdict: Verdict,
): Promise<void> {
  const participant = participantOf(action.value, body.user.id, context.teamId);
  const origin: Origin = { client, personId: body.user.id, responseTarget: clickedMessage(body, false) };
  const answer = listenerContext.decisions.review(participant).then(
    (review) => pressed(review, verdict, listenerContext.timeZone),
    (error: unknown): Pressed => ({ view: reviewSorryView(listenerContext.logAndExplain(error)) }),
  );
  const quick = await Promise.race([answer, listenerContext.sleep(openWithinMs)]);
  if (quick?.message && origin.responseTarget) return answerBeside(listenerContext, origin, quick.message);
  await openModalOrAnswer(listenerContext, origin, {
    triggerId: body.trigger_id,
    isOnTop: body.view?.type === 'modal',
    view: quick ? Promise.resolve(quick.view) : answer.then(({ view }) => view),
    waiting: reviewWaitingView(),
    ...(quick === undefined && { withinMs: 0 }),
    instead: (error) =>
      notOpenedMessage(listenerContext, error, [
        pressAgainButton(verdict === 'approved' ? approveActionId : denyActionId, participant.id),
      ]),
  });
}

/** Shows a view in an open modal, or sends its content to a person who has closed the modal. */
async function showOrSend(
  listenerContext: ListenerContext,
  origin: Origin,
  viewId: string,
  view: ReviewModal,
): Promise<void> {
  const isShown = await updateModal(origin.client, viewId, view);
  if (!isShown) await answerBeside(listenerContext, origin, reviewMessage(view));
}

/** @returns the block ID of an input, and its state */
function inputOf(
  values: ViewOutput['state']['values'],
  input: string,
): [blockId: string, state: ViewStateValue | undefined] {
  const [blockId, states] = Object.entries(values).find(([id]) => id.startsWith(input)) ?? [input];
  return [blockId, states?.[inputActionId]];
}

function participantOf(id: string | undefined, personId: string, teamId: string | undefined): Participant {
  return { id: id ?? '', personId, teamId: teamId ?? '' };
}

async function endOf(listenerContext: ListenerContext, decided: Promise<Decided>): Promise<ReviewModal> {
  return decided.then(
    (end) => decidedView(end, listenerContext.timeZone),
    (error: unknown) => reviewSorryView(listenerContext.logAndExplain(error)),
  );
}
