import { operationNamed } from '../../../src/operations/catalog.ts';
import {
  askedPage,
  decidedPage,
  decisionPage,
  reminderPage,
  requesterPage,
  requestPage,
  requestsPage,
  reviewPage,
} from '../../../src/features/administration/pages/requests.ts';
import { decideRequest } from '../../../src/features/administration/decide-request.ts';
import { outcomeMessage } from '../../../src/slack/views/outcome.ts';
import { answered, drawn } from '../../support/as-sent.ts';
import { named } from '../../../src/domain/said.ts';
import { passwordOfferMessage, passwordSorryMessage, passwordView } from '../../../src/slack/views/users/password.ts';
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
      drawn(requestPage(stage)),
      drawn(decisionPage(stage)),
      drawn(reminderPage(stage)),
      drawn(askedPage(stage)),
      drawn(requesterPage(stage, { kind: 'channel', channelId: 'C1' })),
      drawn(
        requesterPage(
          { ...stage, isReminded: true },
          { kind: 'people', personIds: Array.from({ length: 30 }, () => 'U00000ADA') },
        ),
      ),
    ]),
    drawn(
      requestsPage(
        Array.from({ length: 12 }, () => request),
        'UADA',
      ),
    ),
    drawn(requestPage(beforeWords)),
    drawn(requesterPage(beforeWords, { kind: 'people', personIds: [] })),
    outcomeMessage(operationNamed('delete-quiz')!, { quiz: [name] }, { kind: 'unexplained' }),
    passwordOfferMessage({ userId: 'u-1', name }),
    passwordSorryMessage('u-1', name),
  ];
  const changes = Array.from({ length: 40 }, () => name);
  const views = [
    ...stages.flatMap((stage) => [
      ...(['approved', 'denied'] as const).flatMap((verdict) => [
        answered(decideRequest, reviewPage({ kind: 'review', request: stage, preview: asked, changes }, verdict)),
        answered(decideRequest, reviewPage({ kind: 'gone', request: stage, message: name }, verdict)),
        answered(decideRequest, reviewPage({ kind: 'own', request: stage }, verdict)),
        answered(decideRequest, reviewPage({ kind: 'over', request: stage }, verdict)),
      ]),
      answered(
        decideRequest,
        decidedPage({ kind: 'changed', review: { kind: 'review', request: stage, preview: asked, changes } }),
      ),
      answered(
        decideRequest,
        decidedPage({ kind: 'changed', review: { kind: 'gone', request: stage, message: name } }),
      ),
      answered(decideRequest, decidedPage({ kind: 'decided', request: stage })),
      answered(decideRequest, decidedPage({ kind: 'over', request: stage })),
    ]),
    answered(decideRequest, reviewPage({ kind: 'refused', message: name }, 'approved')),
    passwordView({ kind: 'shown', name, userName: name, password: 'not a real one' }),
    passwordView({ kind: 'refused', message: name }),
    passwordView({ kind: 'failed', message: name }),
  ];
  return [
    ...messages.map((message) => ({ surface: 'message' as const, ...message })),
    ...views.map((view) => ({ surface: 'modal' as const, blocks: view.blocks })),
  ];
}
