import type { NewPassword } from '../../operations/operation-result.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { ending, failureBlocks } from './approval.ts';
import { requestTitle } from './approval-words.ts';
import { passwordBlocks } from './done.ts';
import type { Message } from './message.ts';
import { context, md, notification, section, shortText } from './mrkdwn.ts';

/** What the requester hears of their request when it is over, or when its run failed. */
export function newsMessage(request: ApprovalRequest): Message {
  const title = requestTitle(request);
  if (request.state === 'open') {
    const line = md`⚠️ *${title}* was approved, but it failed.`;
    return { text: notification(line), blocks: [section(line), ...failureBlocks(request)] };
  }
  const line = md`What you asked for, *${title}*:\n${ending(request)}`;
  return {
    text: notification(line),
    blocks: [section(line), ...(request.decision?.verdict === 'expired' ? [context(md`You can ask again.`)] : [])],
  };
}

/** What the requester should know of how their request was made known. */
export function troubleMessage(request: ApprovalRequest, trouble: string): Message {
  const line = md`⚠️ *${requestTitle(request)}*: ${shortText(trouble, 600)} Your request is kept.`;
  return { text: notification(line), blocks: [section(line)] };
}

/** The password of a user that was made with approval. */
export function passwordMessage(password: NewPassword): Message {
  const line = md`🔑 The user you asked for is there.`;
  return { text: notification(line), blocks: [section(line), ...passwordBlocks(password)] };
}
