import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { ApprovalRequest, Decision } from '../../domain/approval-request.ts';
import { detailFields, effectLine, reasonLine, requestTitle } from './approval-words.ts';
import { reviewActionId } from './approval-asked.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, md, mention, notification, plain, section, shortText, type Mrkdwn } from './mrkdwn.ts';

/** A request as reviewers see it: with a button while it is open, as a record afterwards. */
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

/** Halfway to its end, a request nobody has decided on is brought to mind. */
export function reminderMessage(request: ApprovalRequest, timeZone: string): Message {
  const line = md`⏰ Still waiting for a decision: *${requestTitle(request)}*, until ${moment(new Date(request.expiresAt), timeZone)}`;
  return { text: notification(line), blocks: [section(line)] };
}

/** What became of a request, in a line: who decided, and what came of it. */
export function ending(request: ApprovalRequest): Mrkdwn {
  const { decision, outcome } = request;
  if (decision === undefined) return md`Not decided.`;
  const comment = decision.comment ? md` “${shortText(decision.comment, 500)}”` : md``;
  const head = endings[decision.verdict](decision);
  if (decision.verdict !== 'approved') return md`${head}${comment}`;
  const icon = outcome?.kind === 'done' ? '✅' : '⚠️';
  return md`${icon} ${head}${comment}\n${shortText(outcome?.message ?? '', 600)}`;
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

/** A run that failed, and that nothing was done. */
export function failureBlocks({ lastFailure }: ApprovalRequest): KnownBlock[] {
  if (lastFailure === undefined) return [];
  return [section(md`⚠️ *Failed*, and not done: ${mention(lastFailure.by)} approved it. ${shortText(lastFailure.message, 600)} It can be reviewed again.`)];
}

export function reviewButton({ id, failures }: ApprovalRequest): ActionsBlock {
  const text = plain(failures > 0 ? 'Review again' : 'Review', 75);
  return { type: 'actions', elements: [{ type: 'button', action_id: reviewActionId, text, style: 'primary', value: id }] };
}

function whenEnded({ createdAt, decision }: ApprovalRequest, timeZone: string): Mrkdwn {
  const asked = md`Asked ${moment(new Date(createdAt), timeZone)}`;
  return decision ? md`${asked} · decided ${moment(new Date(decision.at), timeZone)}` : asked;
}
