import { ageOfList } from '../../../src/operations/page.ts';
import { ownQuizzesPage, quizPage, quizzesPage, type QuizFilter } from '../../../src/features/quizzes/pages.ts';
import { groupPage, groupsPage } from '../../../src/features/groups/groups.ts';
import { userPage, usersPage, type UserFilter } from '../../../src/features/users/pages.ts';
import { drawPage } from '../../../src/slack/views/blocks/page.ts';
import { drawn } from '../../support/as-sent.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import type { Actor } from '../../../src/directory/identity.ts';
import type { Right } from '../../../src/operations/context.ts';
import type { Quiz } from '../../../src/quiz-api/records.ts';
import type { AssignedQuizResult } from '../../../src/features/quizzes/own-quizzes.ts';
import { whoPage } from '../../../src/features/administration/status.ts';
import { assignedQuiz } from '../../support/builders/today.ts';
import { actor, quizUser } from '../../support/builders/users.ts';
import type { Samples } from '../collect.ts';

const everything: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));
const respondents: ReadonlySet<string> = new Set(['list-quizzes', 'show-quiz', 'my-quizzes', 'who-am-i']);

const quiz = (name: string, status = 'open', n = 1): Quiz => ({
  quiz_id: `q-${n}`,
  name,
  status,
  date_created: new Date(Date.UTC(2026, 8, n)),
});
const quizzes = [
  quiz('Fire safety'),
  quiz('Food hygiene', 'open', 2),
  quiz('First aid at work', 'in_design', 3),
  quiz('Forklift theory test', 'closed', 4),
];
const quizList = (listed: readonly Quiz[], filter: QuizFilter = {}, offered = everything) =>
  drawPage(quizzesPage(listed, { filter }), { offered });

const shownQuiz = (of: Quiz, more: Partial<Parameters<typeof quizPage>[0]> = {}, offered = everything) =>
  drawn(quizPage({ quiz: of, groups: [], takeLink: undefined, use: undefined, ...more }), offered);

const kim = quizUser({
  user_id: 'u-kim',
  user_name: 'kim@quiz.example',
  first_name: 'Kim',
  last_name: 'Doe',
  user_type: 'trainer',
  suspended: true,
});
const tom = quizUser({
  user_id: 'u-tom',
  user_name: 'tom@quiz.example',
  email_address: 'tom@quiz.example',
  first_name: 'Tom',
  last_name: 'Lindqvist',
  user_type: 'trainer',
  edit_quizzes: true,
  manage_users: true,
  organization: 'Harbour Foods',
  notes: 'Works at night.',
  time_zone: 'Europe/Stockholm',
});
const users = [
  quizUser(),
  kim,
  tom,
  quizUser({
    user_id: 'u-ada',
    user_name: 'ada@quiz.example',
    first_name: 'Ada',
    last_name: 'Okafor',
    user_type: 'administrator',
  }),
];
const userList = (listed: typeof users, filter: UserFilter = {}) =>
  drawn(usersPage(listed, { filter, count: listed.length }));
const kitchen = { group_id: 'g-1', group_name: 'Kitchen' };

const assigned = (name: string, more: Partial<AssignedQuizResult> = {}) =>
  assignedQuiz({ name, takeUrl: undefined, ...more });
const passedOnce = {
  isDue: false,
  response_id: 'r-1',
  date_submitted: '2026-11-20 14:05:00',
  points: 9,
  available_points: 10,
  percentage_score: 90,
  grade: 'A',
  pass: true,
  duration: 245,
  attempt: 1,
  status: 'submitted',
  outcome: 'passed',
} as const;
const asking = { quizId: 'q-1', name: 'Food hygiene', isAsked: true, isOverdue: false };
const inDecember = Date.UTC(2026, 11, 15, 16);
const endOfNovember = Date.UTC(2026, 11, 1);
const asked = [
  assignedQuiz({ obligation: { ...asking, dueAt: inDecember } }),
  assignedQuiz({
    name: 'Ladders',
    obligation: { ...asking, dueAt: inDecember - 30 * 24 * 3_600_000, isOverdue: true },
  }),
  assignedQuiz({
    ...passedOnce,
    name: 'Forklifts',
    isDue: true,
    obligation: { ...asking, dueAt: endOfNovember, validUntil: endOfNovember },
  }),
  assignedQuiz({
    ...passedOnce,
    name: 'Manual handling',
    isDue: true,
    obligation: { ...asking, dueAt: endOfNovember, validUntil: endOfNovember, isOverdue: true },
  }),
];
const own = {
  quizzes: [
    assigned('Fire safety'),
    assigned('Food hygiene', { status: 'not_submitted' }),
    assigned('First aid at work', {
      ...passedOnce,
      attempt: 2,
      earlier: [
        assigned('First aid at work', {
          ...passedOnce,
          percentage_score: 40,
          grade: 'F',
          pass: false,
          outcome: 'failed',
        }),
      ],
    }),
    assigned('Forklift theory test', { isDue: false }),
  ],
  leftOut: 2,
  isStillReading: true,
};

const userResult = (user: typeof tom, more: Partial<Parameters<typeof userPage>[0]> = {}) =>
  drawn(
    userPage({
      user: { ...user, quizzes: [] },
      assigned: { quizzes: [], leftOut: 0, isStillReading: false },
      obligations: [],
      groups: [],
      trains: { quizzes: [], groups: [] },
      ...more,
    }),
  );

const shownWho = ({ rights, ...who }: { actor: Actor; rights: readonly Right[]; seesEveryQuiz: boolean }) =>
  drawn(whoPage({ ...who, rights: new Set(rights) }));

export const samples: Samples = {
  'A trainer lists the quizzes': quizList(quizzes),
  'Someone lists many quizzes without a right to any action': quizList(
    Array.from({ length: 120 }, () => quizzes[0]!),
    {},
    new Set(),
  ),
  'A trainer lists the open quizzes about fire': quizList(quizzes.slice(0, 1), { status: 'open', name: 'fire' }),
  'A respondent lists the quizzes': quizList(quizzes.slice(0, 2), {}, respondents),
  'There are no quizzes': quizList([]),
  'No quiz fits the filter': quizList([], { status: 'closed', name: 'fire' }),
  'A trainer looks at an open quiz': shownQuiz(quizzes[0]!, {
    groups: [kitchen, { group_id: 'g-2', group_name: 'Night shift' }],
    takeLink: 'https://quiz.example/take/q-1',
    use: { questions: 10, people: { direct: 5, throughGroups: 42 }, taken: { people: 12, attempts: 15 } },
  }),
  'A trainer looks at a quiz in design': shownQuiz(quizzes[2]!, {
    use: { questions: undefined, people: { direct: 0, throughGroups: 0 }, taken: { people: 0, attempts: 0 } },
  }),
  'A trainer looks at a closed quiz that only a group has': shownQuiz(quizzes[3]!, {
    groups: [kitchen],
    use: { questions: 8, people: { direct: 0, throughGroups: 14 }, taken: { people: 1, attempts: 1 } },
  }),
  'A respondent looks at a quiz': shownQuiz(
    quizzes[0]!,
    { groups: [kitchen], takeLink: 'https://quiz.example/take/q-1' },
    respondents,
  ),
  'A respondent looks at their quizzes': drawn(ownQuizzesPage(own)),
  'A respondent looks at their quizzes, which campaigns ask for': drawn(ownQuizzesPage({ ...own, quizzes: asked })),
  'A respondent has no quizzes': drawn(ownQuizzesPage({ quizzes: [], leftOut: 0, isStillReading: false })),
  'An administrator lists the users': userList(users),
  'An administrator lists the suspended trainers of a group': userList([kim], {
    userType: 'trainer',
    isSuspended: true,
    group: kitchen,
  }),
  'An administrator lists the users of a large account': drawPage(
    usersPage(users, { filter: {}, count: 100_004, age: ageOfList(Date.UTC(2026, 10, 20, 13, 5)) }),
    {
      offered: everything,
    },
  ),
  'There are no users': userList([]),
  'No user fits the filter': userList([], { name: 'zoe', isSuspended: false }),
  'An administrator looks at a trainer': userResult(tom, {
    groups: ['Kitchen'],
    trains: { quizzes: ['Fire safety'], groups: ['Night shift'] },
  }),
  'An administrator looks at a suspended respondent with quizzes': userResult(
    { ...kim, user_type: 'respondent' },
    {
      assigned: own,
      obligations: [
        {
          quiz: { id: 'q-9', name: 'Ladders' },
          cell: {
            campaignId: 'c-1',
            urgency: 'late',
            group: 'overdue',
            obligation: { state: 'overdue', dueAt: Date.UTC(2026, 10, 3) },
          },
        },
        {
          quiz: { id: 'q-8', name: 'First aid' },
          cell: {
            campaignId: 'c-1',
            urgency: 'done',
            group: 'done',
            obligation: { state: 'done', validUntil: Date.UTC(2027, 4, 3) },
          },
        },
      ],
    },
  ),
  'A trainer lists the groups': drawn(groupsPage([kitchen, { group_id: 'g-2', group_name: 'Night shift' }], '')),
  'There are no groups': drawn(groupsPage([], '')),
  'No group fits the filter': drawn(groupsPage([], 'garage')),
  'A trainer looks at a group': drawn(
    groupPage(kitchen, [
      { name: 'Rosa Almeida', isSuspended: false },
      { name: 'Kim Doe', isSuspended: true },
    ]),
  ),
  'A trainer looks at an empty group': drawn(groupPage(kitchen, [])),
  'An owner asks who they are': shownWho({
    actor: actor(undefined, { isOwner: true }),
    rights: ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'],
    seesEveryQuiz: true,
  }),
  'A trainer asks who they are': shownWho({
    actor: actor({
      ...tom,
      trainerquizzes: [
        { quiz_id: 'q-1', name: 'Fire safety' },
        { quiz_id: '', name: '' },
      ],
      trainergroups: [kitchen],
    }),
    rights: ['known', 'staff', 'edit_quizzes', 'manage_users'],
    seesEveryQuiz: false,
  }),
  'A trainer who trains nothing asks who they are': shownWho({
    actor: actor(tom),
    rights: ['known', 'staff', 'manage_users', 'manage_groups'],
    seesEveryQuiz: true,
  }),
  'A respondent asks who they are': shownWho({ actor: actor({}), rights: ['known'], seesEveryQuiz: false }),
};
