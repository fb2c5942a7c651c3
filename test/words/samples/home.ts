import { denialMessage } from '../../../src/governance/rights/rights.ts';
import type { OutcomeCounts } from '../../../src/domain/submission-outcome.ts';
import type { AssignedQuizResult } from '../../../src/features/quizzes/own-quizzes.ts';
import type { Right } from '../../../src/operations/context.ts';
import { todayFrom, type TodayFacts } from '../../../src/features/administration/today.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import { homePage, type HomeFacts } from '../../../src/features/administration/pages/home.ts';
import { homeView, sorryView } from '../../../src/slack/home.ts';
import { commandsView } from '../../../src/slack/views/help.ts';
import { serviceUp } from '../../support/builders/findings.ts';
import { alertsStatus, subscription } from '../../support/builders/alerts.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import {
  assignedQuiz,
  needyCampaigns,
  needyFacts,
  todayFacts,
  dueQuiz,
  openPreview,
} from '../../support/builders/today.ts';
import { monday, standingCampaign, campaignMember, dayMs } from '../../support/builders/campaigns.ts';
import { actor } from '../../support/builders/users.ts';
import type { Samples } from '../collect.ts';
import { todayPage } from '../../../src/features/administration/pages/today.ts';
import { closeQuiz } from '../../../src/features/quizzes/open-and-close.ts';
import { undoPage } from '../../../src/features/administration/take-back.ts';
import { asSaid, joinSaid, say } from '../../../src/domain/said.ts';
import { runStep } from '../../../src/operations/page.ts';
import { offeredBy } from '../../../src/governance/rights/policy.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { moment } from '../../../src/time/date-words.ts';
import { drawn } from '../../support/as-sent.ts';

const nothing: HomeFacts = {
  openQuizzes: [],
  today: todayFrom(todayFacts()),
  campaigns: [],
  now: monday,
  own: undefined,
  asked: [],
  status: undefined,
  messages: 'on',
  monday: undefined,
  language: { chosen: undefined, inSlack: 'en' },
};

function home(user: Parameters<typeof actor>[0], rights: readonly Right[], facts: Partial<HomeFacts>, isOwner = false) {
  const offered = new Set(catalog.filter(({ right }) => rights.includes(right)).map(({ name }) => name));
  const reader = { actor: { ...actor(user), isOwner }, rights: new Set(rights), offered, timeZone: 'UTC' };
  return homeView(homePage(reader, { ...nothing, ...facts }), offered);
}

const openQuiz = (
  name: string,
  counts: Partial<OutcomeCounts> | undefined,
  assigned = 0,
): HomeFacts['openQuizzes'][number] => ({
  quiz: { quiz_id: name, name, status: 'open', date_created: null },
  counts: counts && { submitted: 0, passed: 0, failed: 0, unmarked: 0, ...counts },
  assigned,
});

const taken = assignedQuiz({
  name: 'Fire safety',
  isDue: false,
  takeUrl: undefined,
  response_id: 'r-1',
  date_submitted: '2026-11-10 10:00:00',
  points: 9,
  available_points: 10,
  percentage_score: 90,
  pass: true,
  attempt: 1,
  status: 'submitted',
  outcome: 'passed',
});

const status = {
  health: serviceUp,
  unreadable: [],
  requestsLeft: [
    { windowMs: 60_000, left: 58, limit: 60 },
    { windowMs: 3_600_000, left: 1_990, limit: 2_000 },
  ],
  alerts: alertsStatus(),
  undelivered: { count: 0, lastAt: undefined },
};

const open = assignedQuiz();
const essay = assignedQuiz({ quiz_id: 'q-2', name: 'Essay', status: 'not_submitted' });

function respondentWith(quizzes: AssignedQuizResult[], leftOut = 0, messages: 'on' | 'off' = 'on') {
  const own = { quizzes, leftOut, isStillReading: leftOut > 0 };
  return home({}, ['known'], { today: todayFrom(todayFacts({ own })), own, messages });
}

const endOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const hygiene = { quizId: 'q-1', name: 'Food hygiene', isOverdue: false };
/** Their pass is valid, or to be renewed, or was valid. */
const renewed = [
  assignedQuiz({
    ...taken,
    obligation: { ...hygiene, isAsked: false, validUntil: endOf('2027-05-04'), renewFrom: endOf('2027-04-04') },
  }),
  assignedQuiz({
    ...taken,
    quiz_id: 'q-2',
    name: 'Ladders',
    obligation: { ...hygiene, isAsked: false, validUntil: endOf('2027-06-01') },
  }),
];

const trainer: readonly Right[] = ['known', 'staff', 'edit_quizzes'];

function today(rights: readonly Right[], facts: Partial<TodayFacts>, isReply = false): Message {
  const offered = offeredBy(new Set(rights));
  const example = isReply ? undefined : 'Food hygiene';
  return drawn(todayPage({ today: todayFrom(todayFacts(facts)), example, isReply }, offered), offered);
}

const { missed, reminding, unreachable, dueSoon, notTheirs, toMark, closed, gone } = needyCampaigns();
const alone = [campaignMember('rosa')];

const todays: Samples = {
  '/quiz undo: what can be undone': drawn(
    undoPage([
      {
        lines: [
          say`${asSaid(closeQuiz.submit)}: ${joinSaid([say`*${'Food hygiene'}*`], ', ')} · ${moment(Date.UTC(2026, 10, 20, 9))}`,
        ],
        steps: [runStep(say`Open again`, { name: 'open-quiz' }, {})],
      },
    ]),
  ),
  '/quiz undo: nothing can be undone': drawn(undoPage([])),
  'A trainer with campaigns that need them': today(trainer, {
    campaigns: [missed, unreachable, dueSoon, notTheirs, toMark],
  }),
  'A trainer whose people are being reminded, and whose campaigns stand still': today(trainer, {
    campaigns: [reminding, closed, gone],
    paused: ['is_archived', 'channel_shared'].map((code) =>
      subscription({ pause: { since: monday - dayMs, until: null, by: null, code } }),
    ),
    previews: [openPreview()],
  }),
  'A trainer with one person missing': today(trainer, {
    campaigns: [
      { ...missed, members: alone },
      { ...dueSoon, members: alone },
    ],
  }),
  'A trainer with more than fits': today(trainer, { ...needyFacts(), own: undefined }),
  'A respondent with quizzes to take': today(['known'], {
    obligations: [
      dueQuiz({ quizId: 'q-late', name: 'Manual handling', dueAt: monday - dayMs }),
      dueQuiz(),
      dueQuiz({ quizId: 'q-any', name: 'Team survey', dueAt: undefined, takeUrl: undefined }),
    ],
  }),
  'A respondent whose pass ends, and one whose pass has ended': today(['known'], {
    obligations: [
      dueQuiz({ dueAt: monday + 10 * dayMs, validUntil: monday + 10 * dayMs }),
      dueQuiz({ quizId: 'q-over', name: 'Manual handling', dueAt: monday - dayMs, validUntil: monday - dayMs }),
    ],
  }),
  'A trainer whose campaign stands': today(trainer, {
    campaigns: [
      standingCampaign({ members: [campaignMember('gus', { addedAt: monday - 10 * dayMs })] }),
      standingCampaign(),
    ],
  }),
  'A respondent with more quizzes than fit': today(['known'], {
    obligations: Array.from({ length: 7 }, (_, index) => dueQuiz({ quizId: `q-${index}` })),
  }),
  'A trainer without anything to do': today(trainer, {}),
  'A respondent without anything to do': today(['known'], {}),
  'A trainer writes to the bot what is no command': today(trainer, { campaigns: [missed] }, true),
};

export const samples: Samples = {
  'A respondent with quizzes to take and results': respondentWith([open, essay, taken], 2),
  'A respondent whose passes count for a time': respondentWith(renewed),
  'A respondent with nothing to take, who stopped the messages': respondentWith([taken], 0, 'off'),
  'A respondent with more quizzes to take than fit': respondentWith(
    Array.from({ length: 12 }, (_, index) => assignedQuiz({ quiz_id: `q-${index}`, takeUrl: undefined })),
  ),
  'A trainer with work to do': home(
    { user_type: 'trainer', first_name: 'Erin', last_name: 'Castellanos' },
    ['known', 'staff', 'edit_quizzes'],
    {
      openQuizzes: [
        openQuiz('Food hygiene', { submitted: 12, passed: 9, failed: 3 }),
        openQuiz('Essay', { submitted: 12, passed: 6, failed: 2, unmarked: 4 }),
        openQuiz('Short essay', { submitted: 1, unmarked: 1 }),
        openQuiz('Team survey', { submitted: 1 }),
        openQuiz('Fire drill', {}, 12),
        openQuiz('Ladders', {}, 1),
        openQuiz('Forklifts', {}),
        openQuiz('First aid', undefined),
      ],
      today: todayFrom({ ...needyFacts(), own: undefined }),
      campaigns: [standingCampaign(), ...Object.values(needyCampaigns()).slice(0, 7)],
      asked: [approvalRequest({ expiresAt: Date.UTC(2026, 10, 22, 9) })],
    },
  ),
  'A trainer with more open quizzes and requests of their own than fit': home(
    { user_type: 'trainer' },
    ['known', 'staff'],
    {
      openQuizzes: Array.from({ length: 14 }, (_, index) => openQuiz(`Quiz ${index + 1}`, undefined)),
      monday: 'off',
      asked: Array.from({ length: 6 }, () => approvalRequest({ expiresAt: Date.UTC(2026, 10, 22, 9) })),
    },
  ),
  'An administrator': home(
    { user_type: 'administrator', first_name: 'Ada', last_name: 'Okafor' },
    ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'],
    { status, monday: 'on' },
  ),
  'An owner without a quiz user': home(
    undefined,
    ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'],
    { messages: undefined },
    true,
  ),
  'A person without access': sorryView(
    denialMessage(actor(undefined, { nobody: 'guest' }), 'known', { name: 'Slack' }),
  ),
  'The commands behind the button': commandsView([]),
  ...todays,
};
