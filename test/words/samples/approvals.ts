import { actor } from '../../support/builders/users.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { changedFact } from '../../../src/operations/wording/words.ts';
import { denialMessage } from '../../../src/governance/rights/rights.ts';
import { named, namedPerson, say } from '../../../src/domain/said.ts';
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
import { waitingView } from '../../../src/slack/form/form.ts';
import { outcomeMessage } from '../../../src/slack/views/outcome.ts';
import { answered, drawn } from '../../support/as-sent.ts';
import type { Sample } from '../sample.ts';

const hourMs = 3_600_000;
const createdAt = Date.UTC(2026, 10, 20, 9);

const open: ApprovalRequest = {
  id: 'request-1',
  teamId: 'T1',
  operation: 'suspend-user',
  input: { user: ['u-rosa'] },
  requesterId: 'U00000TOM',
  reason: 'She has left',
  createdAt,
  remindAt: createdAt + 12 * hourMs,
  expiresAt: createdAt + 24 * hourMs,
  asked: {
    action: say`suspend ${namedPerson({ userId: 'u-rosa', name: 'Rosa Almeida' })}`,
    effect: say`They couldn’t sign in until someone reinstates them.`,
    details: [{ label: 'User', value: 'Rosa Almeida' }],
    targets: [
      {
        kind: 'user',
        id: 'u-rosa',
        name: 'Rosa Almeida',
        facts: { Name: 'Rosa Almeida', Type: 'respondent', Suspended: 'no' },
      },
    ],
  },
  state: 'open',
  isReminded: false,
  failures: 0,
  posts: { messages: [{ channel: 'G0LEADS', ts: '1' }] },
};

const opensQuiz: ApprovalRequest = {
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
  ['was denied', ended(opensQuiz, 'denied', 'Ask Erin first', 'not run')],
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

export const samples: readonly Sample[] = [
  {
    when: 'A change needs approval, and the command has no reason',
    shown: outcomeMessage(operationNamed('suspend-user')!, {}, { kind: 'unexplained', input: { user: ['rosa'] } }),
  },
  { when: 'A form for a change that needs approval has no reason', shown: needsReason },
  { when: 'A trainer requests approval', shown: drawn(askedPage(open)) },
  {
    when: 'A trainer requests the same again with another reason',
    shown: drawn(askedPage({ ...open, reason: 'She has left · Added: She works for a competitor', reasonsAdded: 1 })),
  },
  ...stages.map(([stage, request]) => ({
    when: `Reviewers see a request that ${stage}`,
    shown: drawn(requestPage(request)),
  })),
  { when: 'Reviewers are reminded', shown: drawn(reminderPage(open)) },
  {
    when: 'An administrator presses Approve',
    shown: shownAs(reviewPage({ ...review, changes: [] }, 'approved')),
  },
  {
    when: 'An administrator presses Approve, and the user has changed',
    shown: shownAs(reviewPage(review, 'approved')),
  },
  {
    when: 'The user changes while the administrator reads',
    shown: shownAs(decidedPage({ kind: 'changed', review })),
  },
  {
    when: 'An administrator presses Approve, and the user is gone',
    shown: shownAs(reviewPage(gone, 'approved')),
  },
  { when: 'An administrator presses Deny', shown: shownAs(reviewPage(review, 'denied')) },
  { when: 'A requester presses Approve', shown: drawn(reviewPage({ kind: 'own', request: open }, 'approved')) },
  {
    when: 'A requester presses Deny on their Home tab',
    shown: shownAs(reviewPage({ kind: 'own', request: open }, 'denied')),
  },
  {
    when: 'An administrator presses Approve on a request that was denied',
    shown: shownAs(
      reviewPage({ kind: 'over', request: ended(opensQuiz, 'denied', 'Ask Erin first', 'not run') }, 'approved'),
    ),
  },
  {
    when: 'A trainer without the right presses Approve',
    shown: shownAs(
      reviewPage(
        {
          kind: 'refused',
          message: denialMessage(actor({ user_type: 'trainer' }), 'administrator', { name: 'Slack' }),
        },
        'approved',
      ),
    ),
  },
  {
    when: 'An administrator has approved',
    shown: shownAs(decidedPage({ kind: 'decided', request: stages[2]![1] })),
  },
  {
    when: 'An administrator has approved, and it takes longer',
    shown: shownAs(decidedPage({ kind: 'decided', request: { ...open, state: 'decided' } })),
  },
  {
    when: 'Two administrators decide at the same time, and this one is second',
    shown: shownAs(decidedPage({ kind: 'over', request: stages[2]![1] })),
  },
  { when: 'A form is out of date', shown: drawn(decidedPage({ kind: 'refused', message: outdatedForm })) },
  { when: 'The bot waits for the quiz service', shown: waitingView(decideRequest) },
  ...stages.map(([stage, request]) => ({
    when: `The requester’s message when the request ${stage}`,
    shown: drawn(requesterPage(request, inChannel)),
  })),
  {
    when: 'The requester’s message after a reminder',
    shown: drawn(requesterPage({ ...open, isReminded: true }, inChannel)),
  },
  {
    when: 'The requester’s message when the approvals channel is archived',
    shown: drawn(
      requesterPage(
        { ...open, posts: { messages: [], trouble } },
        { kind: 'people', personIds: ['U00000ADA', 'U0000ERIN'] },
      ),
    ),
  },
  {
    when: 'The requester’s message when nobody can decide',
    shown: drawn(
      requesterPage({ ...open, posts: { messages: [], trouble: nobody } }, { kind: 'people', personIds: [] }),
    ),
  },
  ...stages.slice(1).flatMap(([stage, request]) =>
    stage === 'was withdrawn'
      ? []
      : [
          {
            when: `The reply that notifies the requester when the request ${stage}`,
            shown: drawn(decisionPage(request)),
          },
        ],
  ),
  {
    when: 'The list of open requests',
    shown: drawn(requestsPage([open, { ...opensQuiz, requesterId: 'U00000ADA' }], 'U00000ADA')),
  },
  { when: 'No request is open', shown: drawn(requestsPage([], 'UADA')) },
];
