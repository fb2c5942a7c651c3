import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Decided, Participant } from '../../governance/approvals/decide.ts';
import { openModal } from '../open-modal.ts';
import { reviewActionId, withdrawActionId } from '../views/approval.ts';
import { inputActionId } from '../views/inputs.ts';
import { commentBlockId, decidedView, reviewCallbackId, reviewSorryView, reviewView, reviewWaitingView, verdictBlockId, withdrawCallbackId } from '../views/review.ts';
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
    await openModal({ client, triggerId: body.trigger_id, view, waiting: reviewWaitingView(), sleep: listenerContext.sleep });
  });

  app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: withdrawActionId }, async ({ ack, action, body, client, respond, context }) => {
    await ack();
    const view = await endOf(listenerContext, listenerContext.decisions.withdraw(participantOf(action.value, body.user.id, context.teamId)));
    if (body.view) await client.views.update({ view_id: body.view.id, view });
    else await respond({ text: 'Your request', blocks: view.blocks, replace_original: true });
  });

  app.view(reviewCallbackId, async ({ ack, body, view, client, context }) => {
    const verdict = view.state.values[verdictBlockId]?.[inputActionId]?.selected_option?.value;
    const comment = (view.state.values[commentBlockId]?.[inputActionId]?.value ?? '').trim();
    if (verdict !== 'approved' && verdict !== 'denied') return ack({ response_action: 'errors', errors: { [verdictBlockId]: 'Approve or deny it.' } });
    if (verdict === 'denied' && comment === '') return ack({ response_action: 'errors', errors: { [commentBlockId]: 'Say why you deny it: who asked reads it.' } });
    const participant = participantOf(view.private_metadata, body.user.id, context.teamId);
    await showEnd(endOf(listenerContext, listenerContext.decisions.decide({ ...participant, verdict, comment })), view.id);

    async function showEnd(end: Promise<ModalView>, viewId: string): Promise<void> {
      const quick = await Promise.race([end, listenerContext.sleep(deadlineMs)]);
      await ack({ response_action: 'update', view: quick ?? reviewWaitingView() });
      if (!quick) await client.views.update({ view_id: viewId, view: await end });
    }
  });

  app.view(withdrawCallbackId, async ({ ack, body, view, context }) => {
    const participant = participantOf(view.private_metadata, body.user.id, context.teamId);
    await ack({ response_action: 'update', view: await endOf(listenerContext, listenerContext.decisions.withdraw(participant)) });
  });
}

function participantOf(id: string | undefined, personId: string, teamId: string | undefined): Participant {
  return { id: id ?? '', personId, teamId: teamId ?? '' };
}

async function endOf(listenerContext: ListenerContext, decided: Promise<Decided>): Promise<ModalView> {
  return decided.then(
    (end) => decidedView(end, listenerContext.timeZone),
    (error: unknown) => reviewSorryView(listenerContext.logAndExplain(error)),
  );
}

