import { operationNamed } from '../../../src/operations/catalog.ts';
import { approvalMessage, askedMessage, newsMessage, reminderMessage, troubleMessage, unexplainedMessage } from '../../../src/slack/views/approval.ts';
import { passwordOfferMessage, passwordSorryMessage, passwordView } from '../../../src/slack/views/password.ts';
import { decidedView, reviewView } from '../../../src/slack/views/review.ts';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import type { Said } from '../../support/slack-limits.ts';

/** Every message and view about a request for approval, with the same text for every external text. */
export function saidOfRequests(name: string): Said[] {
  const targets = Array.from({ length: 30 }, (_, index) => ({ kind: 'user' as const, id: `u-${index}`, name, facts: { Name: name, Type: name, Rights: name } }));
  const asked = { effect: name || 'Nothing is lost.', details: Array.from({ length: 12 }, () => ({ label: 'User', value: name })), targets };
  const request = approvalRequest({ reason: name, asked });
  const decided = (verdict: 'approved' | 'denied' | 'withdrawn' | 'expired', kind: 'done' | 'unknown' | 'not run' = 'done'): ApprovalRequest => ({
    ...request,
    state: 'announced',
    decision: { verdict, by: 'U00000ADA', comment: name, at: 2_500 },
    outcome: { kind, message: name, at: 2_600, passwordOffer: { personId: request.requesterId, userId: 'u-1', name } },
  });
  const failed = { ...request, failures: 2, lastFailure: { message: name, by: 'U00000ADA', at: 2_500 } };
  const stages = [request, failed, decided('approved'), decided('approved', 'unknown'), decided('approved', 'not run'), decided('denied'), decided('withdrawn'), decided('expired')];
  const messages = [
    ...stages.flatMap((stage) => [approvalMessage(stage, 'UTC'), newsMessage(stage), reminderMessage(stage, 'UTC'), askedMessage(stage, 'UTC'), troubleMessage(stage, name)]),
    unexplainedMessage(operationNamed('delete-quiz')!, { quiz: [name] }),
    passwordOfferMessage({ userId: 'u-1', name }),
    passwordSorryMessage('u-1', name),
  ];
  const changes = Array.from({ length: 40 }, () => name);
  const views = [
    ...stages.flatMap((stage) => [
      reviewView({ kind: 'review', request: stage, preview: asked, changes }, 'UTC', name),
      reviewView({ kind: 'gone', request: stage, message: name }, 'UTC'),
      reviewView({ kind: 'own', request: stage }, 'UTC'),
      reviewView({ kind: 'over', request: stage }, 'UTC'),
      decidedView({ kind: 'decided', request: stage }, 'UTC'),
      decidedView({ kind: 'over', request: stage }, 'UTC'),
    ]),
    reviewView({ kind: 'refused', message: name }, 'UTC'),
    passwordView({ kind: 'shown', name, userName: name, password: 'not a real one' }),
    passwordView({ kind: 'refused', message: name }),
    passwordView({ kind: 'failed', message: name }),
  ];
  return [
    ...messages.map((message) => ({ surface: 'message' as const, ...message })),
    ...views.map((view) => ({ surface: 'modal' as const, blocks: view.blocks })),
  ];
}
