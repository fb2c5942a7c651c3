import type { App, BlockAction, ButtonAction, ViewOutput, ViewStateValue } from '@slack/bolt';
import type { Decided, Participant } from '../../governance/approvals/decide.ts';
import { updateModal } from '../open-modal.ts';
import { reviewActionId, reviewAgainButton, withdrawActionId } from '../views/approval.ts';
import { inputActionId } from '../views/inputs.ts';
import { commentInput, decidedView, reviewCallbackId, reviewMessage, reviewSorryView, reviewView, reviewWaitingView, verdictInput, withdrawCallbackId, type ReviewModal } from '../views/review.ts';
import { answerBeside, clickedMessage, notOpenedMessage, openModalOrAnswer, type Origin } from './answers.ts';
import type { ListenerContext } from './listener-context.ts';

/** Slack waits 3 seconds for the answer to a submission; a later result replaces the waiting view. */
const deadlineMs = 2_000;

/** Listens to Review, Decide and Withdraw. A payload names the request and nothing more: the rest is read from the store. */
export function registerApprovals(app: App, listenerContext: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: reviewActionId }, async ({ ack, action, body, client, context }) => {
    await ack();
    const participant = participantOf(action.value, body.user.id, context.teamId);
    const view = listenerContext.decisions.review(participant).then(
      (review) => reviewView(review, listenerContext.timeZone),
      (error: unknown) => reviewSorryView(listenerContext.logAndExplain(error)),
    );
    await openModalOrAnswer(listenerContext, { client, personId: body.user.id, responseTarget: clickedMessage(body, false) }, {
      triggerId: body.trigger_id,
      view,
      waiting: reviewWaitingView(),
      instead: (error) => notOpenedMessage(listenerContext, error, [reviewAgainButton(participant.id)]),
    });
  });

  app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: withdrawActionId }, async ({ ack, action, body, client, context }) => {
    await ack();
    const view = await endOf(listenerContext, listenerContext.decisions.withdraw(participantOf(action.value, body.user.id, context.teamId)));
    const responseTarget = clickedMessage(body, true);
    if (responseTarget) await listenerContext.answerAt(responseTarget, reviewMessage(view));
    else await showOrSend(listenerContext, { client, personId: body.user.id }, body.view?.id ?? '', view);
  });

  app.view(reviewCallbackId, async ({ ack, body, view, client, context }) => {
    const [verdictBlockId, verdictState] = inputOf(view.state.values, verdictInput);
    const [commentBlockId, commentState] = inputOf(view.state.values, commentInput);
    const verdict = verdictState?.selected_option?.value;
    const comment = (commentState?.value ?? '').trim();
    if (verdict !== 'approved' && verdict !== 'denied') return ack({ response_action: 'errors', errors: { [verdictBlockId]: 'Approve or deny it.' } });
    if (verdict === 'denied' && comment === '') return ack({ response_action: 'errors', errors: { [commentBlockId]: 'Say why you deny it: who asked reads it.' } });
    const participant = participantOf(view.private_metadata, body.user.id, context.teamId);
    await showEnd(endOf(listenerContext, listenerContext.decisions.decide({ ...participant, verdict, comment })), view.id);

    async function showEnd(end: Promise<ReviewModal>, viewId: string): Promise<void> {
      const quick = await Promise.race([end, listenerContext.sleep(deadlineMs)]);
      await ack({ response_action: 'update', view: quick ?? reviewWaitingView() });
      if (!quick) await showOrSend(listenerContext, { client, personId: body.user.id }, viewId, await end);
    }
  });

  app.view(withdrawCallbackId, async ({ ack, body, view, context }) => {
    const participant = participantOf(view.private_metadata, body.user.id, context.teamId);
    await ack({ response_action: 'update', view: await endOf(listenerContext, listenerContext.decisions.withdraw(participant)) });
  });
}

/** Shows a view in an open modal, or sends its content to a person who has closed the modal. */
async function showOrSend(listenerContext: ListenerContext, origin: Origin, viewId: string, view: ReviewModal): Promise<void> {
  const isShown = await updateModal(origin.client, viewId, view);
  if (!isShown) await answerBeside(listenerContext, origin, reviewMessage(view));
}

/** @returns the block ID of an input, and its state */
function inputOf(values: ViewOutput['state']['values'], input: string): [blockId: string, state: ViewStateValue | undefined] {
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

