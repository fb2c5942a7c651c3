import {
  hereWords,
  inChosenLanguage,
  inLanguage,
  languageChanged,
  languageChosenSince,
  languageWasSo,
} from '../../../src/features/alerts/operations/alert-words.ts';
import { say } from '../../../src/domain/said.ts';
import {
  alreadySubscribedMessage,
  subscribedMessage,
  unsubscribedMessage,
  subscribeChannel,
} from '../../../src/features/alerts/operations/subscribe-and-unsubscribe.ts';
import {
  pausedMessage,
  resumedMessage,
  wasNotPausedMessage,
  wasPausedMessage,
  testedMessage,
} from '../../../src/features/alerts/operations/pause-and-resume.ts';
import { languageField } from '../../../src/features/alerts/operations/alerts.ts';
import { languageCodes } from '../../../src/words/languages.ts';
import { actionOf, effectOf } from '../../support/builders/changes.ts';
import type { Announcement } from '../../../src/domain/announcement.ts';
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
import type { Sample } from '../sample.ts';

const postedAt = Date.UTC(2026, 10, 21, 8, 30);
const posting = { timeZone: 'Europe/Berlin', postedAt };
const fireSafety = { id: 'q-1', name: 'Fire safety' };
const none = { points: null, availablePoints: null, percentage: null, grade: '' };
const ungraded = { points: 0, percentage: 0, grade: '' };

const announced = (when: string, announcement: Announcement): Sample => ({
  when,
  shown: announcementMessage(announcement),
});
const single = (when: string, overrides: Partial<Submission>, showsNames = true) =>
  announced(when, {
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

const submissions: readonly Sample[] = [
  single('A person passes on the second attempt', {
    percentage: 87.5,
    points: 7,
    availablePoints: 8,
    grade: 'B',
    attempt: 2,
  }),
  single('A person fails', { name: 'Mei Tanaka', outcome: 'failed', percentage: 40, points: 4, grade: 'F' }),
  single('A person submits a survey', {
    ...ungraded,
    quizName: 'Onboarding survey',
    outcome: 'not graded',
    availablePoints: 0,
  }),
  single('A person submits an essay', {
    ...ungraded,
    name: 'Kofi Brandt',
    quizName: 'Handover, written exam',
    outcome: 'unmarked',
  }),
  single('The webhook has no points', { points: null, availablePoints: null }),
  single('The webhook has no percentage', { percentage: null }),
  single('The webhook has no figures, and the person no name', { ...none, name: '' }),
  single('The channel shows initials', {}, false),
  single('A submission waited for an hour', { submittedAt: postedAt - 3_600_000 }),
  single('A result that was announced is corrected', { corrects: failedBefore, submittedAt: postedAt - 3_600_000 }),
  single('An essay that was announced is marked', { corrects: unmarkedBefore }),
  single('A person submits the same attempt again, with the same result', {
    corrects: { outcome: 'passed', points: 9, availablePoints: 10, percentage: 90, grade: 'A' },
  }),
  single('A webhook was lost', { isBackfilled: true, submittedAt: postedAt - 86_400_000 }),
  single('A webhook was lost, and nobody knows the time', { isBackfilled: true, submittedAt: null }),
];

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

const bursts: readonly Sample[] = [
  announced('People submit a quiz together', { kind: 'submissions', items: burst.slice(0, 3), ...posting }),
  announced('People submit a survey together', {
    kind: 'submissions',
    items: [survey, survey],
    ...posting,
    postedAt: postedAt - 3_600_000,
  }),
  announced('People submit three quizzes, some of them an hour ago, some late', {
    kind: 'submissions',
    items: [...burst, survey, ...essays],
    ...posting,
  }),
  announced('Results that were announced are corrected', {
    kind: 'submissions',
    items: [
      { ...burst[0]!, submission: { ...burst[0]!.submission, corrects: failedBefore } },
      { ...burst[1]!, submission: { ...burst[1]!.submission, corrects: unmarkedBefore } },
    ],
    ...posting,
  }),
  announced('Late submissions without a time', {
    kind: 'submissions',
    items: burst.slice(2).map((one) => ({ ...one, submission: { ...one.submission, submittedAt: null } })),
    ...posting,
  }),
];

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
const threads: readonly Sample[] = [
  announced('The thread of a quiz and a day', { kind: 'thread-head', counts }),
  announced('The thread of a survey', {
    kind: 'thread-head',
    counts: { ...counts, quizName: 'Onboarding survey', passed: 0, failed: 0, scored: 0, percentagesTotal: 0 },
  }),
  announced('The thread of an essay that is partly marked', {
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
];

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
const digested = (when: string, quizzes: readonly DigestOfQuiz[], overrides: Partial<Subscription> = {}) =>
  announced(when, { kind: 'digest', digest: digest({ quizzes }), subscription: { ...daily, ...overrides } });
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

const digests: readonly Sample[] = [
  digested('A daily digest of one quiz with a worse average than last week', [
    digestOfQuiz({ ...nine, weekBefore: { graded: 12, mean: 84.4 } }),
  ]),
  digested('A daily digest with a better average than last week', [
    digestOfQuiz({ ...nine, weekBefore: { graded: 12, mean: 71.2 } }),
  ]),
  digested('A daily digest with the same average as last week', [
    digestOfQuiz({ ...nine, weekBefore: { graded: 12, mean: 72.4 } }),
  ]),
  digested('A daily digest of too few submissions to compare', [digestOfQuiz(), firstAid]),
  digested('A daily digest of a survey and an essay', [
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
  digested(
    'An hourly digest of failed submissions, with initials',
    [digestOfQuiz({ submitted: 1, passed: 0, percentages: [40], mean: 40 })],
    { delivery: { kind: 'digest', every: 'hour' }, filter: { kind: 'failed' }, showsNames: false },
  ),
  digested('A digest with more names than fit', [
    digestOfQuiz({
      submitted: 40,
      passed: 10,
      failed: 30,
      percentages: [],
      failedNames: Array.from({ length: 30 }, () => 'Kim Doe'),
    }),
  ]),
  digested('A digest of more quizzes than fit', many),
];

const everyFilter: readonly Partial<Subscription>[] = [
  { quiz: null },
  { filter: { kind: 'failed' }, showsNames: false },
  { filter: { kind: 'passed' }, delivery: { kind: 'thread' } },
  { filter: { kind: 'ungraded' }, delivery: { kind: 'digest', every: 'hour' } },
  { filter: { kind: 'below', percentage: 60 }, delivery: { kind: 'digest', every: 'day', at: '08:30' } },
  { filter: { kind: 'grade', grade: 'B' }, delivery: { kind: 'digest', every: 'day', at: '08:30' }, timeZone: 'UTC' },
];
const subscriptions: readonly Sample[] = [
  ...everyFilter.map((spec, index) => ({
    when: `A subscribed channel is greeted (${index + 1})`,
    shown: drawn(subscribedNote(subscribed(spec))),
  })),
  announced('The configured channel is tested', {
    kind: 'test-alert',
    subscription: subscribed({ quiz: null, ownerId: null }),
  }),
  announced('A subscription to failed submissions is tested', {
    kind: 'test-alert',
    subscription: subscribed({ filter: { kind: 'failed' } }),
  }),
  announced('A subscription to ungraded submissions is tested', {
    kind: 'test-alert',
    subscription: subscribed({ filter: { kind: 'ungraded' }, delivery: { kind: 'digest', every: 'hour' } }),
  }),
  ...['not_in_channel', 'is_archived', 'restricted_action', 'no_permission', 'channel_shared'].map((code, index) => ({
    when: `The bot pauses the alerts of a channel (${code})`,
    shown: drawn(pausedNote(subscribed(), index, closedReason(code))),
  })),
  {
    when: 'A channel that another company shares is subscribed',
    shown: outcomeMessage(
      subscribeChannel,
      {},
      {
        kind: 'warned',
        message: sharedChannelInWords(channels.partners.id, ['Partner Training', 'Night School']),
        input: { quiz: ['q-1'] },
        confirmation: 'x',
      },
    ),
  },
];

const pause = { since: 1, until: null, by: people.erin.id };
const listed = (overrides: Partial<Subscription>, waiting = 0) => ({
  subscription: subscribed(overrides),
  waiting,
});
const list = (when: string, result: Partial<Parameters<typeof alertsPage>[0]>): Sample => ({
  when,
  shown: drawn(
    alertsPage(
      { channelId: channels.training.id, alerts: [], elsewhere: 0, ...result },
      { now: postedAt - 1, closedReason, isGone: ({ quiz }) => quiz?.id === 'q-gone' },
    ),
  ),
});
const lists: readonly Sample[] = [
  list('The subscriptions of a channel without any', { elsewhere: 1 }),
  list('The subscriptions of a person without any, in a direct message', { channelId: undefined }),
  list('The subscriptions of a channel, and the person’s own elsewhere', {
    alerts: [
      listed({ quiz: null, ownerId: null }),
      listed({ pause, filter: { kind: 'failed' } }, 1),
      listed({ pause: { ...pause, until: postedAt }, delivery: { kind: 'thread' } }, 12),
      listed({ pause: { since: 1, until: null, by: null, code: 'not_in_channel' }, channelId: channels.general.id }, 3),
    ],
    elsewhere: 2,
  }),
  list('The quiz of a subscription was deleted', { alerts: [listed({ quiz: { id: 'q-gone', name: 'Old quiz' } })] }),
  list('The subscriptions of a channel in German', { language: 'de', alerts: [listed({})] }),
  list('More subscriptions than fit', { alerts: Array.from({ length: 25 }, () => listed({})) }),
];

const state = { subscription: { subscription: subscribed(), waiting: 0 } };
const channel = { channel_id: channels.training.id, channel_name: channels.training.name };
const inTraining = { channel: '⁨#training⁩', isHere: true };
const here = { channel: hereWords, spec: subscribed({ filter: { kind: 'failed' } }) };
const answers: readonly Sample[] = [
  ...Object.entries({
    'subscribe a channel': [
      actionOf('subscribe-channel', { channel, quiz: { quiz_id: 'q-1', name: 'Fire safety' } }),
      effectOf('subscribe-channel', { channel }),
    ],
    'choose the language of a channel': [
      actionOf('set-channel-language', { channel, language: 'de' }),
      effectOf('set-channel-language', { channel, language: 'de' }),
    ],
    'unsubscribe a channel': [actionOf('unsubscribe-channel', state), effectOf('unsubscribe-channel')],
    'pause alerts': [actionOf('pause-alerts', state), effectOf('pause-alerts')],
    'resume alerts': [actionOf('resume-alerts', state), effectOf('resume-alerts')],
    'test alerts': [actionOf('test-alerts', state), effectOf('test-alerts', state)],
  }).map(([what, said]) => ({ when: `A proposal to ${what}`, shown: said.join('\n') })),
  { when: 'A channel is subscribed', shown: subscribedMessage(here) },
  ...languageCodes.map((language) => ({
    when: `The language of a channel is chosen: ${language}`,
    shown: languageChanged({ ...inTraining, language: inLanguage(language) }),
  })),
  {
    when: 'The language of another channel is the default one again',
    shown: languageChanged({ ...inTraining, isHere: false, language: inChosenLanguage('default', 'de') }),
  },
  {
    when: 'A trainer takes the language of a channel back that somebody has changed since',
    shown: languageChosenSince({ ...inTraining, language: inLanguage('pl') }),
  },
  {
    when: 'A channel had the language',
    shown: languageWasSo({ ...inTraining, language: inLanguage('fr') }),
  },
  {
    when: 'Another channel had the language',
    shown: languageWasSo({ ...inTraining, isHere: false, language: inLanguage('es') }),
  },
  { when: 'A language that the bot doesn’t speak', shown: languageField.unknown('klingon') },
  { when: 'A channel had the subscription', shown: alreadySubscribedMessage({ ...here, isPaused: false }) },
  {
    when: 'A channel had the subscription, which is paused',
    shown: alreadySubscribedMessage({ ...here, isPaused: true }),
  },
  { when: 'A channel is unsubscribed', shown: unsubscribedMessage(here, 0) },
  {
    when: 'A channel is unsubscribed while submissions wait',
    shown: unsubscribedMessage({ channel: say`the channel`, spec: subscribed({ quiz: null }) }, 3),
  },
  { when: 'Alerts are paused', shown: pausedMessage(here, '') },
  {
    when: 'Alerts are paused for a time',
    shown: pausedMessage(here, ` ${say`until ${'Tue 1 Dec, 08:00'}`}`),
  },
  {
    when: 'A digest of another channel is paused',
    shown: pausedMessage(
      {
        channel: say`the channel`,
        spec: subscribed({ delivery: { kind: 'digest', every: 'day', at: '08:30' }, filter: { kind: 'all' } }),
      },
      '',
    ),
  },
  { when: 'Alerts were paused', shown: wasPausedMessage(here, '') },
  { when: 'Alerts are resumed', shown: resumedMessage(here, 1) },
  { when: 'Alerts were not paused', shown: wasNotPausedMessage(here) },
  { when: 'Alerts are tested', shown: testedMessage(here) },
];

export const samples: readonly Sample[] = [
  ...submissions,
  ...bursts,
  ...threads,
  ...digests,
  ...subscriptions,
  ...lists,
  ...answers,
];
