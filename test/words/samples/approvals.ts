import { closedReason } from '../../../src/slack/errors.ts';
import { changedFact } from '../../../src/operations/wording/words.ts';
import { named, say } from '../../../src/domain/said.ts';
import type { ApprovalRequest, Decision } from '../../../src/domain/approval-request.ts';
import { outdatedForm } from '../../../src/governance/approvals/requests.ts';
import type { Review } from '../../../src/operations/services/records.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { decideRequest } from '../../../src/features/administration/decide-request.ts';
import {
  askedPage,
  decidedPage,
  decisionPage,
  needsReason,
  reminderPage,
  requesterPage,
  requestPage,
  requestsPage,
  reviewPage,
  type Deciders,
} from '../../../src/features/administration/pages/requests.ts';
import type { Page } from '../../../src/operations/page.ts';
import { outcomeMessage } from '../../../src/slack/views/outcome.ts';
import { answered, drawn } from '../../support/as-sent.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import type { Samples } from '../collect.ts';

const hourMs = 3_600_000;
const createdAt = Date.UTC(2026, 10, 20, 9);

const { asked } = approvalRequest();
const open = approvalRequest({
  requesterId: 'U00000TOM',
  createdAt,
  remindAt: createdAt + 12 * hourMs,
  expiresAt: createdAt + 24 * hourMs,
  asked: { ...asked, targets: asked.targets.map((user) => ({ ...user, facts: { ...user.facts, Suspended: 'no' } })) },
});

const closesQuiz: ApprovalRequest = {
  ...open,
  operation: 'close-quiz',
  reason: 'The room is taken',
  asked: {
    action: say`close ${named('Fire safety')}`,
    effect: say`Nobody could take it until someone opens it again.`,
    details: [{ label: 'Quiz', value: 'Fire safety' }],
    targets: [{ kind: 'quiz', id: 'q-1', name: 'Fire safety', facts: { Name: 'Fire safety', State: 'open' } }],
  },
};

const at = createdAt + hourMs;
const ended = (
  request: ApprovalRequest,
  verdict: Decision['verdict'],
  comment: string,
  outcome: NonNullable<ApprovalRequest['outcome']>['kind'],
  message = '',
): ApprovalRequest => ({
  ...request,
  state: 'announced',
  decision: { verdict, by: 'U00000ADA', comment, at },
  outcome: { kind: outcome, message, at },
});
const failed: ApprovalRequest = {
  ...open,
  failures: 1,
  lastFailure: {
    message: say`The quiz service isn’t answering right now. Try again in a minute.`,
    by: 'U00000ADA',
    at,
  },
};
const stages: readonly [string, ApprovalRequest][] = [
  ['is open', open],
  ['was approved, and its run failed', failed],
  [
    'was approved',
    ended(
      open,
      'approved',
      'Fine by me',
      'done',
      say`Suspended ${named('Rosa Almeida')}. They can’t sign in until someone reinstates them.`,
    ),
  ],
  [
    'was approved, and its requester has lost their rights',
    ended(
      open,
      'approved',
      '',
      'not run',
      say`The requester no longer has the rights for this, so it can’t be done for them.`,
    ),
  ],
  [
    'was approved, and the bot crashed',
    ended(
      open,
      'approved',
      '',
      'unknown',
      say`The bot stopped while carrying this out. Check whether it was done before you request it again.`,
    ),
  ],
  ['was denied', ended(closesQuiz, 'denied', 'Ask Erin first', 'not run')],
  [
    'was withdrawn',
    {
      ...ended(open, 'withdrawn', '', 'not run'),
      decision: { verdict: 'withdrawn', by: 'U00000TOM', comment: '', at },
    },
  ],
  [
    'expired',
    { ...ended(open, 'expired', '', 'not run'), decision: { verdict: 'expired', comment: '', at: open.expiresAt } },
  ],
];

const inChannel: Deciders = { kind: 'channel', channelId: 'G0LEADS' };
const trouble = say`The approvals channel can’t be used (${closedReason('is_archived').why}), so administrators got your request as a direct message.`;
const nobody = say`There’s no other administrator in Slack who can decide on this. Ask an administrator of the quiz account to join Slack, or ask for an approvals channel.`;

const review: Extract<Review, { kind: 'review' }> = {
  kind: 'review',
  request: open,
  preview: open.asked,
  changes: [changedFact(named('Rosa Almeida'), 'Type', { was: 'respondent', is: 'trainer' })],
};
const gone: Review = {
  kind: 'gone',
  request: open,
  message: say`${named('Rosa Almeida')} isn’t in the quiz account any more.`,
};

const shownAs = (page: Page) => answered(decideRequest, page);

export const samples: Samples = {
  'A change needs approval, and the command has no reason': outcomeMessage(
    operationNamed('suspend-user')!,
    {},
    { kind: 'unexplained', input: { user: ['rosa'] } },
  ),
  'A form for a change that needs approval has no reason': needsReason,
  'A trainer requests approval': drawn(askedPage(open)),
  'A trainer requests the same again with another reason': drawn(
    askedPage({ ...open, reason: 'She has left · Added: She works for a competitor', reasonsAdded: 1 }),
  ),
  ...Object.fromEntries(
    stages.map(([stage, request]) => [`Reviewers see a request that ${stage}`, drawn(requestPage(request))]),
  ),
  'Reviewers are reminded': drawn(reminderPage(open)),
  'An administrator presses Approve': shownAs(reviewPage({ ...review, changes: [] }, 'approved')),
  'An administrator presses Approve, and the user has changed': shownAs(reviewPage(review, 'approved')),
  'The user changes while the administrator reads': shownAs(decidedPage({ kind: 'changed', review })),
  'An administrator presses Approve, and the user is gone': shownAs(reviewPage(gone, 'approved')),
  'An administrator presses Deny': shownAs(reviewPage(review, 'denied')),
  'A requester presses Approve': drawn(reviewPage({ kind: 'own', request: open }, 'approved')),
  'A requester presses Deny on their Home tab': shownAs(reviewPage({ kind: 'own', request: open }, 'denied')),
  'An administrator has approved': shownAs(decidedPage({ kind: 'decided', request: stages[2]![1] })),
  'An administrator has approved, and it takes longer': shownAs(
    decidedPage({ kind: 'decided', request: { ...open, state: 'decided' } }),
  ),
  'Two administrators decide at the same time, and this one is second': shownAs(
    decidedPage({ kind: 'over', request: stages[2]![1] }),
  ),
  'A form is out of date': drawn(decidedPage({ kind: 'refused', message: outdatedForm })),
  ...Object.fromEntries(
    stages.map(([stage, request]) => [
      `The requester’s message when the request ${stage}`,
      drawn(requesterPage(request, inChannel)),
    ]),
  ),
  'The requester’s message after a reminder': drawn(requesterPage({ ...open, isReminded: true }, inChannel)),
  'The requester’s message when the approvals channel is archived': drawn(
    requesterPage(
      { ...open, posts: { messages: [], trouble } },
      { kind: 'people', personIds: ['U00000ADA', 'U0000ERIN'] },
    ),
  ),
  'The requester’s message when nobody can decide': drawn(
    requesterPage({ ...open, posts: { messages: [], trouble: nobody } }, { kind: 'people', personIds: [] }),
  ),
  ...Object.fromEntries(
    stages
      .slice(1)
      .filter(([stage]) => stage !== 'was withdrawn')
      .map(([stage, request]) => [
        `The reply that notifies the requester when the request ${stage}`,
        drawn(decisionPage(request)),
      ]),
  ),
  'The list of open requests': drawn(requestsPage([open, { ...closesQuiz, requesterId: 'U00000ADA' }], 'U00000ADA')),
  'No request is open': drawn(requestsPage([], 'UADA')),
};
