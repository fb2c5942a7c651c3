import { actor } from '../../support/builders/users.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { changedFact } from '../../../src/operations/wording/facts.ts';
import { denialMessage } from '../../../src/governance/rights/rights.ts';
import { named } from '../../../src/domain/sentence.ts';
import { say } from '../../../src/domain/said.ts';
import type { ApprovalRequest, Decision } from '../../../src/domain/approval-request.ts';
import { outdatedForm, type Review } from '../../../src/governance/approvals/decide.ts';
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
import { needsReason, type Deciders } from '../../../src/features/administration/pages/requests.ts';
import { decidedView, pressed, reviewSorryView, reviewWaitingView } from '../../../src/slack/views/approvals/review.ts';
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
    action: say`suspend ${named('Rosa Almeida')}`,
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

export const samples: readonly Sample[] = [
  {
    when: 'A change needs approval, and the command has no reason',
    shown: unexplainedMessage(operationNamed('suspend-user')!, { user: ['rosa'] }),
  },
  { when: 'A form for a change that needs approval has no reason', shown: needsReason },
  { when: 'A trainer requests approval', shown: askedMessage(open, 'UTC') },
  {
    when: 'A trainer requests the same again with another reason',
    shown: askedMessage(
      { ...open, reason: 'She has left · Added: She works for a competitor', reasonsAdded: 1 },
      'UTC',
    ),
  },
  ...stages.map(([stage, request]) => ({
    when: `Reviewers see a request that ${stage}`,
    shown: approvalMessage(request, 'UTC'),
  })),
  { when: 'Reviewers are reminded', shown: reminderMessage(open, 'UTC') },
  { when: 'An administrator presses Approve', shown: pressed({ ...review, changes: [] }, 'approved', 'UTC').view },
  {
    when: 'An administrator presses Approve, and the user has changed',
    shown: pressed(review, 'approved', 'UTC').view,
  },
  { when: 'The user changes while the administrator reads', shown: decidedView({ kind: 'changed', review }, 'UTC') },
  { when: 'An administrator presses Approve, and the user is gone', shown: pressed(gone, 'approved', 'UTC').view },
  { when: 'An administrator presses Deny', shown: pressed(review, 'denied', 'UTC').view },
  { when: 'A requester presses Approve', shown: ownRequestMessage(open, 'approved') },
  {
    when: 'A requester presses Deny on their Home tab',
    shown: pressed({ kind: 'own', request: open }, 'denied', 'UTC').view,
  },
  {
    when: 'An administrator presses Approve on a request that was denied',
    shown: pressed(
      { kind: 'over', request: ended(opensQuiz, 'denied', 'Ask Erin first', 'not run') },
      'approved',
      'UTC',
    ).message!,
  },
  {
    when: 'A trainer without the right presses Approve',
    shown: pressed(
      { kind: 'refused', message: denialMessage(actor({ user_type: 'trainer' }), 'administrator', { name: 'Slack' }) },
      'approved',
      'UTC',
    ).message!,
  },
  { when: 'An administrator has approved', shown: decidedView({ kind: 'decided', request: stages[2]![1] }, 'UTC') },
  {
    when: 'An administrator has approved, and it takes longer',
    shown: decidedView({ kind: 'decided', request: { ...open, state: 'decided' } }, 'UTC'),
  },
  {
    when: 'Two administrators decide at the same time, and this one is second',
    shown: decidedView({ kind: 'over', request: stages[2]![1] }, 'UTC'),
  },
  { when: 'A form is out of date', shown: reviewSorryView(outdatedForm) },
  { when: 'The bot waits for the quiz service', shown: reviewWaitingView() },
  ...stages.map(([stage, request]) => ({
    when: `The requester’s message when the request ${stage}`,
    shown: requesterMessage(request, inChannel, 'UTC'),
  })),
  {
    when: 'The requester’s message after a reminder',
    shown: requesterMessage({ ...open, isReminded: true }, inChannel, 'UTC'),
  },
  {
    when: 'The requester’s message when the approvals channel is archived',
    shown: requesterMessage(
      { ...open, posts: { messages: [], trouble } },
      { kind: 'people', personIds: ['U00000ADA', 'U0000ERIN'] },
      'UTC',
    ),
  },
  {
    when: 'The requester’s message when nobody can decide',
    shown: requesterMessage(
      { ...open, posts: { messages: [], trouble: nobody } },
      { kind: 'people', personIds: [] },
      'UTC',
    ),
  },
  ...stages
    .slice(1)
    .flatMap(([stage, request]) =>
      stage === 'was withdrawn'
        ? []
        : [{ when: `The reply that notifies the requester when the request ${stage}`, shown: decisionReply(request) }],
    ),
  {
    when: 'The list of open requests',
    shown: requestsMessage({ kind: 'requests', requests: [open, opensQuiz] }, 'UTC'),
  },
  { when: 'No request is open', shown: requestsMessage({ kind: 'requests', requests: [] }, 'UTC') },
];
