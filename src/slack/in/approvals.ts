import type { Decided, Participant } from '../../governance/approvals/decide.ts';
import { inputActionId } from '../form/inputs.ts';
import { approveActionId, denyActionId, pressAgainButton } from '../views/approvals/approval.ts';
import {
  commentInput,
  decidedView,
  denialNeedsReason,
  denyCallbackId,
  pressed,
  reviewMessage,
  reviewSorryView,
  reviewWaitingView,
  type Pressed,
  type ReviewModal,
} from '../views/approvals/review.ts';
import type { Delivery } from './delivery.ts';
import { openWithinMs, type Parts, type Reply } from './reply.ts';

/** Slack waits 3 seconds for the answer to a submission; a later result replaces the waiting view. */
const deadlineMs = 2_000;

/** Opens the modal for a decision, or says beside the button why the person may not decide. */
export async function openReview(parts: Parts, { name, pressed: button, view }: Delivery, reply: Reply): Promise<void> {
  const verdict = name === denyActionId ? 'denied' : 'approved';
  const participant = participantOf(button?.value ?? '', reply);
  const answer = parts.decisions.review(participant).then(
    (review) => pressed(review, verdict, parts.timeZone),
    (error: unknown): Pressed => ({ view: reviewSorryView(parts.logAndExplain(error)) }),
  );
  const quick = await Promise.race([answer, parts.sleep(openWithinMs)]);
  if (quick?.message && view === undefined) return reply.show(quick.message);
  await reply.open({
    view: quick ? Promise.resolve(quick.view) : answer.then((late) => late.view),
    waiting: reviewWaitingView(),
    ...(quick === undefined && { withinMs: 0 }),
    instead: (error) =>
      reply.notOpened(error, [
        pressAgainButton(verdict === 'approved' ? approveActionId : denyActionId, participant.id),
      ]),
  });
}

export async function withdraw(
  parts: Parts,
  { pressed: button, view, message }: Delivery,
  reply: Reply,
): Promise<void> {
  const withdrawn = parts.decisions.withdraw(participantOf(button?.value ?? '', reply));
  const end = await endOf(parts, withdrawn);
  if (view !== undefined) return reply.update(view.id, end, { closed: reviewMessage(end) });
  if (message.isPublic !== true) return reply.show(reviewMessage(end), 'replace');
  // The message in direct messages shows the request as it is, and was updated already.
  const isShown = await withdrawn.then(
    ({ kind }) => kind === 'decided',
    () => false,
  );
  if (!isShown) await reply.show(reviewMessage(end));
}

/** Takes a decision. A payload names the request and nothing more: the rest is read from the store. */
export async function decide(
  parts: Parts,
  { name, view }: Delivery,
  reply: Reply,
  ack: (answer: object) => Promise<void>,
): Promise<void> {
  const { id = '', memory = '', values = {} } = view ?? {};
  const verdict = name === denyCallbackId ? 'denied' : 'approved';
  const [commentBlockId, inputs] = Object.entries(values).find(([block]) => block.startsWith(commentInput)) ?? [
    commentInput,
  ];
  const comment = (inputs?.[inputActionId]?.value ?? '').trim();
  if (verdict === 'denied' && comment === '')
    return ack({ response_action: 'errors', errors: { [commentBlockId]: denialNeedsReason } });
  const end = endOf(parts, parts.decisions.decide({ ...participantOf(memory, reply), verdict, comment }));
  const quick = await Promise.race([end, parts.sleep(deadlineMs)]);
  await ack({ response_action: 'update', view: quick ?? reviewWaitingView() });
  if (quick) return;
  const late = await end;
  await reply.update(id, late, { closed: reviewMessage(late) });
}

export async function confirmWithdrawal(
  parts: Parts,
  { view }: Delivery,
  reply: Reply,
  ack: (answer: object) => Promise<void>,
): Promise<void> {
  const end = await endOf(parts, parts.decisions.withdraw(participantOf(view?.memory ?? '', reply)));
  await ack({ response_action: 'update', view: end });
}

function participantOf(id: string, { personId, teamId }: Reply): Participant {
  return { id, personId, teamId };
}

async function endOf(parts: Parts, decided: Promise<Decided>): Promise<ReviewModal> {
  return decided.then(
    (end) => decidedView(end, parts.timeZone),
    (error: unknown) => reviewSorryView(parts.logAndExplain(error)),
  );
}
