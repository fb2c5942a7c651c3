import type { KnownBlock, ModalView } from '@slack/types';
import type { Decided, Review } from '../../governance/approvals/decide.ts';
import type { ApprovalRequest, ChangePreview } from '../../domain/approval-request.ts';
import { detailFields, effectLine, ending, failureBlocks, reasonLine, requestTitle } from './approval.ts';
import { blockIdFor } from './block-id.ts';
import { inputActionId } from './inputs.ts';
import { moment } from './moments.ts';
import { context, md, mention, plain, section, sections, sentenceMrkdwn, shortText } from './mrkdwn.ts';
import { textMessage, type Message } from './message.ts';

/** Callback IDs of the modals. Their private metadata holds the request's ID; everything else is read from the store. */
export const reviewCallbackId = 'review-request';
export const withdrawCallbackId = 'withdraw-request';

/** The inputs, by what their block IDs begin with. */
export const verdictInput = 'verdict';
export const commentInput = 'comment';

export type ReviewModal = Omit<ModalView, 'blocks'> & { blocks: KnownBlock[] };

const approveOption = { text: plain('Approve', 75), value: 'approved' };
const denyOption = { text: plain('Deny', 75), value: 'denied' };

/** The modal behind **Review**. `notice` says why the modal is shown again. */
export function reviewView(review: Review, timeZone: string, notice?: string): ReviewModal {
  switch (review.kind) {
    case 'refused':
      return told(textMessage('🚫', review.message).blocks);
    case 'over':
      return told([section(md`*${requestTitle(review.request)}*`), section(ending(review.request))]);
    case 'own':
      return {
        ...told([...askedBlocks(review.request, review.request.asked, timeZone), context(md`This is your own request: somebody else has to decide on it.`)]),
        callback_id: withdrawCallbackId,
        private_metadata: review.request.id,
        submit: plain('Withdraw', 24),
      };
    case 'gone':
      return decisionView(review.request, [
        ...askedBlocks(review.request, review.request.asked, timeZone),
        section(md`⚠️ ${sentenceMrkdwn(review.message, 600)} It can only be denied.`),
      ], false);
    case 'review':
      return decisionView(review.request, [
        ...(notice === undefined ? [] : textMessage('⚠️', notice).blocks),
        ...askedBlocks(review.request, review.preview, timeZone),
        ...(review.changes.length > 0 ? [section(md`✏️ *Changed since it was asked for:*`), ...sections(review.changes.slice(0, 10).map((change) => md`• ${shortText(change, 300)}`))] : []),
        ...failureBlocks(review.request),
      ], true);
  }
}

/** The modal after a decision. */
export function decidedView(decided: Decided, timeZone: string): ReviewModal {
  switch (decided.kind) {
    case 'refused':
      return told(textMessage('🚫', decided.message).blocks);
    case 'over':
      return told([section(md`This was decided already.`), section(ending(decided.request))]);
    case 'changed':
      return reviewView(decided.review, timeZone, 'This has changed while you looked at it, so nothing was decided. This is how it is now:');
    case 'decided': {
      const { request } = decided;
      if (request.state === 'open') return told([section(md`*${requestTitle(request)}*`), ...failureBlocks(request)]);
      if (request.state === 'decided') return told([section(md`It is decided and being carried out. The request’s message shows what came of it.`)]);
      return told([section(md`*${requestTitle(request)}*`), section(ending(request))]);
    }
  }
}

/** Shown while the bot waits for the quiz service. */
export function reviewWaitingView(): ReviewModal {
  return told(textMessage('⏳', 'Asking the quiz service…').blocks);
}

export function reviewSorryView(message: string): ReviewModal {
  return told(textMessage('⚠️', message).blocks);
}

function askedBlocks(request: ApprovalRequest, preview: ChangePreview, timeZone: string): KnownBlock[] {
  return [
    section(md`${mention(request.requesterId)} asks to *${requestTitle({ operation: request.operation, asked: preview })}*`),
    section(effectLine(preview)),
    ...detailFields(preview),
    ...targetFacts(preview),
    section(reasonLine(request)),
    context(md`Asked ${moment(new Date(request.createdAt), timeZone)}, until ${moment(new Date(request.expiresAt), timeZone)}`),
  ];
}

/** What a review modal says, for a person who has closed it. */
export function reviewMessage({ blocks }: ReviewModal): Message {
  return { text: 'Request for approval', blocks: blocks.filter(({ type }) => type !== 'input') };
}

/** The current state of the target, if there is exactly one. */
function targetFacts({ targets }: ChangePreview): KnownBlock[] {
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0) return [];
  const facts = Object.entries(target.facts).map(([label, fact]) => md`${label}: ${shortText(fact, 150) || 'none'}`);
  return [section(md`*As it is now*`), ...sections(facts)];
}

/** The block IDs differ with what is shown: a verdict on a change that looked different must be given again. */
function decisionView(request: ApprovalRequest, blocks: KnownBlock[], canApprove: boolean): ReviewModal {
  return {
    ...told([
      ...blocks,
      {
        type: 'input',
        block_id: blockIdFor(verdictInput, blocks),
        label: plain('Decision', 2_000),
        element: { type: 'radio_buttons', action_id: inputActionId, options: canApprove ? [approveOption, denyOption] : [denyOption] },
      },
      {
        type: 'input',
        block_id: blockIdFor(commentInput, blocks),
        label: plain('Comment', 2_000),
        hint: plain('Needed to deny. Who asked reads it.', 2_000),
        optional: true,
        element: { type: 'plain_text_input', action_id: inputActionId, multiline: true, max_length: 1_000 },
      },
    ]),
    callback_id: reviewCallbackId,
    private_metadata: request.id,
    submit: plain('Decide', 24),
  };
}

function told(blocks: KnownBlock[]): ReviewModal {
  return { type: 'modal', title: plain('Request for approval', 24), close: plain('Close', 24), blocks };
}

