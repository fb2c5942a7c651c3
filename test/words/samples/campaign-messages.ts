import { actor } from '../../support/builders/users.ts';
import { denialMessage } from '../../../src/governance/rights/rights.ts';
import type { CampaignEscalation, CampaignNotice } from '../../../src/domain/announcement.ts';
import type { BatchProgress, BatchState } from '../../../src/domain/batch.ts';
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
import { messageAfter, type Samples } from '../collect.ts';
import { batchProgress } from './batches.ts';
import { acceptedNote, closedNote, newsOf, offerNote } from '../../../src/features/campaigns/news.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { drawn } from '../../support/as-sent.ts';

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
const assigning = (overrides: Partial<BatchProgress> = {}, state: BatchState = 'running') =>
  batchProgress(state, { readyAt: monday + 600_000, ...overrides });
const board = (overrides: Overrides = {}, at = monday + 3 * dayMs, progress?: BatchProgress) =>
  announcementMessage({ kind: 'campaign-board', campaign: campaign(overrides), assigning: progress, now: at });
const crowd = (count: number) => Array.from({ length: count }, (_, index) => member(`Member ${index + 1}`));

const boards: Samples = {
  'A campaign has begun, and the quiz is being assigned': board({ members: crowd(3) }, monday, assigning()),
  'Some people could not be assigned': board(
    { members: crowd(3) },
    monday,
    assigning({ done: 500, failed: 2 }, 'finished'),
  ),
  'Assigning stopped': board(
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
  'A campaign on its fourth day': board(),
  'A campaign after its due time': board({}, dueAt + dayMs),
  'A campaign without a due time counts every submission': board({
    completeWhen: 'submitted',
    dueAt: null,
    endsAt: null,
  }),
  'A channel shows initials': board({ board: { channelId: channels.training.id, showsNames: false } }),
  'A campaign of very many people': board({ members: [...members, ...crowd(1_500)] }, monday + 40 * dayMs),
  'A campaign stands': board(standingRule, monday + 2 * dayMs),
  'A campaign stands, and some are late or have to renew their pass': board(
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
  'A campaign of very many people stands': board({ ...standingRule, members: crowd(1_500) }, monday + 40 * dayMs),
  'A campaign is over': board({ endedAt: dueAt }, dueAt + 1),
};

const ends: Samples = {
  'A campaign ended': announcementMessage({ kind: 'campaign-end', campaign: campaign({ endedAt: dueAt }), now: dueAt }),
  'A campaign ended, and everybody passed': announcementMessage({
    kind: 'campaign-end',
    campaign: campaign({ members: members.slice(0, 2), endedAt: dueAt }),
    now: dueAt,
  }),
};

const notice = {
  campaignId: 'c-1',
  quizId: 'q-1',
  quizName: 'Fire safety',
  by: people.tom.id,
  dueAt,
  isReminder: false,
  takeUrl: 'https://quiz.example/take/q-1',
};
const notices = (...all: Partial<CampaignNotice>[]) =>
  announcementMessage({
    kind: 'campaign-notices',
    notices: all.map((overrides) => ({ ...notice, ...overrides })),
    now: monday,
  });
const messages: Samples = {
  'A campaign asks the reader': notices({}),
  'A campaign without a due time asks the reader, and the account has no address to take quizzes': notices({
    dueAt: null,
    takeUrl: undefined,
  }),
  'A campaign asks the reader in the words of the person who started it': notices({
    words: 'Please take it before the audit & the visit',
    takesMinutes: 6,
  }),
  'Two campaigns ask the reader, one in the words of the person who started it': notices(
    { words: 'The audit is on Friday', takesMinutes: 1 },
    { campaignId: 'c-2', quizId: 'q-2', quizName: 'Food hygiene' },
  ),
  'A campaign reminds the reader': notices({ isReminder: true }),
  'A campaign that stands asks the reader again': notices({ validUntil: dueAt }),
  'A campaign reminds the reader, whose pass ends': notices({ isReminder: true, validUntil: dueAt }),
  'A campaign reminds the reader, whose pass has ended': notices({
    isReminder: true,
    dueAt: monday - dayMs,
    validUntil: monday - dayMs,
  }),
  'Two campaigns write to the reader, one of which stands': notices(
    { validUntil: dueAt },
    { campaignId: 'c-2', quizId: 'q-2', quizName: 'Food hygiene', isReminder: true },
  ),
  'A campaign reminds the reader after the due time': notices({ isReminder: true, dueAt: monday - dayMs }),
  'A campaign reminds a reader who did not pass': notices({ isReminder: true, hasFailed: true }),
  'A campaign reminds a reader who did not pass, after the due time': notices({
    isReminder: true,
    hasFailed: true,
    dueAt: monday - dayMs,
  }),
  'Two campaigns for quizzes of one name write to the reader': notices(
    {},
    { campaignId: 'c-2', quizId: 'q-2', dueAt: monday + dayMs, by: people.ada.id },
  ),
  'Two campaigns for one quiz write to the reader': notices({}, { campaignId: 'c-2', dueAt: null }),
};

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
const answers: Samples = {
  'The reader said that a quiz isn’t for them': notForReader,
  'The reader took that back': await afterAnswer(notForReader, forMe, inCampaign),
  'The reader snoozed a reminder': await afterAnswer(reminded, snoozeReminders, inCampaign),
};

const report = { userId: 'Ana Costa', name: 'Ana Costa', quizzes: [{ campaignId: 'c-1', quizName: 'Fire safety' }] };
const about = { user: [report.userId], ...inCampaign };
const list = announcementMessage({ kind: 'campaign-reports', people: [report] });
const notTheirs = await afterAnswer(list, notMyReport, about);
const managerAnswers: Samples = {
  'A manager said that somebody isn’t their report': notTheirs,
  'A manager took that back': await afterAnswer(notTheirs, myReportAfterAll, about),
};

const escalation = {
  campaignId: 'c-1',
  quizName: 'Fire safety',
  dueAt,
  names: ['Ana Costa', 'Ravi Banerjee'],
  missing: 2,
  takeUrl: undefined,
};
const escalated = (...all: Partial<CampaignEscalation>[]) =>
  announcementMessage({
    kind: 'campaign-escalations',
    escalations: all.map((overrides) => ({ ...escalation, ...overrides })),
  });
const own = { ownQuizId: 'q-1', takeUrl: 'https://quiz.example/take/q-1' };
/** What a campaign says to those who answer for it once it has become so. */
const news = (after: Overrides, events: readonly CampaignEvent[] = []) =>
  noteOf(newsOf(campaign({ members: quiet }), campaign({ members: quiet, ...after }), events));
function noteOf([first]: ReturnType<typeof newsOf>): Message {
  if (first?.message.kind !== 'note') throw new Error('there is no news');
  return drawn(first.message.note);
}
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
const leads: Samples = {
  'A campaign tells the lead who is missing': escalated({}),
  'One person is missing': escalated({ names: ['Ana Costa'], missing: 1 }),
  'One person is missing, and no message reaches others': escalated({
    names: ['Ana Costa'],
    missing: 1,
    unreached: { names: ['Rosa Almeida', 'Sven'], count: 2 },
  }),
  'No message reaches those who are missing': escalated({
    names: [],
    missing: 0,
    unreached: { names: ['Rosa Almeida'], count: 1 },
  }),
  'The lead is among the missing people': escalated(own),
  'The lead alone is missing': escalated({ ...own, names: ['Ana Costa'], missing: 1 }),
  'More people are missing than fit': escalated({ names: crowd(50).map(({ name }) => name), missing: 120 }),
  'Four campaigns tell their lead who is missing': escalated(
    {},
    { campaignId: 'c-2', quizName: 'Food hygiene', names: crowd(50).map(({ name }) => name), missing: 120 },
    { campaignId: 'c-3', quizName: 'Ladders', dueAt: null, ...own, unreached: { names: ['Sven'], count: 1 } },
    { campaignId: 'c-4', quizName: 'First aid', ...own, names: ['Tom Lindqvist'], missing: 1 },
  ),
  'More campaigns tell their lead who is missing than fit in a message': escalated(
    ...Array.from({ length: 30 }, (_, index) => ({ campaignId: `c-${index}`, quizName: `Drill ${index + 1}` })),
  ),
  'A member says that a quiz isn’t for them': news({}, [{ kind: 'not-me', userId: 'Kim Doe', at: monday }]),
  'The week, with something to say of each kind': announcementMessage({
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
  'The week, with more than fits': announcementMessage({
    kind: 'campaign-weeks',
    weeks: Array.from({ length: 12 }, (_, number) => ({
      campaignId: `c-${number}`,
      quizName: `Drill ${number + 1}`,
      done: 1,
      late: crowd(15).map(({ name }) => name),
      expiring: 0,
    })),
  }),
  'A manager has one late person': announcementMessage({
    kind: 'campaign-reports',
    people: [{ userId: 'u-1', name: 'Kim Doe', quizzes: [{ campaignId: 'c-1', quizName: 'Fire safety' }] }],
  }),
  'A manager has more late people than fit': announcementMessage({
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
  'A manager says that a member is not their report': news({}, [{ kind: 'not-report', userId: 'Kim Doe', by: 'UADA' }]),
  'The quiz of a campaign was closed': news({ obstacle: { ...obstacle, by: 'UADA' } }),
  'The quiz of a campaign isn’t open any more': news({ obstacle: { ...obstacle, by: null } }),
  ...Object.fromEntries(
    ([['lead'], ['owner'], ['owner', 'lead']] as const).map((who) => [
      `Who answers for a campaign can’t any more: ${who.join(' and ')}`,
      news({ unable: who }),
    ]),
  ),
  'Somebody is asked to answer for a campaign': drawn(offerNote(campaign(), { by: 'UTOM', at: 1 })),
  'Somebody has accepted to answer for a campaign': drawn(acceptedNote(campaign(), 'UADA')),
  'The quiz of a campaign could not be assigned to two people': news(unassigned('Ana Costa', 'Rosa Almeida'), [
    { kind: 'not-assigned', userIds: ['Ana Costa', 'Rosa Almeida'] },
  ]),
  'The quiz of a campaign could not be assigned to one person': news(unassigned('Ana Costa'), [
    { kind: 'not-assigned', userIds: ['Ana Costa'] },
  ]),
  'Assigning the quiz of a campaign has stopped': news({ assigning: assigningBy(true) }),
  ...Object.fromEntries(
    ([['owner'], ['many people', 'other people']] as const).map((why) => [
      `People who joined wait to be taken in: ${why.join(' and ')}`,
      news(joined(25, why)),
    ]),
  ),
  'Somebody who joined waits to be taken in': news(joined(1, ['other people'])),
  'A campaign can’t follow a channel and a user group any more': news({
    unreadable: ['channel:C0KITCHEN|kitchen', 'usergroup:S0KITCHEN|kitchen-team'],
  }),
  'Another company reads the channel of a board': news(
    { board: { channelId: channels.training.id, showsNames: true } },
    [{ kind: 'board-shared', at: monday }],
  ),
  'A campaign can’t follow a user group any more': news({ unreadable: ['usergroup:S0KITCHEN|kitchen-team'] }),
  'Nobody is left in an ongoing campaign': noteOf(newsOf(standingCampaign(), standingCampaign({ members: [] }), [])),
  ...Object.fromEntries(
    ['not_in_channel', 'is_archived'].map((code) => [
      `Slack doesn’t let the bot post a board (${code})`,
      drawn(closedNote(campaign(), channels.training.id, closedReason(code))),
    ]),
  ),
};

export const samples: Samples = {
  ...boards,
  ...ends,
  ...messages,
  ...answers,
  ...managerAnswers,
  ...leads,
};
