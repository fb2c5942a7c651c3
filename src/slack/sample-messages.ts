import type { Announcement } from '../domain/announcement.ts';
import type { Campaign } from '../domain/campaign.ts';
import { statisticsOf } from '../features/results/statistics.ts';
import type { OperationResult } from '../operations/operation-result.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';
import type { Digest, Submission } from '../domain/queue-entry.ts';
import type { Subscription } from '../domain/subscription.ts';

const at = Date.UTC(2026, 0, 5, 9);
const quizName = 'Fire safety';
const quiz = { id: 'quiz', name: quizName };
const person = 'U00000000';
const channelId = 'C00000000';
const timeZone = 'UTC';
const dayMs = 86_400_000;

const submission: Submission = {
  quizId: quiz.id,
  quizName,
  responseId: 'response',
  name: 'Sam Sample',
  points: 9,
  availablePoints: 10,
  percentage: 90,
  grade: 'A',
  outcome: 'passed',
  attempt: 2,
  durationSeconds: 245,
  submittedAt: at,
  isBackfilled: false,
};
const announced = { submission, showsNames: true };

const subscription: Subscription = {
  id: 'subscription',
  teamId: 'T00000000',
  channelId,
  ownerId: person,
  quiz,
  filter: { kind: 'all' },
  delivery: { kind: 'digest', every: 'day', at: '09:00' },
  timeZone,
  showsNames: true,
  createdAt: at,
  pause: null,
};

const counts = { submitted: 6, passed: 5, failed: 1, unmarked: 0 };
const digestOf = {
  ...counts,
  quizId: quiz.id,
  quizName,
  mean: 77.5,
  percentages: [90, 100, 80, 75, 70, 40],
  failedNames: ['Sam Sample'],
};
const digest: Digest = { from: at - dayMs, to: at, quizzes: [{ ...digestOf, weekBefore: { graded: 12, mean: 74.3 } }] };

const campaign: Campaign = {
  id: 'campaign',
  teamId: subscription.teamId,
  quiz,
  ownerId: person,
  startedAt: at,
  completeWhen: 'passed',
  schedule: {
    dueAt: at + 14 * dayMs,
    remindBeforeMs: [dayMs],
    overdueEveryMs: dayMs,
    escalateAfterMs: dayMs,
    endsAt: at + 28 * dayMs,
  },
  lead: { userId: 'lead', timeZone },
  board: { channelId, showsNames: true },
  endedAt: null,
  remindNowAt: null,
  escalatedUpTo: 0,
  batchId: null,
  repeats: null,
  members: ['Sam Sample', 'Kim Sample'].map((name, index) => ({
    userId: `user-${index}`,
    name,
    groups: [],
    personId: person,
    timeZone,
    addedAt: at,
    notifiedAt: at,
    remindedAt: [],
    snoozedUntil: null,
    result: index === 0 ? { outcome: 'passed', percentage: 90, submittedAt: at } : null,
    responseIds: [],
    excused: null,
    saidNotMeAt: null,
  })),
};
const ofCampaign = { campaignId: campaign.id, quizName };
const batch = {
  id: 'batch',
  action: 'suspend 2 people',
  ownerId: person,
  state: 'running' as const,
  startedAt: at,
  endedAt: null,
};
const entry = {
  who: 'Sam Sample',
  entry: {
    at,
    correlationId: 'reference',
    by: person,
    operation: 'close-quiz',
    change: `close ${quizName}`,
    action: 'done' as const,
    through: 'command',
    targets: [{ kind: 'quiz', ...quiz }],
  },
};

/** An invented announcement of each kind. */
export const sampleAnnouncements: { readonly [Kind in Announcement['kind']]: Extract<Announcement, { kind: Kind }> } = {
  submission: { kind: 'submission', ...announced, timeZone, postedAt: at },
  submissions: { kind: 'submissions', items: [announced, announced], timeZone, postedAt: at },
  'thread-head': {
    kind: 'thread-head',
    counts: { ...counts, quizId: quiz.id, quizName, day: '2026-01-05', scored: 4, percentagesTotal: 310 },
  },
  digest: { kind: 'digest', digest, subscription },
  'digest-rest': { kind: 'digest-rest', items: [{ quiz: digestOf, name: 'Sam Sample' }], subscription },
  subscribed: { kind: 'subscribed', subscription },
  'test-alert': { kind: 'test-alert', subscription },
  paused: { kind: 'paused', subscription, code: 'is_archived', waiting: 3 },
  assigned: { kind: 'assigned', quizName, by: person, takeUrl: 'https://quiz.example/take' },
  'own-result': { kind: 'own-result', submission, reportUrl: 'https://quiz.example/report' },
  'own-password': { kind: 'own-password', userId: 'user', by: person },
  departures: {
    kind: 'departures',
    notice: {
      id: 'proposal',
      kind: 'proposal',
      postedAt: at,
      readers: [],
      people: [{ userId: 'user', name: 'Sam Sample', at }],
    },
    timeZone,
  },
  'no-evidence': {
    kind: 'no-evidence',
    order: {
      id: 'order',
      by: person,
      to: person,
      toName: 'Sam Sample',
      campaign: null,
      timeZone,
      orderedAt: at,
      month: 24_312,
    },
    why: 'nothing ran',
    reader: person,
  },
  'rights-lent': { kind: 'rights-lent', grantId: 'U0.1', step: 'Assign a quiz' },
  'campaign-board': { kind: 'campaign-board', campaign, assigning: undefined, now: at + 3 * dayMs },
  'campaign-end': { kind: 'campaign-end', campaign: { ...campaign, endedAt: at + 28 * dayMs }, now: at + 28 * dayMs },
  'campaign-channel-closed': { kind: 'campaign-channel-closed', ...ofCampaign, channelId, code: 'is_archived' },
  'campaign-notices': {
    kind: 'campaign-notices',
    notices: [
      {
        ...ofCampaign,
        quizId: quiz.id,
        by: person,
        dueAt: at + dayMs,
        isReminder: true,
        takeUrl: 'https://quiz.example/take',
      },
    ],
    timeZone,
    now: at,
  },
  'campaign-escalations': {
    kind: 'campaign-escalations',
    escalations: [{ ...ofCampaign, dueAt: at, names: ['Sam Sample'], missing: 1, takeUrl: undefined }],
    timeZone,
  },
  'campaign-reports': {
    kind: 'campaign-reports',
    people: [{ userId: 'user', name: 'Sam Sample', quizzes: [ofCampaign] }],
  },
  'campaign-excuse-asked': {
    kind: 'campaign-excuse-asked',
    ...ofCampaign,
    userId: 'user',
    name: 'Sam Sample',
    by: person,
    reason: 'on leave',
  },
  'campaign-excuse-decided': { kind: 'campaign-excuse-decided', ...ofCampaign, name: 'Sam Sample', isExcused: true },
  'campaign-not-report': { kind: 'campaign-not-report', ...ofCampaign, userId: 'user', name: 'Sam Sample', by: person },
  'campaign-not-me': { kind: 'campaign-not-me', ...ofCampaign, userId: 'user', name: 'Sam Sample' },
  'campaign-paused': { kind: 'campaign-paused', ...ofCampaign, quizId: quiz.id },
  'campaign-orphaned': { kind: 'campaign-orphaned', ...ofCampaign, who: ['owner'] },
  'campaign-unassigned': {
    kind: 'campaign-unassigned',
    ...ofCampaign,
    batchId: 'batch',
    isStopped: false,
    members: [{ userId: 'user', name: 'Sam Sample' }],
  },
  'campaign-candidates': {
    kind: 'campaign-candidates',
    ...ofCampaign,
    names: ['Sam Sample'],
    count: 1,
    why: ['other people'],
  },
  'campaign-unreadable': { kind: 'campaign-unreadable', ...ofCampaign, parts: ['channel:C0|kitchen'] },
  'campaign-round': {
    kind: 'campaign-round',
    ...ofCampaign,
    quizId: quiz.id,
    problems: [],
    audience: ['group:group'],
    members: 12,
    excused: ['Sam Sample'],
    joined: [{ userId: 'user', name: 'Kim Sample' }],
  },
  'audit-changes': { kind: 'audit-changes', items: [entry], timeZone },
  'audit-request': { kind: 'audit-request', entries: [entry], timeZone },
  'audit-refusals': {
    kind: 'audit-refusals',
    who: 'Sam Sample',
    refusals: { since: at, counts: { 'close-quiz': 2 } },
    timeZone,
  },
  'audit-missing': { kind: 'audit-missing', missing: { knownPosition: 12, lastPosition: 10 } },
  'audit-channel-closed': { kind: 'audit-channel-closed', channelId, code: 'is_archived' },
  'batch-progress': {
    kind: 'batch-progress',
    progress: { batch, total: 2, done: 1, failed: 0, skipped: 0, readyAt: at + 60_000 },
    now: at,
  },
};

const response: QuizResponse = {
  response_id: submission.responseId,
  quiz_id: quiz.id,
  quiz_name: quizName,
  first_name: 'Sam',
  last_name: 'Sample',
  email_address: 'sam@quiz.example',
  user_id: 'user',
  user_name: 'sam',
  date_submitted: new Date(at),
  points: 9,
  available_points: 10,
  percentage_score: 90,
  grade: 'A',
  pass: true,
  duration: 245,
  attempt: 2,
  ip_address: '',
  status: 'submitted',
  publish_type: '',
  access_code: '',
  certificate_url: null,
  response_report_url: null,
  registration_fields: [],
  outcome: 'passed',
};

/** Invented results: a chart and a table. */
export const sampleResults: Extract<OperationResult, { kind: 'results' }> = {
  kind: 'results',
  quiz: { quiz_id: quiz.id, name: quizName, status: 'open', date_created: null },
  filter: {},
  only: '',
  submitted: [response],
  percentages: [90],
  statistics: statisticsOf([response]),
};
