import {
  inChosenLanguage,
  inLanguage,
  languageChanged,
  languageChosenSince,
} from '../../../src/features/alerts/operations/alert-words.ts';
import { say } from '../../../src/domain/said.ts';
import { subscribeChannel } from '../../../src/features/alerts/operations/subscribe-and-unsubscribe.ts';
import { pausedMessage } from '../../../src/features/alerts/operations/pause-and-resume.ts';
import { languageField } from '../../../src/features/alerts/operations/alerts.ts';
import { languageCodes } from '../../../src/words/languages.ts';
import type { DigestOfQuiz, Submission } from '../../../src/domain/queues.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { sharedChannelInWords } from '../../../src/operations/wording/words.ts';
import { alertsPage, pausedNote, subscribedNote } from '../../../src/features/alerts/pages/alerts.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { outcomeMessage } from '../../../src/slack/views/outcome.ts';
import { drawn } from '../../support/as-sent.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { digest, digestOfQuiz, submission, subscription } from '../../support/builders/alerts.ts';
import type { Samples } from '../collect.ts';

const postedAt = Date.UTC(2026, 10, 21, 8, 30);
const posting = { timeZone: 'Europe/Berlin', postedAt };
const fireSafety = { id: 'q-1', name: 'Fire safety' };
const none = { points: null, availablePoints: null, percentage: null, grade: '' };
const ungraded = { points: 0, percentage: 0, grade: '' };

const single = (overrides: Partial<Submission>, showsNames = true) =>
  announcementMessage({
    kind: 'submission',
    submission: submission({ submittedAt: postedAt, ...overrides }),
    showsNames,
    ...posting,
  });
const subscribed = (overrides: Partial<Subscription> = {}) =>
  subscription({
    channelId: channels.training.id,
    ownerId: people.tom.id,
    quiz: fireSafety,
    timeZone: 'Europe/Berlin',
    ...overrides,
  });

const failedBefore = { outcome: 'failed', points: 4, availablePoints: 10, percentage: 40, grade: 'F' } as const;
const unmarkedBefore = {
  outcome: 'unmarked',
  points: null,
  availablePoints: null,
  percentage: null,
  grade: '',
} as const;

const submissions: Samples = {
  'A person passes on the second attempt': single({
    percentage: 87.5,
    points: 7,
    availablePoints: 8,
    grade: 'B',
    attempt: 2,
  }),
  'A person fails': single({ name: 'Mei Tanaka', outcome: 'failed', percentage: 40, points: 4, grade: 'F' }),
  'A person submits a survey': single({
    ...ungraded,
    quizName: 'Onboarding survey',
    outcome: 'not graded',
    availablePoints: 0,
  }),
  'A person submits an essay': single({
    ...ungraded,
    name: 'Kofi Brandt',
    quizName: 'Handover, written exam',
    outcome: 'unmarked',
  }),
  'The webhook has no points': single({ points: null, availablePoints: null }),
  'The webhook has no percentage': single({ percentage: null }),
  'The webhook has no figures, and the person no name': single({ ...none, name: '' }),
  'The channel shows initials': single({}, false),
  'A result that was announced is corrected': single({ corrects: failedBefore, submittedAt: postedAt - 3_600_000 }),
  'An essay that was announced is marked': single({ corrects: unmarkedBefore }),
  'A person submits the same attempt again, with the same result': single({
    corrects: { outcome: 'passed', points: 9, availablePoints: 10, percentage: 90, grade: 'A' },
  }),
  'A webhook was lost': single({ isBackfilled: true, submittedAt: postedAt - 86_400_000 }),
  'A webhook was lost, and nobody knows the time': single({ isBackfilled: true, submittedAt: null }),
};

const burst = [
  submission({ percentage: 87.5, points: 7, availablePoints: 8, grade: 'B', attempt: 2, submittedAt: postedAt }),
  submission({ name: 'Mei Tanaka', outcome: 'failed', percentage: 40, points: 4, grade: 'F', submittedAt: postedAt }),
  submission({ ...none, name: 'Omar Said', submittedAt: postedAt }),
  submission({ name: 'Ravi Banerjee', submittedAt: postedAt, isBackfilled: true }),
].map((one) => ({ submission: one, showsNames: true }));
const survey = {
  submission: submission({
    ...ungraded,
    quizId: 'q-2',
    quizName: 'Onboarding survey',
    outcome: 'not graded',
    availablePoints: 0,
    submittedAt: postedAt - 3_600_000,
  }),
  showsNames: false,
};
const essays = ['Kofi Brandt', 'Kim Doe'].map((name) => ({
  submission: submission({
    ...ungraded,
    quizId: 'q-3',
    quizName: 'Handover, written exam',
    name,
    outcome: 'unmarked',
    submittedAt: postedAt - 1_800_000,
  }),
  showsNames: true,
}));

const bursts: Samples = {
  'People submit a survey together': announcementMessage({
    kind: 'submissions',
    items: [survey, survey],
    ...posting,
    postedAt: postedAt - 3_600_000,
  }),
  'People submit three quizzes, some of them an hour ago, some late': announcementMessage({
    kind: 'submissions',
    items: [...burst, survey, ...essays],
    ...posting,
  }),
  'Results that were announced are corrected': announcementMessage({
    kind: 'submissions',
    items: [
      { ...burst[0]!, submission: { ...burst[0]!.submission, corrects: failedBefore } },
      { ...burst[1]!, submission: { ...burst[1]!.submission, corrects: unmarkedBefore } },
    ],
    ...posting,
  }),
};

const counts = {
  quizId: 'q-1',
  quizName: 'Fire safety',
  day: '2026-11-21',
  submitted: 12,
  passed: 9,
  failed: 3,
  unmarked: 0,
  scored: 12,
  percentagesTotal: 975,
};
const threads: Samples = {
  'The thread of a quiz and a day': announcementMessage({ kind: 'thread-head', counts }),
  'The thread of a survey': announcementMessage({
    kind: 'thread-head',
    counts: { ...counts, quizName: 'Onboarding survey', passed: 0, failed: 0, scored: 0, percentagesTotal: 0 },
  }),
  'The thread of an essay that is partly marked': announcementMessage({
    kind: 'thread-head',
    counts: {
      ...counts,
      quizName: 'Handover, written exam',
      submitted: 5,
      passed: 1,
      failed: 1,
      unmarked: 3,
      scored: 2,
      percentagesTotal: 120,
    },
  }),
};

const nine = {
  submitted: 9,
  passed: 7,
  failed: 2,
  percentages: [90, 100, 80, 40, 70, 88, 92, 61, 30],
  mean: 72.3,
  failedNames: ['Ravi Banerjee', 'Kim Doe'],
};
const firstAid = digestOfQuiz({
  quizId: 'q-2',
  quizName: 'First aid at work',
  submitted: 2,
  passed: 2,
  failed: 0,
  failedNames: [],
  percentages: [70, 85],
});
const daily = subscribed({ delivery: { kind: 'digest', every: 'day', at: '08:30' } });
const digested = (quizzes: readonly DigestOfQuiz[], overrides: Partial<Subscription> = {}) =>
  announcementMessage({ kind: 'digest', digest: digest({ quizzes }), subscription: { ...daily, ...overrides } });
const many = Array.from({ length: 28 }, (_, index) =>
  digestOfQuiz({
    ...nine,
    quizId: `q-${index}`,
    quizName: `Module ${index + 1}`,
    percentages: index === 6 ? nine.percentages : [],
    failedNames: [],
    weekBefore: { graded: 9, mean: 60 },
  }),
);

const digests: Samples = {
  'A daily digest of one quiz with a worse average than last week': digested([
    digestOfQuiz({ ...nine, weekBefore: { graded: 12, mean: 84.4 } }),
  ]),
  'A daily digest with a better average than last week': digested([
    digestOfQuiz({ ...nine, weekBefore: { graded: 12, mean: 71.2 } }),
  ]),
  'A daily digest with the same average as last week': digested([
    digestOfQuiz({ ...nine, weekBefore: { graded: 12, mean: 72.4 } }),
  ]),
  'A daily digest of too few submissions to compare': digested([digestOfQuiz(), firstAid]),
  'A daily digest of a survey and an essay': digested([
    digestOfQuiz({ quizName: 'Onboarding survey', passed: 0, failed: 0, percentages: [], mean: null, failedNames: [] }),
    digestOfQuiz({
      quizId: 'q-3',
      quizName: 'Handover, written exam',
      submitted: 3,
      passed: 1,
      failed: 0,
      unmarked: 2,
      percentages: [80],
      mean: 80,
      failedNames: [],
    }),
  ]),
  'An hourly digest of failed submissions, with initials': digested(
    [digestOfQuiz({ submitted: 1, passed: 0, percentages: [40], mean: 40 })],
    { delivery: { kind: 'digest', every: 'hour' }, filter: { kind: 'failed' }, showsNames: false },
  ),
  'A digest with more names than fit': digested([
    digestOfQuiz({
      submitted: 40,
      passed: 10,
      failed: 30,
      percentages: [],
      failedNames: Array.from({ length: 30 }, () => 'Kim Doe'),
    }),
  ]),
  'A digest of more quizzes than fit': digested(many),
};

const everyFilter: readonly Partial<Subscription>[] = [
  { quiz: null },
  { filter: { kind: 'failed' }, showsNames: false },
  { filter: { kind: 'passed' }, delivery: { kind: 'thread' } },
  { filter: { kind: 'ungraded' }, delivery: { kind: 'digest', every: 'hour' } },
  { filter: { kind: 'below', percentage: 60 }, delivery: { kind: 'digest', every: 'day', at: '08:30' } },
  { filter: { kind: 'grade', grade: 'B' }, delivery: { kind: 'digest', every: 'day', at: '08:30' }, timeZone: 'UTC' },
];
const subscriptions: Samples = {
  ...Object.fromEntries(
    everyFilter.map((spec, index) => [
      `A subscribed channel is greeted (${index + 1})`,
      drawn(subscribedNote(subscribed(spec))),
    ]),
  ),
  'The configured channel is tested': announcementMessage({
    kind: 'test-alert',
    subscription: subscribed({ quiz: null, ownerId: null }),
  }),
  'A subscription to failed submissions is tested': announcementMessage({
    kind: 'test-alert',
    subscription: subscribed({ filter: { kind: 'failed' } }),
  }),
  'A subscription to ungraded submissions is tested': announcementMessage({
    kind: 'test-alert',
    subscription: subscribed({ filter: { kind: 'ungraded' }, delivery: { kind: 'digest', every: 'hour' } }),
  }),
  ...Object.fromEntries(
    ['not_in_channel', 'is_archived', 'restricted_action', 'no_permission', 'channel_shared'].map((code, index) => [
      `The bot pauses the alerts of a channel (${code})`,
      drawn(pausedNote(subscribed(), index, closedReason(code))),
    ]),
  ),
  'A channel that another company shares is subscribed': outcomeMessage(
    subscribeChannel,
    {},
    {
      kind: 'warned',
      message: sharedChannelInWords(channels.partners.id, ['Partner Training', 'Night School']),
      input: { quiz: ['q-1'] },
      confirmation: 'x',
    },
  ),
};

const pause = { since: 1, until: null, by: people.erin.id };
const listed = (overrides: Partial<Subscription>, waiting = 0) => ({
  subscription: subscribed(overrides),
  waiting,
});
const list = (result: Partial<Parameters<typeof alertsPage>[0]>) =>
  drawn(
    alertsPage(
      { channelId: channels.training.id, alerts: [], elsewhere: 0, ...result },
      { now: postedAt - 1, closedReason, isGone: ({ quiz }) => quiz?.id === 'q-gone' },
    ),
  );
const lists: Samples = {
  'The subscriptions of a channel without any': list({ elsewhere: 1 }),
  'The subscriptions of a person without any, in a direct message': list({ channelId: undefined }),
  'The subscriptions of a channel, and the person’s own elsewhere': list({
    alerts: [
      listed({ quiz: null, ownerId: null }),
      listed({ pause, filter: { kind: 'failed' } }, 1),
      listed({ pause: { ...pause, until: postedAt }, delivery: { kind: 'thread' } }, 12),
      listed({ pause: { since: 1, until: null, by: null, code: 'not_in_channel' }, channelId: channels.general.id }, 3),
    ],
    elsewhere: 2,
  }),
  'The quiz of a subscription was deleted': list({ alerts: [listed({ quiz: { id: 'q-gone', name: 'Old quiz' } })] }),
  'The subscriptions of a channel in German': list({ language: 'de', alerts: [listed({})] }),
  'More subscriptions than fit': list({ alerts: Array.from({ length: 25 }, () => listed({})) }),
};

const inTraining = { channel: '⁨#training⁩', isHere: true };
/** The words of the other changes are in changes.ts. */
const answers: Samples = {
  ...Object.fromEntries(
    languageCodes.map((language) => [
      `The language of a channel is chosen: ${language}`,
      languageChanged({ ...inTraining, language: inLanguage(language) }),
    ]),
  ),
  'The language of another channel is the default one again': languageChanged({
    ...inTraining,
    isHere: false,
    language: inChosenLanguage('default', 'de'),
  }),
  'A trainer takes the language of a channel back that somebody has changed since': languageChosenSince({
    ...inTraining,
    language: inLanguage('pl'),
  }),
  'A language that the bot doesn’t speak': languageField.unknown('klingon'),
  'A digest of another channel is paused': pausedMessage(
    {
      channel: say`the channel`,
      spec: subscribed({ delivery: { kind: 'digest', every: 'day', at: '08:30' }, filter: { kind: 'all' } }),
    },
    '',
  ),
};

export const samples: Samples = {
  ...submissions,
  ...bursts,
  ...threads,
  ...digests,
  ...subscriptions,
  ...lists,
  ...answers,
};
