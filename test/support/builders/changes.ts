import type { Assignee } from '../../../src/operations/fields/assignees.ts';
import { actions } from '../../../src/operations/wording/actions.ts';
import { noChanges, outcomes } from '../../../src/operations/wording/outcomes.ts';
import { proposals } from '../../../src/operations/wording/proposals.ts';
import { subscription } from './alerts.ts';
import { monday, openEnd, plannedCampaign } from './campaigns.ts';
import { quizResponse } from './responses.ts';
import { quizUser } from './users.ts';

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
const alerts = {
  subscription: { subscription: subscription({ quiz: { id: 'q-1', name: 'Fire safety' } }), waiting: 0 },
};
const subscribed = { channel: 'this channel', spec: subscription({ quiz: { id: 'q-1', name: 'Fire safety' } }) };

const people = Array.from(
  { length: 12 },
  (_, index) => ({ kind: 'suspend', userId: `u-${index}`, name: `Person ${index + 1}` }) as const,
);
const batchPlan = {
  kind: 'batch',
  operation: 'suspend-group',
  action: 'suspend 12 people of the group ⁨Kitchen⁩',
  rows: people,
  approval: 'privileged',
} as const;
const suspending = { id: 'p-1', teamId: 'T1', personId: 'UTOM', createdAt: 0, content: batchPlan };
const batch = {
  batch: { id: 'b-1', action: batchPlan.action, ownerId: 'UTOM', state: 'running', startedAt: 0, endedAt: null },
} as const;
const campaign = { quiz: { id: 'q-1', name: 'Fire safety' } };
const plan = { createdAt: monday, content: plannedCampaign() };

/** The inputs and records that the sentences are about. */
export const inputs = { quiz, closedQuiz, group, rosa, nia, rosaAndKitchen, attempt };

/** What each change asks for. */
export const actionsSaid: readonly Worded[] = [
  ['create-quiz', actions['create-quiz']({ name: 'Winter driving 2026' })],
  ['rename-quiz', actions['rename-quiz']({ quiz, name: 'Fire safety 2027' })],
  ['open-quiz', actions['open-quiz']({ quiz: closedQuiz })],
  ['close-quiz', actions['close-quiz']({ quiz })],
  ['copy-quiz', actions['copy-quiz']({ quiz })],
  ['copy-quiz', actions['copy-quiz']({ quiz, name: 'Fire safety 2027' })],
  ['delete-quiz', actions['delete-quiz']({ quiz })],
  ['assign-quiz', actions['assign-quiz']({ quiz: closedQuiz, to: rosaAndKitchen })],
  ['assign-quiz', actions['assign-quiz']({ quiz, to: many })],
  ['unassign-quiz', actions['unassign-quiz']({ quiz, people: rosaAndKitchen })],
  ['delete-response', actions['delete-response']({ quiz })],
  [
    'create-user',
    actions['create-user']({
      user_name: 'kim@quiz.example',
      first_name: 'Kim',
      last_name: 'Doe',
      user_type: 'trainer',
    }),
  ],
  ['create-user', actions['create-user']({ user_name: 'kim', user_type: 'administrator' })],
  [
    'update-user',
    actions['update-user']({ user: rosa, user_type: 'trainer', edit_quizzes: 'true', empty: ['last_name'] }),
  ],
  ['suspend-user', actions['suspend-user']({ user: rosa })],
  ['reinstate-user', actions['reinstate-user']({ user: rosa })],
  ['reset-password', actions['reset-password']({ user: rosa })],
  ['delete-user', actions['delete-user']({ user: rosa })],
  ['add-to-group', actions['add-to-group']({ user: [rosa], group })],
  ['remove-from-group', actions['remove-from-group']({ user: [rosa], group })],
  ['assign-to-group', actions['assign-to-group']({ quiz, group })],
  ['unassign-from-group', actions['unassign-from-group']({ quiz, group })],
  ['subscribe-channel', actions['subscribe-channel']({ channel })],
  ['subscribe-channel', actions['subscribe-channel']({ channel, quiz })],
  ['unsubscribe-channel', actions['unsubscribe-channel'](alerts)],
  ['pause-alerts', actions['pause-alerts'](alerts)],
  ['resume-alerts', actions['resume-alerts'](alerts)],
  ['test-alerts', actions['test-alerts'](alerts)],
  ['run-batch', actions['run-batch']({ plan: suspending })],
  ['pause-batch', actions['pause-batch']({ batch })],
  ['resume-batch', actions['resume-batch']({ batch })],
  ['cancel-batch', actions['cancel-batch']({ batch })],
  ['run-campaign', actions['run-campaign']({ plan })],
  ['remind-campaign', actions['remind-campaign']({ campaign })],
  ['extend-campaign', actions['extend-campaign']({ campaign })],
  ['excuse-campaign', actions['excuse-campaign']({ campaign, people: [rosa] })],
  [
    'add-to-campaign',
    actions['add-to-campaign']({
      campaign,
      people: [
        ...rosaAndKitchen,
        { kind: 'members', mention: 'channel:C1|kitchen', users: [], withoutUser: [], guests: [] },
      ],
    }),
  ],
  ['end-campaign', actions['end-campaign']({ campaign })],
];

/** What each change would do. */
export const proposalsSaid: readonly Worded[] = [
  ['create-quiz', proposals['create-quiz']()],
  ['rename-quiz', proposals['rename-quiz']({ quiz, name: 'Fire safety 2027' })],
  ['open-quiz', proposals['open-quiz']()],
  ['close-quiz', proposals['close-quiz']()],
  ['copy-quiz', proposals['copy-quiz']({})],
  ['copy-quiz', proposals['copy-quiz']({ name: 'Fire safety 2027' })],
  ['delete-quiz', proposals['delete-quiz']({ quiz, responses: 0 })],
  ['delete-quiz', proposals['delete-quiz']({ quiz, responses: 1 })],
  ['delete-quiz', proposals['delete-quiz']({ quiz, responses: 1_200 })],
  ['assign-quiz', proposals['assign-quiz']({ quiz })],
  ['assign-quiz', proposals['assign-quiz']({ quiz: closedQuiz })],
  ['unassign-quiz', proposals['unassign-quiz']()],
  ['delete-response', proposals['delete-response']({ quiz, response: attempt, at: '12 Nov 2026, 14:03' })],
  [
    'delete-response',
    proposals['delete-response']({
      quiz,
      response: { ...attempt, attempt: null, percentage_score: null },
      at: 'not submitted',
    }),
  ],
  [
    'create-user',
    proposals['create-user']({
      user_name: 'kim@quiz.example',
      user_type: 'trainer',
      flags: ['edit_quizzes', 'manage_users'],
      suspended: ['true'],
    }),
  ],
  ['create-user', proposals['create-user']({ user_name: 'kim@quiz.example', user_type: 'respondent' })],
  [
    'update-user',
    proposals['update-user']({
      user_type: 'administrator',
      manage_users: true,
      manage_groups: false,
      first_name: 'Rose',
      last_name: '',
      email_address: 'rose@quiz.example',
    }),
  ],
  ['update-user', proposals['update-user']({ user_name: 'rose@quiz.example' })],
  ['suspend-user', proposals['suspend-user']()],
  ['reinstate-user', proposals['reinstate-user']({ user: rosa })],
  ['reset-password', proposals['reset-password']({ user: ada })],
  ['delete-user', proposals['delete-user']({ user: rosa })],
  ['delete-user', proposals['delete-user']({ user: tom })],
  ['add-to-group', proposals['add-to-group']()],
  ['remove-from-group', proposals['remove-from-group']()],
  ['assign-to-group', proposals['assign-to-group']({ quiz })],
  ['assign-to-group', proposals['assign-to-group']({ quiz: closedQuiz })],
  ['unassign-from-group', proposals['unassign-from-group']()],
  ['subscribe-channel', proposals['subscribe-channel']({ channel })],
  ['unsubscribe-channel', proposals['unsubscribe-channel']()],
  ['pause-alerts', proposals['pause-alerts']()],
  ['resume-alerts', proposals['resume-alerts']()],
  ['test-alerts', proposals['test-alerts'](alerts)],
  ['run-batch', proposals['run-batch']({ plan: suspending })],
  [
    'run-batch',
    proposals['run-batch']({
      plan: { ...suspending, content: { ...batchPlan, privileged: ['Tom Lindqvist', 'Ada Okafor'] } },
    }),
  ],
  ['pause-batch', proposals['pause-batch']()],
  ['resume-batch', proposals['resume-batch']()],
  ['cancel-batch', proposals['cancel-batch']()],
  ['run-campaign', proposals['run-campaign']({ plan })],
  [
    'run-campaign',
    proposals['run-campaign']({
      plan: { ...plan, content: plannedCampaign({ board: null, schedule: openEnd, assigning: { requests: 0 } }) },
    }),
  ],
  ['remind-campaign', proposals['remind-campaign']()],
  ['extend-campaign', proposals['extend-campaign']({ time: 'friday 17:00' })],
  ['excuse-campaign', proposals['excuse-campaign']()],
  ['add-to-campaign', proposals['add-to-campaign']()],
  ['end-campaign', proposals['end-campaign']()],
];

/** What each change did. */
export const outcomesSaid: readonly Worded[] = [
  ['create-quiz', outcomes['create-quiz']({ name: 'Winter driving 2026' }, 'certain')],
  ['create-quiz', outcomes['create-quiz']({ name: 'Winter driving 2026' }, 'not listed')],
  ['create-quiz', outcomes['create-quiz']({ name: 'Winter driving 2026' }, 'found')],
  ['rename-quiz', outcomes['rename-quiz']({ quiz, name: 'Fire safety 2027' })],
  ['open-quiz', outcomes['open-quiz']({ quiz: closedQuiz })],
  ['close-quiz', outcomes['close-quiz']({ quiz })],
  ['copy-quiz', outcomes['copy-quiz']({ quiz, name: 'Fire safety 2027' }, 'certain')],
  ['copy-quiz', outcomes['copy-quiz']({ quiz, name: undefined }, 'not listed')],
  ['copy-quiz', outcomes['copy-quiz']({ quiz, name: 'Fire safety (copy)' }, 'found')],
  ['delete-quiz', outcomes['delete-quiz']({ quiz })],
  ['assign-quiz', outcomes['assign-quiz']({ quiz, assignees: rosaAndKitchen })],
  ['assign-quiz', outcomes['assign-quiz']({ quiz: closedQuiz, assignees: rosaAndKitchen })],
  ['unassign-quiz', outcomes['unassign-quiz']({ quiz, assignees: rosaAndKitchen })],
  ['delete-response', outcomes['delete-response']({ quiz, response: attempt })],
  [
    'create-user',
    outcomes['create-user']({
      user: { ...rosa, first_name: 'Kim', last_name: '' },
      suspended: false,
      password: 'offered',
    }),
  ],
  ['create-user', outcomes['create-user']({ user: tom, suspended: true, password: 'mailed' })],
  [
    'create-user',
    outcomes['create-user']({
      user: { ...ada, first_name: '', last_name: '', user_name: 'ines@quiz.example' },
      suspended: false,
      password: 'unknown',
    }),
  ],
  [
    'update-user',
    outcomes['update-user']({ user: rosa, user_type: 'trainer', edit_quizzes: 'true', empty: ['last_name'] }),
  ],
  ['suspend-user', outcomes['suspend-user']({ user: rosa })],
  ['reinstate-user', outcomes['reinstate-user']({ user: rosa })],
  ['reset-password', outcomes['reset-password']({ user: rosa })],
  ['delete-user', outcomes['delete-user']({ user: rosa })],
  ['add-to-group', outcomes['add-to-group']({ users: [rosa], already: [], group })],
  ['remove-from-group', outcomes['remove-from-group']({ users: [rosa], already: [], group })],
  ['assign-to-group', outcomes['assign-to-group']({ quiz, group })],
  ['assign-to-group', outcomes['assign-to-group']({ quiz: closedQuiz, group })],
  ['unassign-from-group', outcomes['unassign-from-group']({ quiz, group })],
  ['subscribe-channel', outcomes['subscribe-channel'](subscribed)],
  ['unsubscribe-channel', outcomes['unsubscribe-channel']({ ...subscribed, waiting: 0 })],
  ['unsubscribe-channel', outcomes['unsubscribe-channel']({ ...subscribed, waiting: 1 })],
  [
    'unsubscribe-channel',
    outcomes['unsubscribe-channel']({
      channel: 'the channel',
      spec: subscription({ filter: { kind: 'failed' } }),
      waiting: 12,
    }),
  ],
  ['pause-alerts', outcomes['pause-alerts']({ ...subscribed, until: 'until someone resumes them' })],
  ['pause-alerts', outcomes['pause-alerts']({ ...subscribed, until: 'until Tue 1 Dec, 08:00' })],
  ['resume-alerts', outcomes['resume-alerts']({ ...subscribed, waiting: 1 })],
  ['resume-alerts', outcomes['resume-alerts']({ ...subscribed, waiting: 12 })],
  ['test-alerts', outcomes['test-alerts'](subscribed)],
  ['run-batch', outcomes['run-batch']({ plan: suspending })],
  ['pause-batch', outcomes['pause-batch']({ batch })],
  ['resume-batch', outcomes['resume-batch']({ batch })],
  ['cancel-batch', outcomes['cancel-batch']({ batch })],
  ['run-campaign', outcomes['run-campaign']({ plan: plan.content, first: 'now' })],
  [
    'run-campaign',
    outcomes['run-campaign']({ plan: plannedCampaign({ assigning: { requests: 0 } }), first: 'Tue 24 Nov, 09:00' }),
  ],
  [
    'run-campaign',
    outcomes['run-campaign']({ plan: plannedCampaign({ assigning: { requests: 0 } }), first: undefined }),
  ],
  ['remind-campaign', outcomes['remind-campaign']({ campaign, count: 12 })],
  ['remind-campaign', outcomes['remind-campaign']({ campaign, count: 1 })],
  ['extend-campaign', outcomes['extend-campaign']({ campaign, due: 'Fri 18 Dec, 17:00' })],
  ['excuse-campaign', outcomes['excuse-campaign']({ campaign, people: [rosa] })],
  ['excuse-campaign', outcomes['excuse-campaign']({ campaign, people: [rosa, tom] })],
  ['add-to-campaign', outcomes['add-to-campaign']({ campaign, names: ['Rosa Almeida', 'Kim Doe'], leftOut: 0 })],
  ['add-to-campaign', outcomes['add-to-campaign']({ campaign, names: ['Rosa Almeida'], leftOut: 1 })],
  ['add-to-campaign', outcomes['add-to-campaign']({ campaign, names: ['Rosa Almeida'], leftOut: 12 })],
  ['end-campaign', outcomes['end-campaign']({ campaign })],
];

/** What to say where nothing had to change. */
export const noChangesSaid: readonly Worded[] = [
  ['rename-quiz', noChanges['rename-quiz']({ name: 'Fire safety' })],
  ['open-quiz', noChanges['open-quiz']({ quiz })],
  ['close-quiz', noChanges['close-quiz']({ quiz: closedQuiz })],
  ['assign-quiz', noChanges['assign-quiz']({ quiz, assignees: rosaAndKitchen })],
  ['unassign-quiz', noChanges['unassign-quiz']({ quiz, assignees: rosaAndKitchen })],
  ['update-user', noChanges['update-user']({ user: rosa })],
  ['suspend-user', noChanges['suspend-user']({ user: rosa })],
  ['reinstate-user', noChanges['reinstate-user']({ user: rosa })],
  ['add-to-group', noChanges['add-to-group']({ user: [rosa], group })],
  ['remove-from-group', noChanges['remove-from-group']({ user: [rosa], group })],
  ['assign-to-group', noChanges['assign-to-group']({ quiz, group })],
  ['unassign-from-group', noChanges['unassign-from-group']({ quiz, group })],
  ['subscribe-channel', noChanges['subscribe-channel']({ ...subscribed, isPaused: false })],
  ['subscribe-channel', noChanges['subscribe-channel']({ ...subscribed, isPaused: true })],
  ['pause-alerts', noChanges['pause-alerts']({ ...subscribed, until: 'until someone resumes them' })],
  ['resume-alerts', noChanges['resume-alerts'](subscribed)],
];
