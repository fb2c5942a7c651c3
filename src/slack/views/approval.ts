import type { ActionsBlock, Button, KnownBlock, SectionBlock } from '@slack/types';
import type { ApprovalRequest, ChangePreview, Decision } from '../../domain/approval-request.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { countOf } from './amounts.ts';
import { operationButton } from './buttons.ts';
import { textMessage, type Message } from './message.ts';
import { moment } from './moments.ts';
import { context, md, mention, mrkdwnElement, notification, plain, section, sentenceMrkdwn, shortText, type Mrkdwn } from './mrkdwn.ts';
import { passwordOfferBlocks } from './password.ts';

/** Turns `suspend-user` into “suspend user”. */
export function operationWords(name: string): string {
  return name.replaceAll('-', ' ');
}

/** The requested change in one line, such as “suspend user: Rosa Almeida”. */
export function requestTitle({ operation, asked }: Pick<ApprovalRequest, 'operation' | 'asked'>): string {
  const names = asked.targets.map(({ name }) => name);
  const what = names.length > 0 ? names : asked.details.slice(0, 1).map(({ value }) => value);
  return shortText(what.length === 0 ? operationWords(operation) : `${operationWords(operation)}: ${new Intl.ListFormat('en').format(what.slice(0, 5))}`, 200);
}

export function effectLine({ effect }: Pick<ChangePreview, 'effect'>): Mrkdwn {
  return effect === '' ? md`What it does is not described.` : sentenceMrkdwn(effect, 900);
}

/** The form's values, each with its label. */
export function detailFields({ details }: Pick<ChangePreview, 'details'>): SectionBlock[] {
  if (details.length === 0) return [];
  return [{ type: 'section', fields: details.slice(0, 10).map(({ label, value }) => mrkdwnElement(md`*${shortText(label, 100)}*\n${shortText(value, 300) || 'none'}`)) }];
}

export function reasonLine({ reason }: Pick<ApprovalRequest, 'reason'>): Mrkdwn {
  return md`*Why:* ${shortText(reason, 2_200)}`;
}

/** The request as reviewers see it: with a Review button while it is open, with its outcome afterwards. */
export function approvalMessage(request: ApprovalRequest, timeZone: string): Message {
  const title = requestTitle(request);
  const asks = md`${mention(request.requesterId)} asks to *${title}*`;
  const isOpen = request.state === 'open' || request.state === 'decided';
  const blocks: KnownBlock[] = [
    section(md`🙋 ${asks}`),
    section(effectLine(request.asked)),
    ...detailFields(request.asked),
    section(reasonLine(request)),
    ...(isOpen ? openBlocks(request, timeZone) : [section(ending(request)), context(whenEnded(request, timeZone))]),
  ];
  return { text: notification(isOpen ? md`🙋 Approval wanted: ${title}` : md`${title}: ${ending(request)}`), blocks };
}

/** Reminds reviewers of a request that is halfway to its expiry. */
export function reminderMessage(request: ApprovalRequest, timeZone: string): Message {
  const line = md`⏰ Still waiting for a decision: *${requestTitle(request)}*, until ${moment(new Date(request.expiresAt), timeZone)}`;
  return { text: notification(line), blocks: [section(line)] };
}

/** The outcome of a request in one line: who decided, and what happened. */
export function ending(request: ApprovalRequest): Mrkdwn {
  const { decision, outcome } = request;
  if (decision === undefined) return md`Not decided.`;
  const comment = decision.comment ? md` “${shortText(decision.comment, 500)}”` : md``;
  const head = endings[decision.verdict](decision);
  if (decision.verdict !== 'approved') return md`${head}${comment}`;
  const icon = outcome?.kind === 'done' ? '✅' : '⚠️';
  return md`${icon} ${head}${comment}\n${sentenceMrkdwn(outcome?.message ?? '', 600)}`;
}

const endings: Record<Decision['verdict'], (decision: Decision) => Mrkdwn> = {
  approved: ({ by }) => md`*Approved* by ${mention(by ?? '')}.`,
  denied: ({ by }) => md`⛔ *Denied* by ${mention(by ?? '')}.`,
  withdrawn: ({ by }) => md`↩️ *Withdrawn* by ${mention(by ?? '')}.`,
  expired: () => md`⌛ *Expired*: nobody decided in time.`,
};

function openBlocks(request: ApprovalRequest, timeZone: string): KnownBlock[] {
  return [
    ...failureBlocks(request),
    context(md`Until ${moment(new Date(request.expiresAt), timeZone)}`),
    reviewButton(request),
  ];
}

/** The last failed run; empty if no run failed. */
export function failureBlocks({ lastFailure }: ApprovalRequest): KnownBlock[] {
  if (lastFailure === undefined) return [];
  return [section(md`⚠️ *Failed*: ${mention(lastFailure.by)} approved it. ${sentenceMrkdwn(lastFailure.message, 600)} It can be reviewed again.`)];
}

export function reviewButton({ id, failures }: ApprovalRequest): ActionsBlock {
  const text = plain(failures > 0 ? 'Review again' : 'Review', 75);
  return { type: 'actions', elements: [{ type: 'button', action_id: reviewActionId, text, style: 'primary', value: id }] };
}

/** Opens the review of a request that did not open. */
export function reviewAgainButton(requestId: string): Button {
  return { type: 'button', action_id: reviewActionId, text: plain('Try again', 75), style: 'primary', value: requestId };
}

function whenEnded({ createdAt, decision }: ApprovalRequest, timeZone: string): Mrkdwn {
  const asked = md`Asked ${moment(new Date(createdAt), timeZone)}`;
  return decision ? md`${asked} · decided ${moment(new Date(decision.at), timeZone)}` : asked;
}

const requestsShown = 10;

/** The list of open requests, each with its Review button. */
export function requestsMessage({ requests }: Extract<OperationResult, { kind: 'requests' }>, timeZone: string): Message {
  if (requests.length === 0) return textMessage('✅', 'Nothing waits for approval by you, and none of your requests is open.');
  const heading = md`*${countOf(requests.length, 'request', 'requests')}* for approval`;
  const left = requests.length - requestsShown;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...requests.slice(0, requestsShown).flatMap((request) => requestBlocks(request, timeZone)),
      ...(left > 0 ? [context(md`…and ${left} more.`)] : []),
    ],
  };
}

/** One entry of a list of requests: who asks for what, why, and until when. */
export function requestBlocks(request: ApprovalRequest, timeZone: string): KnownBlock[] {
  const until = md`until ${moment(new Date(request.expiresAt), timeZone)}`;
  return [section(md`🙋 ${mention(request.requesterId)}: *${requestTitle(request)}* · ${until}\n${reasonLine(request)}`), reviewButton(request)];
}

/** Action IDs of the buttons on requests. A button's value is the request's ID and nothing else. */
export const reviewActionId = 'review-request';
export const withdrawActionId = 'withdraw-request';

export const needsReason = 'Somebody else has to approve this: say why you want it.';

/** Confirms a new request to the requester, with a button to withdraw it. */
export function askedMessage(request: ApprovalRequest, timeZone: string): Message {
  const heading = md`🙋 You asked for approval to *${requestTitle(request)}*`;
  return {
    text: notification(md`You asked for approval to ${requestTitle(request)}`),
    blocks: [
      section(heading),
      section(effectLine(request.asked)),
      section(reasonLine(request)),
      ...(request.reasonsAdded === undefined ? [] : [context(md`You asked for this before: the new reason is added to that request, for the reviewers to see.`)]),
      context(md`You hear of the decision in a direct message, at the latest ${moment(new Date(request.expiresAt), timeZone)}.`),
      withdrawButton(request),
    ],
  };
}

/** Asks for the reason of a change that needs approval. */
export function unexplainedMessage(operation: Operation, raw: TextInput): Message {
  const elements = operationButton('reason', { text: 'Say why', doing: 'form', operation, raw, style: 'primary' });
  const byButton = elements.length > 0 ? md`Press the button, or type` : md`Type`;
  const message = md`🙋 ${needsReason} ${byButton} it again with \`--reason "…"\` at its end.`;
  return { text: notification(message), blocks: [section(message), ...(elements.length > 0 ? [{ type: 'actions', elements } as const] : [])] };
}

function withdrawButton({ id }: ApprovalRequest): ActionsBlock {
  return { type: 'actions', elements: [{ type: 'button', action_id: withdrawActionId, text: plain('Withdraw', 75), value: id }] };
}

/** Tells the requester that the request is closed, or that its run failed. */
export function newsMessage(request: ApprovalRequest): Message {
  const title = requestTitle(request);
  if (request.state === 'open') {
    const line = md`⚠️ *${title}* was approved, but it failed.`;
    return { text: notification(line), blocks: [section(line), ...failureBlocks(request)] };
  }
  const line = md`What you asked for, *${title}*:\n${ending(request)}`;
  return {
    text: notification(line),
    blocks: [
      section(line),
      ...(request.decision?.verdict === 'expired' ? [context(md`You can ask again.`)] : []),
      ...ownPasswordOffer(request),
    ],
  };
}

/** Tells the requester about a problem with posting the request. */
export function troubleMessage(request: ApprovalRequest, trouble: string): Message {
  const line = md`⚠️ *${requestTitle(request)}*: ${shortText(trouble, 600)} Your request is kept.`;
  return { text: notification(line), blocks: [section(line)] };
}

function ownPasswordOffer({ requesterId, outcome }: ApprovalRequest): KnownBlock[] {
  const offer = outcome?.passwordOffer;
  return offer?.personId === requesterId ? passwordOfferBlocks(offer) : [];
}
