import type { KnownBlock } from '@slack/types';
import type { OperationResult } from '../../operations/operation-result.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { reviewButton } from './approval.ts';
import { reasonLine, requestTitle } from './approval-words.ts';
import { countOf } from './listing.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, md, mention, section } from './mrkdwn.ts';
import { textMessage } from './text-message.ts';

const requestsShown = 10;

/** What waits for approval, each with its Review button. */
export function requestsMessage({ requests }: Extract<OperationResult, { kind: 'requests' }>, timeZone: string): Message {
  if (requests.length === 0) return textMessage('✅', 'Nothing waits for approval.');
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

/** One of several requests: who wants what, why and until when. */
export function requestBlocks(request: ApprovalRequest, timeZone: string): KnownBlock[] {
  const until = md`until ${moment(new Date(request.expiresAt), timeZone)}`;
  return [section(md`🙋 ${mention(request.requesterId)}: *${requestTitle(request)}* · ${until}\n${reasonLine(request)}`), reviewButton(request)];
}
