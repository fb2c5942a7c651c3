import { shortName } from '../../../domain/short-name.ts';
import { moment } from '../../../time/date-words.ts';
import type { ActionsBlock, Button, KnownBlock, SectionBlock } from '@slack/types';
import { addedReason, type ApprovalRequest, type ChangePreview } from '../../../domain/approval-request.ts';
import { maskAddresses } from '../../../domain/mask-addresses.ts';
import { partsOfSentence, plainSentence } from '../../../domain/sentence.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { countOf, inEnglish, listed, say, joinSaid, asSaid, channelMention, mention } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import { viewOf } from '../../../operations/plans/preview.ts';
import { textMessage, type Message } from '../blocks/message.ts';
import { context, mrkdwnElement, section, plain } from '../blocks/mrkdwn.ts';
import { passwordOfferBlocks } from '../users/password.ts';
import {
  requestedAction,
  requestStage,
  wordsOfRequest,
  type StageWords,
} from '../../../features/administration/pages/request-words.ts';

/** Action IDs of the buttons on requests. A button's value is the request's ID and nothing else. */
export const approveActionId = 'approve-request';
export const denyActionId = 'deny-request';
export const withdrawActionId = 'withdraw-request';
/** Opens the request to be approved. */
export const reviewActionId = 'review-request';

export const needsReason = say`This needs approval. Why do you want it?`;

/** What would happen. */
export function effectLine({ effect }: Pick<ChangePreview, 'effect'>): string {
  return effect.trim() || say`There’s no description of what would happen.`;
}

/** The form's values, each with its label, without the names that the requested action has already. */
export function detailFields(request: Pick<ApprovalRequest, 'operation' | 'asked'>): SectionBlock[] {
  const action = requestedAction(request);
  const names = new Set([
    inEnglish(action),
    ...partsOfSentence(action).flatMap(({ text, isName }) => (isName ? [text] : [])),
  ]);
  const details = request.asked.details.filter(({ value }) => !names.has(inEnglish(value)));
  if (details.length === 0) return [];
  return [
    {
      type: 'section',
      fields: details
        .slice(0, 10)
        .map(({ label, value }) =>
          mrkdwnElement(say`*${asSaid(shortName(label, 100))}*\n${shortName(value, 300) || say`none`}`),
        ),
    },
  ];
}

export function reasonLine({ reason }: Pick<ApprovalRequest, 'reason'>): string {
  const [first = '', ...added] = reason.split(addedReason);
  return say`*Why:* ${shortName([first, ...added.map((each) => say`Added: ${each}`)].join(' · '), 2_200)}`;
}

/** The request as reviewers see it: with its two buttons while it is open, with its outcome afterwards. */
export function approvalMessage(request: ApprovalRequest, timeZone: string): Message {
  const asks = say`${mention(request.requesterId)} asks to ${requestedAction(request)}`;
  const blocks: KnownBlock[] = [
    section(say`🙋 ${asks}`),
    section(effectLine(request.asked)),
    ...detailFields(request),
    section(reasonLine(request)),
    ...(isOpen(request)
      ? [
          ...failureBlocks(request),
          context(say`Expires ${moment(request.expiresAt, timeZone)}`),
          decisionButtons(request),
        ]
      : [section(stageLine(wordsOfRequest(request))), context(whenEnded(request, timeZone))]),
  ];
  return {
    text: isOpen(request) ? say`🙋 ${asks}` : stageLine(wordsOfRequest(request)),
    blocks,
  };
}

function isOpen({ state }: ApprovalRequest): boolean {
  return state === 'open' || state === 'decided';
}

function stageLine({ icon, line, more }: StageWords): string {
  return more === undefined || more === '' ? say`${icon} ${line}` : say`${icon} ${line}\n${more}`;
}

/** Where the request is, in the words for its reviewers. */
export function endMessage(request: ApprovalRequest): Message {
  const line = stageLine(wordsOfRequest(request));
  return { text: line, blocks: [section(line)] };
}

/** The last failed run; empty if no run failed. */
export function failureBlocks(request: ApprovalRequest): KnownBlock[] {
  return requestStage(request) === 'failed' ? [section(stageLine(wordsOfRequest(request)))] : [];
}

/** Reminds reviewers of a request that is halfway to its expiry. */
export function reminderMessage(request: ApprovalRequest, timeZone: string): Message {
  const line = say`⏰ Still waiting for a decision: ${mention(request.requesterId)} asks to ${requestedAction(request)}. It expires ${moment(request.expiresAt, timeZone)}.`;
  return { text: line, blocks: [section(line)] };
}

function decisionButtons(request: ApprovalRequest): ActionsBlock {
  return {
    type: 'actions',
    elements: [
      decisionButton(request, 'approved', { style: 'primary' }),
      decisionButton(request, 'denied', { style: 'danger' }),
      ...planButton(request),
    ],
  };
}

/** Opens the list of everyone that a request is about, where it is about a plan. */
export function planButton({ operation, input: { plan } }: Pick<ApprovalRequest, 'operation' | 'input'>): Button[] {
  const opened = viewOf(operation);
  return opened === undefined || plan === undefined
    ? []
    : operationButton('plan', { text: say`View all`, doing: 'modal', operation: opened, raw: { plan } });
}

/** The button that denies a request, where approving it has another place or is out of the question. */
export function denyButton(request: ApprovalRequest): Button {
  return decisionButton(request, 'denied', {});
}

function decisionButton(
  request: ApprovalRequest,
  verdict: 'approved' | 'denied',
  style: Pick<Button, 'style'>,
): Button {
  const action = plainSentence(requestedAction(request));
  return {
    type: 'button',
    action_id: verdict === 'approved' ? approveActionId : denyActionId,
    text: plain(asSaid(verdict === 'approved' ? say`Approve` : say`Deny`)),
    accessibility_label: plain(asSaid(verdict === 'approved' ? say`Approve: ${action}` : say`Deny: ${action}`)).text,
    value: request.id,
    ...style,
  };
}

/** The button that opens a request in one line. */
export function reviewButton(request: ApprovalRequest): Button {
  return {
    type: 'button',
    action_id: reviewActionId,
    text: plain(say`Review`),
    accessibility_label: plain(say`Review: ${plainSentence(requestedAction(request))}`).text,
    value: request.id,
  };
}

/** Presses the button again whose modal did not open. */
export function pressAgainButton(actionId: typeof approveActionId | typeof denyActionId, requestId: string): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plain(say`Try again`),
    style: 'primary',
    value: requestId,
  };
}

const ended = {
  approved: (at: string) => say`decided ${at}`,
  denied: (at: string) => say`decided ${at}`,
  withdrawn: (at: string) => say`withdrawn ${at}`,
  expired: (at: string) => say`expired ${at}`,
} as const;

function whenEnded({ createdAt, decision }: ApprovalRequest, timeZone: string): string {
  const requested = say`Requested ${moment(createdAt, timeZone)}`;
  return decision ? say`${requested} · ${ended[decision.verdict](moment(decision.at, timeZone))}` : requested;
}

const requestsShown = 10;

/** The list of open requests, each with its buttons. */
export function requestsMessage(
  { requests }: Extract<OperationResult, { kind: 'requests' }>,
  timeZone: string,
): Message {
  if (requests.length === 0)
    return textMessage('✅', say`Nothing is waiting for your approval, and you have no open requests.`);
  const heading = say`*${countOf(requests.length, 'open request', 'open requests')}*`;
  const left = requests.length - requestsShown;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...requests.slice(0, requestsShown).flatMap((request) => requestBlocks(request, timeZone)),
      ...(left > 0 ? [context(say`…and ${left} more.`)] : []),
    ],
  };
}

/** One entry of a list of requests: who asks for what, why, and until when. */
export function requestBlocks(request: ApprovalRequest, timeZone: string): KnownBlock[] {
  const asks = say`${mention(request.requesterId)} asks to ${requestedAction(request)}`;
  return [
    section(say`🙋 ${asks} · expires ${moment(request.expiresAt, timeZone)}\n${reasonLine(request)}`),
    decisionButtons(request),
  ];
}

/** Confirms a new request to the requester, with a button to withdraw it. */
export function askedMessage(request: ApprovalRequest, timeZone: string): Message {
  const { icon, line } = wordsOfRequest(request);
  return {
    text: say`${icon} ${line}`,
    blocks: [
      section(say`${icon} ${line}. ${effectLine(request.asked)}`),
      ...(request.reasonsAdded === undefined
        ? []
        : [section(say`You requested this before, so your reason was added to that request.\n${reasonLine(request)}`)]),
      context(say`I’ll message you the decision by ${moment(request.expiresAt, timeZone)}.`),
      withdrawButton(request),
    ],
  };
}

/** Asks for the reason of a change that needs approval. */
export function unexplainedMessage(operation: Operation, raw: TextInput): Message {
  const elements = operationButton('reason', {
    text: say`Give a reason`,
    doing: 'form',
    operation,
    raw,
    style: 'primary',
  });
  const how =
    elements.length > 0
      ? say`Press the button, or add \`--reason "…"\` at the end of the command.`
      : say`Add \`--reason "…"\` at the end of the command.`;
  const message = say`🙋 ${needsReason} ${how}`;
  return {
    text: message,
    blocks: [section(message), ...(elements.length > 0 ? [{ type: 'actions', elements } as const] : [])],
  };
}

function withdrawButton({ id }: Pick<ApprovalRequest, 'id'>): ActionsBlock {
  return {
    type: 'actions',
    elements: [{ type: 'button', action_id: withdrawActionId, text: plain(say`Withdraw`), value: id }],
  };
}

/** Tells a requester that they can’t decide on their own request. */
export function ownRequestMessage(request: ApprovalRequest, verdict: 'approved' | 'denied'): Message {
  const message = textMessage('🚫', ownRequest(verdict));
  return { ...message, blocks: [...message.blocks, withdrawButton(request)] };
}

export function ownRequest(verdict: 'approved' | 'denied'): string {
  return verdict === 'approved'
    ? say`You can’t approve your own request. Someone else has to decide, or you can withdraw it.`
    : say`You can’t deny your own request. Someone else has to decide, or you can withdraw it.`;
}

/** Who can decide on an open request: people, or the members of a channel who are entitled to. */
export type Deciders = { kind: 'channel'; channelId: string } | { kind: 'people'; personIds: readonly string[] };

/** The one message that its requester has of a request, as it is now. */
export function requesterMessage(asked: ApprovalRequest, deciders: Deciders, timeZone: string): Message {
  const request = asked.isOfStep ? maskAddresses(asked) : asked;
  const isExpired = request.decision?.verdict === 'expired';
  const words = { ...wordsOfRequest(request), ...(isExpired && { more: say`You can request it again.` }) };
  const text = say`${words.icon} ${words.line}`;
  if (!isOpen(request)) {
    return {
      text,
      blocks: [
        section(stageLine(words)),
        ...(request.decision?.verdict === 'approved' ? [] : [section(reasonLine(request))]),
        ...ownPasswordOffer(request),
      ],
    };
  }
  const trouble = request.posts.trouble;
  return {
    text,
    blocks: [
      section(stageLine(words)),
      section(effectLine(request.asked)),
      ...detailFields(request),
      section(reasonLine(request)),
      ...(trouble === undefined ? [] : textMessage('⚠️', trouble).blocks),
      context(waitingLine(request, deciders, timeZone)),
      withdrawButton(request),
    ],
  };
}

function waitingLine({ expiresAt, isReminded }: ApprovalRequest, deciders: Deciders, timeZone: string): string {
  const until = moment(expiresAt, timeZone);
  const reminded = isReminded ? [say`They’ve been reminded.`] : [];
  if (deciders.kind === 'channel')
    return joinSaid(
      [say`An administrator can decide in ${channelMention(deciders.channelId)} until ${until}.`, ...reminded],
      ' ',
    );
  const people = deciders.personIds.slice(0, 5).map((personId) => mention(personId));
  if (people.length === 0) return say`Your request is kept until ${until}.`;
  const anyOfThem = listed(people, 'disjunction');
  return joinSaid([say`${anyOfThem} can decide until ${until}.`, ...reminded], ' ');
}

/** Notifies the requester, who has the request's message already: Slack does not notify anyone of an update. */
export function decisionReply(request: ApprovalRequest): Message {
  const { icon, line } = wordsOfRequest(request);
  const reply = say`${icon} ${mention(request.requesterId)}: ${line}`;
  return { text: reply, blocks: [section(reply)] };
}

function ownPasswordOffer({ requesterId, outcome }: ApprovalRequest): KnownBlock[] {
  const offer = outcome?.passwordOffer;
  return offer?.personId === requesterId ? passwordOfferBlocks(offer) : [];
}
