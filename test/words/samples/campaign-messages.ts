import { actor } from '../../support/builders/users.ts';
import { denialMessage } from '../../../src/governance/rights/rights.ts';
import { named, countOf, say } from '../../../src/domain/said.ts';
import type { Announcement, CampaignEscalation, CampaignNotice } from '../../../src/domain/announcement.ts';
import type { BatchProgress } from '../../../src/domain/batch.ts';
import type { Campaign, CampaignEvent, CampaignResult, Candidate } from '../../../src/domain/campaign.ts';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import {
  forMe,
  myReportAfterAll,
  notMe,
  notMyReport,
  snoozeReminders,
} from '../../../src/features/campaigns/operations/own-answers.ts';
import type { OperationContext } from '../../../src/operations/context.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import type { TextInput } from '../../../src/operations/text-input.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import {
  campaignMember,
  campaignOf,
  dayMs,
  monday,
  standingCampaign,
  standingRule,
  type MemberOverrides,
} from '../../support/builders/campaigns.ts';
import { messageAfter, type Sample } from '../sample.ts';
import { acceptedNote, closedNote, newsOf, offerNote } from '../../../src/features/campaigns/news.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { drawn } from '../../support/as-sent.ts';

const announced = (when: string, announcement: Announcement): Sample => ({
  when,
  shown: announcementMessage(announcement),
});

const result = (
  submittedAt: number,
  outcome: CampaignResult['outcome'] = 'passed',
): Pick<MemberOverrides, 'result'> => ({ result: { outcome, percentage: 80, submittedAt } });
const member = (name: string, overrides: MemberOverrides = {}) =>
  campaignMember(name, { notifiedAt: monday, ...overrides });
const dueAt = monday + 7 * dayMs;
const members = [
  member('Rosa Almeida', result(monday + 3_600_000)),
  member('Mei Tanaka', result(monday + dayMs)),
  member('Ravi Banerjee', result(monday + 2 * dayMs, 'failed')),
  member('Kofi Brandt', result(monday + 2 * dayMs, 'unmarked')),
  member('Kim Doe', { saidNotMeAt: monday + dayMs }),
  member('Omar Said', { excused: { by: people.tom.id, reason: 'Long leave', at: monday } }),
  member('Ana Costa'),
];
type Overrides = Parameters<typeof campaignOf>[0];
const campaign = (overrides: Overrides = {}): Campaign =>
  campaignOf({
    members,
    ownerId: people.tom.id,
    board: { channelId: channels.training.id, showsNames: true },
    dueAt,
    timeZone: 'Europe/Berlin',
    ...overrides,
  });
const assigning = (
  overrides: Partial<BatchProgress> = {},
  state: BatchProgress['batch']['state'] = 'running',
): BatchProgress => ({
  batch: {
    id: 'b-1',
    action: say`assign ${named('Fire safety')} to ${countOf(500, 'person', 'people')}`,
    ownerId: people.tom.id,
    state,
    startedAt: monday,
    endedAt: null,
  },
  total: 500,
  done: 120,
  failed: 0,
  skipped: 0,
  readyAt: monday + 600_000,
  ...overrides,
});
const board = (when: string, overrides: Overrides = {}, at = monday + 3 * dayMs, progress?: BatchProgress) =>
  announced(when, { kind: 'campaign-board', campaign: campaign(overrides), assigning: progress, now: at });
const crowd = (count: number) => Array.from({ length: count }, (_, index) => member(`Member ${index + 1}`));

const boards: readonly Sample[] = [
  board('A campaign has begun, and the quiz is being assigned', { members: crowd(3) }, monday, assigning()),
  board(
    'Some people could not be assigned',
    { members: crowd(3) },
    monday,
    assigning({ done: 500, failed: 2 }, 'finished'),
  ),
  board(
    'Assigning stopped',
    { members: crowd(3) },
    monday,
    assigning(
      {
        failed: 2,
        readyAt: undefined,
        problem: denialMessage(actor({ user_type: 'trainer' }), 'edit_quizzes', { name: 'Slack' }),
      },
      'stopped',
    ),
  ),
  board('A campaign on its fourth day'),
  board('A campaign after its due time', {}, dueAt + dayMs),
  board('A campaign without a due time counts every submission', {
    completeWhen: 'submitted',
    dueAt: null,
    endsAt: null,
  }),
  board('A channel shows initials', { board: { channelId: channels.training.id, showsNames: false } }),
  board('A campaign of very many people', { members: [...members, ...crowd(1_500)] }, monday + 40 * dayMs),
  board('A campaign stands', standingRule, monday + 2 * dayMs),
  board(
    'A campaign stands, and some are late or have to renew their pass',
    {
      ...standingRule,
      startedAt: monday - 365 * dayMs,
      members: [
        ...members,
        member('Ivo Lang', { addedAt: monday - 30 * dayMs, personId: null }),
        member('Nora Fields', { addedAt: monday - 400 * dayMs, ...result(monday - 350 * dayMs) }),
        member('Gus Hartmann', { addedAt: monday - 400 * dayMs, ...result(monday - 380 * dayMs) }),
        member('Erin Castellanos', { stays: [{ from: monday - 90 * dayMs, to: monday - dayMs }] }),
      ],
    },
    monday + 2 * dayMs,
  ),
  board('A campaign of very many people stands', { ...standingRule, members: crowd(1_500) }, monday + 40 * dayMs),
  board('A campaign is over', { endedAt: dueAt }, dueAt + 1),
];

const ends: readonly Sample[] = [
  announced('A campaign ended', { kind: 'campaign-end', campaign: campaign({ endedAt: dueAt }), now: dueAt }),
  announced('A campaign ended, and everybody passed', {
    kind: 'campaign-end',
    campaign: campaign({ members: members.slice(0, 2), endedAt: dueAt }),
    now: dueAt,
  }),
];

const notice = {
  campaignId: 'c-1',
  quizId: 'q-1',
  quizName: 'Fire safety',
  by: people.tom.id,
  dueAt,
  isReminder: false,
  takeUrl: 'https://quiz.example/take/q-1',
};
const notices = (when: string, ...all: Partial<CampaignNotice>[]) =>
  announced(when, {
    kind: 'campaign-notices',
    notices: all.map((overrides) => ({ ...notice, ...overrides })),
    now: monday,
  });
const messages: readonly Sample[] = [
  notices('A campaign asks the reader', {}),
  notices('A campaign without a due time asks the reader, and the account has no address to take quizzes', {
    dueAt: null,
    takeUrl: undefined,
  }),
  notices('A campaign asks the reader in the words of the person who started it', {
    words: 'Please take it before the audit & the visit',
    takesMinutes: 6,
  }),
  notices(
    'Two campaigns ask the reader, one in the words of the person who started it',
    { words: 'The audit is on Friday', takesMinutes: 1 },
    { campaignId: 'c-2', quizId: 'q-2', quizName: 'Food hygiene' },
  ),
  notices('A campaign reminds the reader', { isReminder: true }),
  notices('A campaign that stands asks the reader again', { validUntil: dueAt }),
  notices('A campaign reminds the reader, whose pass ends', { isReminder: true, validUntil: dueAt }),
  notices('A campaign reminds the reader, whose pass has ended', {
    isReminder: true,
    dueAt: monday - dayMs,
    validUntil: monday - dayMs,
  }),
  notices(
    'Two campaigns write to the reader, one of which stands',
    { validUntil: dueAt },
    { campaignId: 'c-2', quizId: 'q-2', quizName: 'Food hygiene', isReminder: true },
  ),
  notices('A campaign reminds the reader after the due time', { isReminder: true, dueAt: monday - dayMs }),
  notices('A campaign reminds a reader who did not pass', { isReminder: true, hasFailed: true }),
  notices('A campaign reminds a reader who did not pass, after the due time', {
    isReminder: true,
    hasFailed: true,
    dueAt: monday - dayMs,
  }),
  notices(
    'Three campaigns write to the reader',
    {},
    { campaignId: 'c-2', quizId: 'q-2', quizName: 'Food hygiene', isReminder: true },
    { campaignId: 'c-3', quizId: 'q-3', quizName: 'Ladders', dueAt: null, by: people.ada.id },
  ),
  notices(
    'Two campaigns for quizzes of one name write to the reader',
    {},
    { campaignId: 'c-2', quizId: 'q-2', dueAt: monday + dayMs, by: people.ada.id },
  ),
  notices('Two campaigns for one quiz write to the reader', {}, { campaignId: 'c-2', dueAt: null }),
];

const reminded = announcementMessage({
  kind: 'campaign-notices',
  notices: [{ ...notice, isReminder: true }],
  now: monday,
});
/** The member of the campaign and their manager are the same person here. */
const answering = {
  actor: { ...actor({ user_id: 'Ana Costa' }), personId: 'UZOE' },
  identity: { actorOf: async () => actor({ user_id: 'Ana Costa' }) },
  campaigns: {
    byId: async () => campaign({ members: [member('Ana Costa', { managerId: 'UZOE', notReportOf: ['UZOE'] })] }),
    put: async () => {},
  },
  now: () => monday,
} as unknown as OperationContext;
const afterAnswer = async (message: Message, operation: Operation, input: TextInput) =>
  messageAfter(message, { operation, input, opens: operation === snoozeReminders ? 'button' : 'row' }, answering);
const inCampaign = { campaigns: ['c-1'] };
const notForReader = await afterAnswer(reminded, notMe, inCampaign);
const answers: readonly Sample[] = [
  { when: 'The reader said that a quiz isn’t for them', shown: notForReader },
  { when: 'The reader took that back', shown: await afterAnswer(notForReader, forMe, inCampaign) },
  { when: 'The reader snoozed a reminder', shown: await afterAnswer(reminded, snoozeReminders, inCampaign) },
];

const report = { userId: 'Ana Costa', name: 'Ana Costa', quizzes: [{ campaignId: 'c-1', quizName: 'Fire safety' }] };
const about = { user: [report.userId], ...inCampaign };
const list = announcementMessage({ kind: 'campaign-reports', people: [report] });
const notTheirs = await afterAnswer(list, notMyReport, about);
const managerAnswers: readonly Sample[] = [
  { when: 'A manager said that somebody isn’t their report', shown: notTheirs },
  { when: 'A manager took that back', shown: await afterAnswer(notTheirs, myReportAfterAll, about) },
];

const escalation = {
  campaignId: 'c-1',
  quizName: 'Fire safety',
  dueAt,
  names: ['Ana Costa', 'Ravi Banerjee'],
  missing: 2,
  takeUrl: undefined,
};
const escalated = (when: string, ...all: Partial<CampaignEscalation>[]) =>
  announced(when, {
    kind: 'campaign-escalations',
    escalations: all.map((overrides) => ({ ...escalation, ...overrides })),
  });
const own = { ownQuizId: 'q-1', takeUrl: 'https://quiz.example/take/q-1' };
/** What a campaign says to those who answer for it once it has become so. */
const news = (when: string, after: Overrides, events: readonly CampaignEvent[] = []): Sample[] =>
  newsOf(campaign({ members: quiet }), campaign({ members: quiet, ...after }), events).flatMap(({ message }) =>
    message.kind === 'note' ? [{ when, shown: drawn(message.note) }] : [],
  );
const quiet = ['Kim Doe', 'Ana Costa', 'Rosa Almeida'].map((name) => member(name));
const obstacle = { status: 'closed', since: monday } as const;
const assigningBy = (isStopped: boolean) => ({ batchId: 'b-1', isStopped });
const unassigned = (...userIds: string[]): Overrides => ({
  assigning: assigningBy(false),
  members: userIds.map((userId) => member(userId, { assignment: 'failed' })),
});
const joined = (count: number, why: readonly Candidate['why'][]): Overrides => ({
  candidates: {
    askedAt: monday,
    people: crowd(count).map(({ name }, index) => ({
      userId: name,
      name: count === 1 ? 'Ana Costa' : name,
      since: monday,
      why: why[index % why.length]!,
    })),
  },
});
const leads: readonly Sample[] = [
  escalated('A campaign tells the lead who is missing', {}),
  escalated('One person is missing', { names: ['Ana Costa'], missing: 1 }),
  escalated('One person is missing, and no message reaches others', {
    names: ['Ana Costa'],
    missing: 1,
    unreached: { names: ['Rosa Almeida', 'Sven'], count: 2 },
  }),
  escalated('No message reaches those who are missing', {
    names: [],
    missing: 0,
    unreached: { names: ['Rosa Almeida'], count: 1 },
  }),
  escalated('The lead is among the missing people', own),
  escalated('The lead alone is missing', { ...own, names: ['Ana Costa'], missing: 1 }),
  escalated('More people are missing than fit', { names: crowd(50).map(({ name }) => name), missing: 120 }),
  escalated(
    'Four campaigns tell their lead who is missing',
    {},
    { campaignId: 'c-2', quizName: 'Food hygiene', names: crowd(50).map(({ name }) => name), missing: 120 },
    { campaignId: 'c-3', quizName: 'Ladders', dueAt: null, ...own, unreached: { names: ['Sven'], count: 1 } },
    { campaignId: 'c-4', quizName: 'First aid', ...own, names: ['Tom Lindqvist'], missing: 1 },
  ),
  escalated(
    'More campaigns tell their lead who is missing than fit in a message',
    ...Array.from({ length: 30 }, (_, index) => ({ campaignId: `c-${index}`, quizName: `Drill ${index + 1}` })),
  ),
  ...news('A member says that a quiz isn’t for them', {}, [{ kind: 'not-me', userId: 'Kim Doe', at: monday }]),
  announced('The week, with something to say of each kind', {
    kind: 'campaign-weeks',
    weeks: [
      { campaignId: 'c-1', quizName: 'Fire safety', done: 8, late: ['Ana Costa', 'Ravi Banerjee'], expiring: 0 },
      {
        campaignId: 'c-2',
        quizName: 'Food hygiene',
        done: 1,
        late: ['Kim Doe'],
        expiring: 3,
        failed: { quizId: 'q-2', question: 'What do you do first when oil burns?', asked: 31, wrong: 14 },
      },
    ],
  }),
  announced('The week, with more than fits', {
    kind: 'campaign-weeks',
    weeks: Array.from({ length: 12 }, (_, number) => ({
      campaignId: `c-${number}`,
      quizName: `Drill ${number + 1}`,
      done: 1,
      late: crowd(15).map(({ name }) => name),
      expiring: 0,
    })),
  }),
  announced('A manager has one late person', {
    kind: 'campaign-reports',
    people: [{ userId: 'u-1', name: 'Kim Doe', quizzes: [{ campaignId: 'c-1', quizName: 'Fire safety' }] }],
  }),
  announced('A manager has more late people than fit', {
    kind: 'campaign-reports',
    people: crowd(60).map(({ name }, index) => ({
      userId: `u-${index}`,
      name,
      quizzes: Array.from({ length: index === 0 ? 12 : 2 }, (_, number) => ({
        campaignId: `c-${number}`,
        quizName: `Drill ${number + 1}`,
      })),
    })),
  }),
  ...news('A manager says that a member is not their report', {}, [
    { kind: 'not-report', userId: 'Kim Doe', by: 'UADA' },
  ]),
  ...news('The quiz of a campaign was closed', { obstacle: { ...obstacle, by: 'UADA' } }),
  ...news('The quiz of a campaign isn’t open any more', { obstacle: { ...obstacle, by: null } }),
  ...([['lead'], ['owner'], ['owner', 'lead']] as const).flatMap((who) =>
    news(`Who answers for a campaign can’t any more: ${who.join(' and ')}`, { unable: who }),
  ),
  {
    when: 'Somebody is asked to answer for a campaign',
    shown: drawn(offerNote(campaign(), { by: 'UTOM', at: 1 })),
  },
  {
    when: 'Somebody has accepted to answer for a campaign',
    shown: drawn(acceptedNote(campaign(), 'UADA')),
  },
  ...news('The quiz of a campaign could not be assigned to two people', unassigned('Ana Costa', 'Rosa Almeida'), [
    { kind: 'not-assigned', userIds: ['Ana Costa', 'Rosa Almeida'] },
  ]),
  ...news('The quiz of a campaign could not be assigned to one person', unassigned('Ana Costa'), [
    { kind: 'not-assigned', userIds: ['Ana Costa'] },
  ]),
  ...news('Assigning the quiz of a campaign has stopped', { assigning: assigningBy(true) }),
  ...([['many people'], ['other people'], ['owner'], ['many people', 'other people']] as const).flatMap((why) =>
    news(`People who joined wait to be taken in: ${why.join(' and ')}`, joined(25, why)),
  ),
  ...news('Somebody who joined waits to be taken in', joined(1, ['other people'])),
  ...news('A campaign can’t follow a channel and a user group any more', {
    unreadable: ['channel:C0KITCHEN|kitchen', 'usergroup:S0KITCHEN|kitchen-team'],
  }),
  ...news(
    'Another company reads the channel of a board',
    { board: { channelId: channels.training.id, showsNames: true } },
    [{ kind: 'board-shared', at: monday }],
  ),
  ...news('A campaign can’t follow a user group any more', { unreadable: ['usergroup:S0KITCHEN|kitchen-team'] }),
  ...newsOf(standingCampaign(), standingCampaign({ members: [] }), []).flatMap(({ message }) =>
    message.kind === 'note' ? [{ when: 'Nobody is left in an ongoing campaign', shown: drawn(message.note) }] : [],
  ),
  ...['not_in_channel', 'is_archived'].map((code) => ({
    when: `Slack doesn’t let the bot post a board (${code})`,
    shown: drawn(closedNote(campaign(), channels.training.id, closedReason(code))),
  })),
];

const batches: readonly Sample[] = [
  announced('A batch runs', { kind: 'batch-progress', progress: assigning(), now: monday }),
  announced('A batch stopped', {
    kind: 'batch-progress',
    progress: assigning(
      { failed: 1, problem: denialMessage(actor({ user_type: 'trainer' }), 'edit_quizzes', { name: 'Slack' }) },
      'stopped',
    ),
    now: monday,
  }),
];

export const samples: readonly Sample[] = [
  ...boards,
  ...ends,
  ...messages,
  ...answers,
  ...managerAnswers,
  ...leads,
  ...batches,
];
