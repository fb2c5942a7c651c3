import {
  hereWords,
  inLanguage,
  languageChanged,
  languageWasSo,
} from '../../../src/features/alerts/operations/alert-words.ts';
import { batchWords } from '../../../src/features/batches/operations/batch-words.ts';
import { say, named, namedPerson } from '../../../src/domain/said.ts';
import {
  addedMessage,
  assignedWords,
  nobodyAddedMessage,
  whyNotAdded,
} from '../../../src/features/campaigns/operations/add.ts';
import { endedMessage } from '../../../src/features/campaigns/operations/end-and-report.ts';
import { excusedMessage, includedMessage } from '../../../src/features/campaigns/operations/excuse-and-include.ts';
import { extendedMessage } from '../../../src/features/campaigns/operations/change-campaign.ts';
import { offeredMessage, takenOverMessage } from '../../../src/features/campaigns/operations/hand-over.ts';
import { joiningMessage } from '../../../src/features/campaigns/operations/start-campaign.ts';
import { remindedMessage, unreachedMessages } from '../../../src/features/campaigns/operations/remind.ts';
import { changedMessage } from '../../../src/features/campaigns/operations/run-change.ts';
import { startedMessage, takenInMessage } from '../../../src/features/campaigns/operations/run-campaign.ts';
import {
  alreadySubscribedMessage,
  subscribedMessage,
  unsubscribedMessage,
} from '../../../src/features/alerts/operations/subscribe-and-unsubscribe.ts';
import {
  pausedMessage,
  resumedMessage,
  wasNotPausedMessage,
  wasPausedMessage,
  testedMessage,
} from '../../../src/features/alerts/operations/pause-and-resume.ts';
import { deletedMessage, deletionInWords as responseDeletionInWords } from '../../../src/features/results/attempt.ts';
import type { Assignee } from '../../../src/operations/fields/people.ts';
import { userOnRecord } from '../../../src/operations/fields/user.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { DoneResult } from '../../../src/operations/page.ts';
import { assigned, unassigned } from '../../../src/features/quizzes/assign-and-unassign.ts';
import {
  copiedMessage,
  createdMessage as createdQuizMessage,
  renamingInWords,
  deletionInWords,
} from '../../../src/features/quizzes/make-and-delete.ts';
import { closingInWords } from '../../../src/features/quizzes/open-and-close.ts';
import {
  campaignsAfter,
  ending,
  goingOn,
  pausing,
  showingName,
} from '../../../src/features/quizzes/running-campaigns.ts';
import { createdMessage, newUserInWords } from '../../../src/features/users/create-user.ts';
import { resetMessage } from '../../../src/features/users/state.ts';
import { changesInWords } from '../../../src/features/users/update-user.ts';
import { suspendRow } from './rows.ts';
import { subscription } from './alerts.ts';
import {
  campaignMember,
  campaignOf,
  monday,
  openEnd,
  plannedCampaign,
  plannedRuleChange,
  standingRule,
} from './campaigns.ts';
import { quizResponse } from './responses.ts';
import { quizUser } from './users.ts';

const unreached = plannedCampaign().members.map((member) => ({ ...member, personId: null }));

/** A sentence of a change, by the operation that says it. */
export type Worded = readonly [operation: string, sentence: string];

const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: null } as const;
const closedQuiz = { ...quiz, quiz_id: 'q-2', name: 'Food hygiene', status: 'closed' } as const;
const group = { group_id: 'g-1', group_name: 'Kitchen' };
const rosa = quizUser();
const nia = quizUser({ user_id: 'u-nia', user_name: 'nia@quiz.example', first_name: '', last_name: '' });
const tom = quizUser({
  user_id: 'u-tom',
  first_name: 'Tom',
  last_name: 'Lindqvist',
  user_type: 'trainer',
  quizzes: [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: null }],
});
const ada = quizUser({ user_id: 'u-ada', first_name: 'Ada', last_name: 'Okafor', user_type: 'administrator' });
const rosaAndKitchen: Assignee[] = [
  { kind: 'user', user: rosa },
  { kind: 'group', group },
];
const many: Assignee[] = Array.from({ length: 14 }, (_, index) => ({
  kind: 'user',
  user: quizUser({ user_id: `u-${index}`, first_name: `Person ${index + 1}`, last_name: '' }),
}));
const attempt = quizResponse({ attempt: 2, percentage_score: 33.333333333333336 });
const channel = { channel_id: 'C0TRAINING', channel_name: 'training' };
const inGerman = { channel: '⁨#training⁩', isHere: true, language: inLanguage('de') };
const alerts = {
  subscription: { subscription: subscription({ quiz: { id: 'q-1', name: 'Fire safety' } }), waiting: 0 },
};
const subscribed = { channel: hereWords, spec: subscription({ quiz: { id: 'q-1', name: 'Fire safety' } }) };

const people = Array.from({ length: 12 }, (_, index) => suspendRow(`u-${index}`, `Person ${index + 1}`));
const batchPlan = {
  kind: 'batch',
  operation: 'suspend-group',
  ...batchWords.suspendGroup(12, 'Kitchen'),
  rows: people,
  approval: 'privileged',
} as const;
const suspending = { id: 'p-1', teamId: 'T1', personId: 'UTOM', createdAt: 0, content: batchPlan };
const batch = {
  batch: { id: 'b-1', action: batchPlan.action, ownerId: 'UTOM', state: 'running', startedAt: 0, endedAt: null },
} as const;
const campaign = { quiz: { id: 'q-1', name: 'Fire safety' } };
const rosaNamed = { userId: '17', name: 'Rosa Almeida' };
const twoCampaigns = [campaign, { quiz: { id: 'q-2', name: 'First aid' } }];
/** A campaign for Fire safety. */
const running = { ...campaignOf(), starter: 'Tom Lindqvist' };
const noCampaigns = { campaigns: [], people: 0, areSeen: true };
const oneCampaign = { campaigns: [running], people: 12, areSeen: true };
const plan = { createdAt: monday, content: plannedCampaign() };
/** People who joined the audience of a campaign that stands. */
const joining = {
  createdAt: monday,
  content: plannedCampaign({ ...standingRule, into: 'c-1', board: null }),
};
const ruleChange = { createdAt: monday, content: plannedRuleChange() };

/** What the operation itself says, of an input as far as its sentence needs it. */
export function actionOf(operation: string, input: object): string {
  return operationNamed(operation)!.action!(input as never);
}

function addingOf(...userIds: string[]) {
  return { people: [{ people: userIds.map((userId) => ({ userId })) }], campaign: { ...campaign, members: [] } };
}

export function effectOf(operation: string, input: object = {}): string {
  const context = { requester: {}, timeZone: 'Europe/Berlin', now: () => monday };
  const effect = operationNamed(operation)!.effect!(context as never, input as never);
  if (typeof effect !== 'string') throw new Error(`${operation} has to look something up`);
  return effect;
}

export function doneOf(operation: string, input: object): DoneResult {
  return operationNamed(operation)!.done!(input as never);
}

export function noChangeOf(operation: string, input: object): string {
  return operationNamed(operation)!.noChange!(input as never);
}

/** The inputs and records that the sentences are about. */
export const inputs = { quiz, closedQuiz, group, rosa, nia, rosaAndKitchen, attempt };

/** What each change asks for. */
export const actionsSaid: readonly Worded[] = [
  ['create-quiz', actionOf('create-quiz', { name: 'Winter driving 2026' })],
  ['rename-quiz', actionOf('rename-quiz', { quiz, name: 'Fire safety 2027' })],
  ['open-quiz', actionOf('open-quiz', { quiz: closedQuiz })],
  ['close-quiz', actionOf('close-quiz', { quiz })],
  ['copy-quiz', actionOf('copy-quiz', { quiz })],
  ['copy-quiz', actionOf('copy-quiz', { quiz, name: 'Fire safety 2027' })],
  ['delete-quiz', actionOf('delete-quiz', { quiz })],
  ['take-back-quiz', actionOf('take-back-quiz', { quiz })],
  ['assign-quiz', actionOf('assign-quiz', { quiz: closedQuiz, to: rosaAndKitchen })],
  ['assign-quiz', actionOf('assign-quiz', { quiz, to: many })],
  ['unassign-quiz', actionOf('unassign-quiz', { quiz, people: rosaAndKitchen })],
  ['delete-response', actionOf('delete-response', { quiz })],
  [
    'create-user',
    actionOf('create-user', {
      user_name: 'kim@quiz.example',
      first_name: 'Kim',
      last_name: 'Doe',
      user_type: 'trainer',
    }),
  ],
  ['create-user', actionOf('create-user', { user_name: 'kim', user_type: 'administrator' })],
  [
    'update-user',
    actionOf('update-user', { user: rosa, user_type: 'trainer', edit_quizzes: 'true', empty: ['last_name'] }),
  ],
  ['suspend-user', actionOf('suspend-user', { user: rosa })],
  ['reinstate-user', actionOf('reinstate-user', { user: rosa })],
  ['reset-password', actionOf('reset-password', { user: rosa })],
  ['delete-user', actionOf('delete-user', { user: rosa })],
  ['take-back-user', actionOf('take-back-user', { user: rosa })],
  ['erase-person', actionOf('erase-person', { user: rosa })],
  ['add-to-group', actionOf('add-to-group', { user: [rosa], group })],
  ['remove-from-group', actionOf('remove-from-group', { user: [rosa], group })],
  ['assign-to-group', actionOf('assign-to-group', { quiz, group })],
  ['unassign-from-group', actionOf('unassign-from-group', { quiz, group })],
  ['subscribe-channel', actionOf('subscribe-channel', { channel })],
  ['subscribe-channel', actionOf('subscribe-channel', { channel, quiz })],
  ['unsubscribe-channel', actionOf('unsubscribe-channel', alerts)],
  ['pause-alerts', actionOf('pause-alerts', alerts)],
  ['resume-alerts', actionOf('resume-alerts', alerts)],
  ['set-channel-language', actionOf('set-channel-language', { channel, language: 'de' })],
  ['test-alerts', actionOf('test-alerts', alerts)],
  ['run-batch', actionOf('run-batch', { plan: suspending })],
  ['pause-batch', actionOf('pause-batch', { batch })],
  ['resume-batch', actionOf('resume-batch', { batch })],
  ['cancel-batch', actionOf('cancel-batch', { batch })],
  ['run-campaign', actionOf('run-campaign', { plan })],
  ['run-campaign', actionOf('run-campaign', { plan: joining })],
  ['remind-campaign', actionOf('remind-campaign', { campaign: [campaign] })],
  ['remind-campaign', actionOf('remind-campaign', { campaign: twoCampaigns, people: rosaAndKitchen })],
  ['remind-campaign', actionOf('remind-campaign', { people: rosaAndKitchen })],
  ['extend-campaign', actionOf('extend-campaign', { campaign })],
  ['run-rule-change', actionOf('run-rule-change', { plan: ruleChange })],
  ['excuse-campaign', actionOf('excuse-campaign', { campaign: twoCampaigns, people: [rosa] })],
  ['excuse-campaign', actionOf('excuse-campaign', { people: [rosa] })],
  [
    'add-to-campaign',
    actionOf('add-to-campaign', {
      campaign,
      people: [
        ...rosaAndKitchen,
        { kind: 'members', mention: 'channel:C1|kitchen', users: [], withoutUser: [], guests: [] },
      ],
    }),
  ],
  ['include-campaign', actionOf('include-campaign', { campaign, people: [rosa] })],
  ['hand-over-campaign', actionOf('hand-over-campaign', { campaign, to: tom })],
  ['hand-over-campaign', actionOf('hand-over-campaign', { campaign })],
  ['end-campaign', actionOf('end-campaign', { campaign })],
];

/** What each change would do. */
export const proposalsSaid: readonly Worded[] = [
  ['create-quiz', effectOf('create-quiz')],
  ['rename-quiz', renamingInWords({ quiz, name: 'Fire safety 2027' }, noCampaigns)],
  ['rename-quiz', renamingInWords({ quiz, name: 'Fire safety 2027' }, oneCampaign)],
  ['open-quiz', effectOf('open-quiz')],
  ['close-quiz', closingInWords(quiz, noCampaigns)],
  ['close-quiz', closingInWords(quiz, oneCampaign)],
  ['close-quiz', closingInWords(quiz, { ...oneCampaign, areSeen: false })],
  [
    'close-quiz',
    closingInWords(quiz, {
      campaigns: [running, { ...campaignOf(openEnd), starter: 'Ada Okafor' }],
      people: 30,
      areSeen: true,
    }),
  ],
  ['copy-quiz', effectOf('copy-quiz', {})],
  ['copy-quiz', effectOf('copy-quiz', { name: 'Fire safety 2027' })],
  ['take-back-quiz', effectOf('take-back-quiz', { quiz })],
  ['take-back-user', effectOf('take-back-user', { user: rosa })],
  ['delete-quiz', deletionInWords(quiz, 0, noCampaigns)],
  ['delete-quiz', deletionInWords(quiz, 1, noCampaigns)],
  ['delete-quiz', deletionInWords(quiz, 1_200, oneCampaign)],
  ['assign-quiz', effectOf('assign-quiz', { quiz })],
  ['assign-quiz', effectOf('assign-quiz', { quiz: closedQuiz })],
  ['unassign-quiz', effectOf('unassign-quiz')],
  ['delete-response', responseDeletionInWords(quiz, attempt)],
  [
    'delete-response',
    responseDeletionInWords(quiz, { ...attempt, attempt: null, percentage_score: null, date_submitted: null }),
  ],
  [
    'create-user',
    newUserInWords({
      user_name: 'kim@quiz.example',
      user_type: 'trainer',
      flags: ['edit_quizzes', 'manage_users'],
      suspended: ['true'],
    }),
  ],
  ['create-user', newUserInWords({ user_name: 'kim@quiz.example', user_type: 'respondent' })],
  [
    'update-user',
    changesInWords({
      user_type: 'administrator',
      manage_users: true,
      manage_groups: false,
      first_name: 'Rose',
      last_name: '',
      email_address: 'rose@quiz.example',
    }),
  ],
  ['update-user', changesInWords({ user_name: 'rose@quiz.example' })],
  ['suspend-user', effectOf('suspend-user')],
  ['reinstate-user', effectOf('reinstate-user', { user: rosa })],
  ['reset-password', effectOf('reset-password', { user: ada })],
  ['delete-user', effectOf('delete-user', { user: rosa })],
  ['delete-user', effectOf('delete-user', { user: tom })],
  ['erase-person', effectOf('erase-person', { user: rosa })],
  ['erase-person', effectOf('erase-person', { user: userOnRecord('u-17') })],
  ['add-to-group', effectOf('add-to-group')],
  ['remove-from-group', effectOf('remove-from-group')],
  ['assign-to-group', effectOf('assign-to-group', { quiz })],
  ['assign-to-group', effectOf('assign-to-group', { quiz: closedQuiz })],
  ['unassign-from-group', effectOf('unassign-from-group')],
  ['subscribe-channel', effectOf('subscribe-channel', { channel })],
  ['subscribe-channel', effectOf('subscribe-channel', { channel, language: 'de' })],
  ['unsubscribe-channel', effectOf('unsubscribe-channel')],
  ['pause-alerts', effectOf('pause-alerts')],
  ['resume-alerts', effectOf('resume-alerts')],
  ['set-channel-language', effectOf('set-channel-language', { channel, language: 'default' })],
  ['test-alerts', effectOf('test-alerts', alerts)],
  ['run-batch', effectOf('run-batch', { plan: suspending })],
  [
    'run-batch',
    effectOf('run-batch', {
      plan: { ...suspending, content: { ...batchPlan, privileged: ['Tom Lindqvist', 'Ada Okafor'] } },
    }),
  ],
  ['pause-batch', effectOf('pause-batch')],
  ['resume-batch', effectOf('resume-batch')],
  ['cancel-batch', effectOf('cancel-batch')],
  ['run-campaign', effectOf('run-campaign', { plan })],
  [
    'run-campaign',
    effectOf('run-campaign', {
      plan: {
        ...plan,
        content: plannedCampaign({
          board: null,
          ...openEnd,
          members: [...plannedCampaign().members, ...unreached.slice(0, 1)],
          assign: { groups: [], users: [] },
        }),
      },
    }),
  ],
  ['run-campaign', effectOf('run-campaign', { plan: joining })],
  ['remind-campaign', effectOf('remind-campaign')],
  ['extend-campaign', effectOf('extend-campaign', { campaign: campaignOf(), time: 'friday 17:00' })],
  ['extend-campaign', effectOf('extend-campaign', { campaign: campaignOf(), time: 'none' })],
  ['run-rule-change', effectOf('run-rule-change', { plan: ruleChange })],
  ['excuse-campaign', effectOf('excuse-campaign')],
  ['add-to-campaign', effectOf('add-to-campaign', addingOf('u-rosa'))],
  ['add-to-campaign', effectOf('add-to-campaign', addingOf('u-rosa', 'u-kim'))],
  ['excuse-campaign', effectOf('excuse-campaign', { until: '1 feb' })],
  ['include-campaign', effectOf('include-campaign')],
  ['hand-over-campaign', effectOf('hand-over-campaign')],
  ['end-campaign', effectOf('end-campaign', { campaign: { endedAt: null } })],
  ['end-campaign', effectOf('end-campaign', { campaign: { endedAt: monday } })],
];

/** What each change did. */
export const outcomesSaid: readonly Worded[] = [
  ['create-quiz', createdQuizMessage('Winter driving 2026', 'certain')],
  ['create-quiz', createdQuizMessage('Winter driving 2026', 'not listed')],
  ['create-quiz', createdQuizMessage('Winter driving 2026', 'found')],
  ['rename-quiz', doneOf('rename-quiz', { quiz, name: 'Fire safety 2027' }).message],
  ...(
    [
      ['rename-quiz', showingName],
      ['open-quiz', goingOn],
      ['close-quiz', pausing],
      ['delete-quiz', ending],
    ] as const
  ).map(([operation, change]): Worded => [
    operation,
    `${doneOf(operation, { quiz, name: 'Fire safety 2027' }).message}${campaignsAfter(oneCampaign, change)}`,
  ]),
  ['open-quiz', doneOf('open-quiz', { quiz: closedQuiz }).message],
  ['close-quiz', doneOf('close-quiz', { quiz }).message],
  ['copy-quiz', copiedMessage(quiz, 'Fire safety 2027', 'certain')],
  ['copy-quiz', copiedMessage(quiz, undefined, 'not listed')],
  ['copy-quiz', copiedMessage(quiz, 'Fire safety (copy)', 'found')],
  ['delete-quiz', doneOf('delete-quiz', { quiz }).message],
  ['take-back-quiz', doneOf('take-back-quiz', { quiz }).message],
  ['take-back-user', doneOf('take-back-user', { user: rosa }).message],
  ['assign-quiz', assigned(quiz, { assignees: rosaAndKitchen, added: [] }).message],
  ['assign-quiz', assigned(closedQuiz, { assignees: rosaAndKitchen, added: [] }).message],
  ['unassign-quiz', unassigned(quiz, rosaAndKitchen).message],
  ['delete-response', deletedMessage(quiz, attempt)],
  [
    'create-user',
    createdMessage({ ...rosa, first_name: 'Kim', last_name: '' }, { isSuspended: false, password: 'offered' }),
  ],
  ['create-user', createdMessage(tom, { isSuspended: true, password: 'mailed' })],
  [
    'create-user',
    createdMessage(
      { ...ada, first_name: '', last_name: '', user_name: 'ines@quiz.example' },
      { isSuspended: false, password: 'unknown' },
    ),
  ],
  [
    'update-user',
    doneOf('update-user', { user: rosa, user_type: 'trainer', edit_quizzes: 'true', empty: ['last_name'] }).message,
  ],
  ['suspend-user', doneOf('suspend-user', { user: rosa }).message],
  ['reinstate-user', doneOf('reinstate-user', { user: rosa }).message],
  ['reset-password', resetMessage(rosa)],
  ['delete-user', doneOf('delete-user', { user: rosa }).message],
  ['erase-person', doneOf('erase-person', { user: rosa }).message],
  ['erase-person', doneOf('erase-person', { user: userOnRecord('u-17') }).message],
  ['add-to-group', doneOf('add-to-group', { user: [rosa], group }).message],
  ['remove-from-group', doneOf('remove-from-group', { user: [rosa], group }).message],
  ['assign-to-group', doneOf('assign-to-group', { quiz, group }).message],
  ['assign-to-group', doneOf('assign-to-group', { quiz: closedQuiz, group }).message],
  ['unassign-from-group', doneOf('unassign-from-group', { quiz, group }).message],
  ['subscribe-channel', subscribedMessage(subscribed)],
  ['unsubscribe-channel', unsubscribedMessage(subscribed, 0)],
  ['unsubscribe-channel', unsubscribedMessage(subscribed, 1)],
  [
    'unsubscribe-channel',
    unsubscribedMessage({ channel: say`the channel`, spec: subscription({ filter: { kind: 'failed' } }) }, 12),
  ],
  ['pause-alerts', pausedMessage(subscribed, '')],
  ['pause-alerts', pausedMessage(subscribed, ` ${say`until ${'Tue 1 Dec, 08:00'}`}`)],
  ['resume-alerts', resumedMessage(subscribed, 1)],
  ['resume-alerts', resumedMessage(subscribed, 12)],
  ['set-channel-language', languageChanged(inGerman)],
  ['set-channel-language', languageChanged({ ...inGerman, isHere: false })],
  ['test-alerts', testedMessage(subscribed)],
  ['run-batch', doneOf('run-batch', { plan: suspending }).message],
  ['pause-batch', doneOf('pause-batch', { batch }).message],
  ['resume-batch', doneOf('resume-batch', { batch }).message],
  ['cancel-batch', doneOf('cancel-batch', { batch }).message],
  ['run-campaign', startedMessage(plan.content, { first: say`now` })],
  [
    'run-campaign',
    startedMessage(plannedCampaign({ assign: { groups: [], users: [] } }), { first: 'Tue 24 Nov, 09:00' }),
  ],
  [
    'run-campaign',
    startedMessage(plannedCampaign({ members: unreached, assign: { groups: [], users: [] } }), {
      first: undefined,
      others: [say`${namedPerson({ userId: 'u-1', name: 'Rosa' })} is suspended now.`],
    }),
  ],
  ['run-campaign', startedMessage(plannedCampaign({ assign: { groups: [], users: [] } }), { first: undefined })],
  ['run-campaign', takenInMessage(joining.content, { first: say`now` })],
  ['run-campaign', takenInMessage({ ...joining.content, assign: { groups: [], users: [] } }, { first: undefined })],
  ['remind-campaign', remindedMessage(twoCampaigns, [rosaNamed, { userId: '18', name: 'Kim Doe' }], say`now`)],
  [
    'remind-campaign',
    [
      remindedMessage([campaign], [rosaNamed], 'Tue 24 Nov, 09:00'),
      ...unreachedMessages([{ member: campaignMember('18', { name: 'Kim Doe', personId: null }) }], 'Slack'),
    ].join(' '),
  ],
  ['run-rule-change', changedMessage(plannedRuleChange(), 'Mon 30 Nov, 09:00')],
  ['run-rule-change', changedMessage(plannedRuleChange({ sooner: 0 }), undefined)],
  ['extend-campaign', extendedMessage(campaign, 'Fri 18 Dec, 17:00', 12)],
  ['extend-campaign', extendedMessage(campaign, undefined, 0)],
  [
    'excuse-campaign',
    excusedMessage(
      twoCampaigns.map((one) => ({ campaign: one, members: [{ userId: '17', name: 'Rosa Almeida' }] })),
      null,
      { nowMs: monday, timeZone: 'UTC' },
    ),
  ],
  [
    'excuse-campaign',
    excusedMessage(
      [
        {
          campaign,
          members: [
            { userId: '17', name: 'Rosa Almeida' },
            { userId: '18', name: 'Tom Baker' },
          ],
        },
      ],
      Date.parse('2027-02-01'),
      {
        nowMs: monday,
        timeZone: 'UTC',
      },
    ),
  ],
  ['include-campaign', includedMessage(campaign, [campaignMember('rosa', { userId: '17', name: 'Rosa Almeida' })])],
  [
    'include-campaign',
    includedMessage(campaign, [
      campaignMember('rosa', { name: 'Rosa Almeida', saidNotMeAt: 1 }),
      campaignMember('kim', { name: 'Kim Doe' }),
    ]),
  ],
  ['hand-over-campaign', takenOverMessage(campaign)],
  ['hand-over-campaign', offeredMessage(campaign, 'Tom Baker')],
  ['add-to-campaign', addedMessage(campaign, ['Rosa Almeida', 'Kim Doe'], [])],
  ['add-to-campaign', addedMessage(campaign, ['Rosa Almeida'], [say`${named('Kim Doe')} ${'is'} in it already.`])],
  ['add-to-campaign', addedMessage(campaign, [], [assignedWords(campaign, ['Rosa Almeida', 'Kim Doe'])])],
  ['end-campaign', endedMessage(campaign)],
];

const notAdded = ({ passed, suspended = [] }: { passed: readonly string[]; suspended?: readonly string[] }) =>
  whyNotAdded(
    { ...campaignOf(), ...campaign },
    {
      members: [],
      completed: passed.map((name) => ({ name, did: 'passed', at: new Date('2026-11-13T09:00:00Z') })),
      leftOut: { passed, suspended, excepted: [], guests: [], withoutUser: [] },
    },
    { isNamed: true, platform: { name: 'Slack' }, nowMs: monday, timeZone: 'UTC' },
  );

/** What to say where nobody is added to a campaign. */
export const nobodyAddedSaid: readonly Worded[] = [
  ['add-to-campaign', nobodyAddedMessage(campaign, notAdded({ passed: ['Rosa Almeida'] }))],
  [
    'add-to-campaign',
    nobodyAddedMessage(campaign, notAdded({ passed: ['Rosa Almeida', 'Kim Doe'], suspended: ['Tom Baker'] })),
  ],
  ['add-to-campaign', nobodyAddedMessage(campaign, [])],
  ['require-quiz', joiningMessage(campaignOf(standingRule), ['Rosa Almeida'], false)],
  ['require-quiz', joiningMessage(campaignOf(standingRule), ['Rosa Almeida', 'Kitchen'], true)],
];

/** What to say where nothing had to change. */
export const noChangesSaid: readonly Worded[] = [
  ['rename-quiz', noChangeOf('rename-quiz', { name: 'Fire safety' })],
  ['open-quiz', noChangeOf('open-quiz', { quiz })],
  ['close-quiz', noChangeOf('close-quiz', { quiz: closedQuiz })],
  ['assign-quiz', noChangeOf('assign-quiz', { quiz, to: rosaAndKitchen })],
  ['unassign-quiz', noChangeOf('unassign-quiz', { quiz, to: rosaAndKitchen })],
  ['update-user', noChangeOf('update-user', { user: rosa })],
  ['suspend-user', noChangeOf('suspend-user', { user: rosa })],
  ['reinstate-user', noChangeOf('reinstate-user', { user: rosa })],
  ['add-to-group', noChangeOf('add-to-group', { user: [rosa], group })],
  ['remove-from-group', noChangeOf('remove-from-group', { user: [rosa], group })],
  ['assign-to-group', noChangeOf('assign-to-group', { quiz, group })],
  ['unassign-from-group', noChangeOf('unassign-from-group', { quiz, group })],
  ['subscribe-channel', alreadySubscribedMessage({ ...subscribed, isPaused: false })],
  ['subscribe-channel', alreadySubscribedMessage({ ...subscribed, isPaused: true })],
  ['pause-alerts', wasPausedMessage(subscribed, '')],
  ['resume-alerts', wasNotPausedMessage(subscribed)],
  ['set-channel-language', languageWasSo(inGerman)],
  ['set-channel-language', languageWasSo({ ...inGerman, isHere: false })],
];
