import { operationNamed } from '../../../src/operations/catalog.ts';
import {
  approvalMessage,
  askedMessage,
  decisionReply,
  ownRequestMessage,
  reminderMessage,
  requesterMessage,
  requestsMessage,
  unexplainedMessage,
} from '../../../src/slack/views/approvals/approval.ts';
import { named } from '../../../src/domain/sentence.ts';
import { passwordOfferMessage, passwordSorryMessage, passwordView } from '../../../src/slack/views/users/password.ts';
import { decidedView, pressed } from '../../../src/slack/views/approvals/review.ts';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import type { Said } from '../../support/slack-limits.ts';

/** Every message and view about a request for approval, with the same text for every external text. */
export function saidOfRequests(name: string): Said[] {
  const targets = Array.from({ length: 30 }, (_, index) => ({
    kind: 'user' as const,
    id: `u-${index}`,
    name,
    facts: { Name: name, Type: name, Rights: name },
  }));
  const asked = {
    action: `suspend ${named(name)}`,
    effect: name || 'Nothing is lost.',
    details: Array.from({ length: 12 }, () => ({ label: 'User', value: name })),
    targets,
  };
  const request = approvalRequest({ reason: name, asked, posts: { messages: [], trouble: name } });
  const { action: _action, ...asBefore } = asked;
  /** As version 1.2 stored requests. */
  const beforeWords = { ...request, asked: asBefore };
  const decided = (
    verdict: 'approved' | 'denied' | 'withdrawn' | 'expired',
    kind: 'done' | 'unknown' | 'not run' = 'done',
  ): ApprovalRequest => ({
    ...request,
    state: 'announced',
    decision: { verdict, by: 'U00000ADA', comment: name, at: 2_500 },
    outcome: { kind, message: name, at: 2_600, passwordOffer: { personId: request.requesterId, userId: 'u-1', name } },
  });
  const failed = { ...request, failures: 2, lastFailure: { message: name, by: 'U00000ADA', at: 2_500 } };
  const stages = [
    request,
    failed,
    decided('approved'),
    decided('approved', 'unknown'),
    decided('approved', 'not run'),
    decided('denied'),
    decided('withdrawn'),
    decided('expired'),
  ];
  const messages = [
    ...stages.flatMap((stage) => [
      approvalMessage(stage, 'UTC'),
      decisionReply(stage),
      reminderMessage(stage, 'UTC'),
      askedMessage(stage, 'UTC'),
      ownRequestMessage(stage, 'denied'),
      requesterMessage(stage, { kind: 'channel', channelId: 'C1' }, 'UTC'),
      requesterMessage(
        { ...stage, isReminded: true },
        { kind: 'people', personIds: Array.from({ length: 30 }, () => 'U00000ADA') },
        'UTC',
      ),
    ]),
    requestsMessage({ kind: 'requests', requests: Array.from({ length: 12 }, () => request) }, 'UTC'),
    approvalMessage(beforeWords, 'UTC'),
    requesterMessage(beforeWords, { kind: 'people', personIds: [] }, 'UTC'),
    unexplainedMessage(operationNamed('delete-quiz')!, { quiz: [name] }),
    passwordOfferMessage({ userId: 'u-1', name }),
    passwordSorryMessage('u-1', name),
  ];
  const changes = Array.from({ length: 40 }, () => name);
  const views = [
    ...stages.flatMap((stage) => [
      ...(['approved', 'denied'] as const).flatMap((verdict) => [
        pressed({ kind: 'review', request: stage, preview: asked, changes }, verdict, 'UTC').view,
        pressed({ kind: 'gone', request: stage, message: name }, verdict, 'UTC').view,
        pressed({ kind: 'own', request: stage }, verdict, 'UTC').view,
        pressed({ kind: 'over', request: stage }, verdict, 'UTC').view,
      ]),
      decidedView({ kind: 'changed', review: { kind: 'review', request: stage, preview: asked, changes } }, 'UTC'),
      decidedView({ kind: 'changed', review: { kind: 'gone', request: stage, message: name } }, 'UTC'),
      decidedView({ kind: 'decided', request: stage }, 'UTC'),
      decidedView({ kind: 'over', request: stage }, 'UTC'),
    ]),
    pressed({ kind: 'refused', message: name }, 'approved', 'UTC').view,
    passwordView({ kind: 'shown', name, userName: name, password: 'not a real one' }),
    passwordView({ kind: 'refused', message: name }),
    passwordView({ kind: 'failed', message: name }),
  ];
  return [
    ...messages.map((message) => ({ surface: 'message' as const, ...message })),
    ...views.map((view) => ({ surface: 'modal' as const, blocks: view.blocks })),
  ];
}
