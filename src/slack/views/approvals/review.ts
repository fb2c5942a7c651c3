import type { KnownBlock, ModalView } from '@slack/types';
import type { ApprovalRequest } from '../../../domain/approval-request.ts';
import { asSaid, say } from '../../../domain/said.ts';
import { denialParts, ownRequest, reviewParts } from '../../../features/administration/pages/requests.ts';
import type { Decided, Review } from '../../../governance/approvals/decide.ts';
import { inputActionId } from '../../form/inputs.ts';
import { buttonRow } from '../blocks/buttons.ts';
import { textMessage, type Message, plain, section } from '../blocks/message.ts';
import { blockIdFor, drawParts } from '../blocks/page.ts';
import { denyButton, endMessage, ownRequestMessage, planButton } from './approval.ts';

/** Callback IDs of the modals. Their private metadata holds the request's ID; everything else is read from the store. */
export const approveCallbackId = 'approve-request';
export const denyCallbackId = 'deny-request';
export const withdrawCallbackId = 'withdraw-request';

/** What the block ID of the comment, or of the reason of a denial, begins with. */
export const commentInput = 'comment';
/** Likewise of the checkbox for what has changed. */
const seenInput = 'seen';

export type ReviewModal = Omit<ModalView, 'blocks'> & { blocks: KnownBlock[] };

/** What a press of Approve or Deny leads to. A person who may not decide reads why in `message` where the button is in a message. */
export interface Pressed {
  view: ReviewModal;
  message?: Message;
}

export function pressed(review: Review, verdict: 'approved' | 'denied', timeZone: string): Pressed {
  switch (review.kind) {
    case 'refused':
      return told(textMessage('🚫', review.message));
    case 'over':
      return told(endMessage(review.request));
    case 'own':
      return {
        view: {
          ...modal(textMessage('🚫', ownRequest(verdict)).blocks),
          callback_id: withdrawCallbackId,
          private_metadata: review.request.id,
          submit: plain(say`Withdraw`),
        },
        message: ownRequestMessage(review.request, verdict),
      };
    case 'gone':
      return { view: denyView(review.request, timeZone, verdict === 'approved' ? review.message : undefined) };
    case 'review':
      return { view: verdict === 'approved' ? approveView(review, timeZone) : denyView(review.request, timeZone) };
  }
}

function told(message: Message): Pressed {
  return { view: modal(message.blocks), message };
}

/** The modal after a decision. */
export function decidedView(decided: Decided, timeZone: string): ReviewModal {
  switch (decided.kind) {
    case 'refused':
      return modal(textMessage('🚫', decided.message).blocks);
    case 'over':
      return modal([section(say`This request was decided already.`), ...endMessage(decided.request).blocks]);
    case 'changed': {
      const { review } = decided;
      return review.kind === 'review'
        ? approveView(review, timeZone, true)
        : pressed(review, 'approved', timeZone).view;
    }
    case 'decided': {
      const { request } = decided;
      if (request.state === 'decided')
        return modal([
          section(say`Your decision is stored and being carried out. The request’s message will show the result.`),
        ]);
      return modal(endMessage(request).blocks);
    }
  }
}

/** Shown while the bot waits for the quiz service. */
export function reviewWaitingView(): ReviewModal {
  return modal(textMessage('⏳', say`Checking with the quiz service…`).blocks);
}

export function reviewSorryView(message: string): ReviewModal {
  return modal(textMessage('⚠️', message).blocks);
}

/** What a modal says, for a person who has closed it. */
export function reviewMessage({ blocks }: ReviewModal): Message {
  return { text: say`Approval request`, blocks: blocks.filter(({ type }) => type !== 'input') };
}

/**
 * What would happen now, with an Approve button.
 *
 * The block IDs differ with what is shown: Slack keeps no comment on something that looked different.
 *
 * @param isShownAgain the request changed while the reviewer looked at it. A quick second press must not approve what they
 * have not read, so the button needs the checkbox.
 */
function approveView(review: Extract<Review, { kind: 'review' }>, timeZone: string, isShownAgain = false): ReviewModal {
  const { request } = review;
  const { above, below } = reviewParts(review, timeZone, isShownAgain);
  const blocks = [
    ...drawParts(above),
    ...buttonRow([...planButton(request), denyButton(request)]),
    ...drawParts(below),
  ];
  return {
    ...modal(
      [
        ...blocks,
        ...(isShownAgain ? [seenBlock(blocks)] : []),
        {
          type: 'input',
          block_id: blockIdFor(commentInput, blocks),
          label: plain(say`Comment`),
          hint: plain(say`The requester will see it.`),
          optional: true,
          element: { type: 'plain_text_input', action_id: inputActionId, multiline: true, max_length: 1_000 },
        },
      ],
      say`Approve request`,
    ),
    callback_id: approveCallbackId,
    private_metadata: request.id,
    submit: plain(say`Approve`),
  };
}

function seenBlock(blocks: readonly KnownBlock[]): KnownBlock {
  return {
    type: 'input',
    block_id: blockIdFor(seenInput, blocks),
    label: plain(say`Before you approve`),
    element: {
      type: 'checkboxes',
      action_id: inputActionId,
      options: [{ text: plain(say`I’ve read how it is now`), value: 'seen' }],
    },
  };
}

/** Asks for the reason. `blocked`: why the request can only be denied. */
function denyView(request: ApprovalRequest, timeZone: string, blocked?: string): ReviewModal {
  const blocks = drawParts(denialParts(request, timeZone, blocked));
  return {
    ...modal(
      [
        ...blocks,
        {
          type: 'input',
          block_id: blockIdFor(commentInput, blocks),
          label: plain(say`Reason`),
          hint: plain(asSaid(denialNeedsReason)),
          element: { type: 'plain_text_input', action_id: inputActionId, multiline: true, max_length: 1_000 },
        },
      ],
      say`Deny request`,
    ),
    callback_id: denyCallbackId,
    private_metadata: request.id,
    submit: plain(say`Deny`),
  };
}

export const denialNeedsReason = say`Required to deny. The requester will see it.`;

function modal(blocks: KnownBlock[], title = say`Approval request`): ReviewModal {
  return { type: 'modal', title: plain(asSaid(title)), close: plain(say`Close`), blocks };
}
