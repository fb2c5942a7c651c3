import { type Call, type Case, call, answer, date, id, refusal, success } from '../expectation.ts';
import type { Arguments } from '../operations.ts';
import { group, newId, quiz } from '../resources.ts';

const openQuiz = 'Workplace safety basics';
const closedQuiz = 'Forklift theory test';
const quizInDesign = 'First aid at work';
const awkwardName = '<!channel> & "Grüße" 100 % + 🎓';

const namesThatAreNone: Arguments[] = [{}, { name: '' }, { name: ' ' }];
const misfits: Arguments[] = [
  { status: 'in_design' },
  { status: 'ajar' },
  { status: '' },
  { name: '', status: 'closed' },
];

/** Specification, section 4.1. */
export const quizCases: Case[] = [
  {
    ...everyQuizIsThere(),
    title: 'returns all quizzes in the order of creation',
  },
  {
    operation: 'Get a quiz',
    title: 'returns the quiz',
    given: ({ quizId }) => ({ quiz_id: quizId(openQuiz) }),
    expected: ({ quizId }) =>
      answer(
        quiz({ quiz_id: quizId(openQuiz), name: openQuiz, status: 'open', date_created: date('2025-02-19 12:00:00') }),
      ),
  },
  {
    operation: 'Create a quiz',
    title: 'creates a quiz in design and returns its id',
    given: () => ({ name: awkwardName }),
    expected: () => id('quiz_id', newId),
    afterwards: [newQuizIs({ name: awkwardName })],
  },
  ...namesThatAreNone.map((form): Case => ({
    operation: 'Create a quiz',
    title: `refuses ${JSON.stringify(form)} and creates no quiz`,
    given: () => form,
    expected: () => refusal('unprocessable'),
    afterwards: [everyQuizIsThere()],
  })),
  {
    operation: 'Update a quiz',
    title: 'changes name and status',
    given: ({ quizId }) => ({ quiz_id: quizId(openQuiz), name: awkwardName, status: 'closed' }),
    expected: () => success,
    afterwards: [quizIs(openQuiz, { name: awkwardName, status: 'closed' })],
  },
  {
    operation: 'Update a quiz',
    title: 'keeps the status if only the name is given',
    given: ({ quizId }) => ({ quiz_id: quizId(closedQuiz), name: 'Forklifts' }),
    expected: () => success,
    afterwards: [quizIs(closedQuiz, { name: 'Forklifts', status: 'closed' })],
  },
  ...[quizInDesign, openQuiz, closedQuiz].flatMap((name) =>
    ['open', 'closed'].map((status): Case => ({
      operation: 'Update a quiz',
      title: `makes “${name}” ${status} and keeps its name`,
      given: ({ quizId }) => ({ quiz_id: quizId(name), status }),
      expected: () => success,
      afterwards: [quizIs(name, { name, status })],
    })),
  ),
  {
    operation: 'Update a quiz',
    title: 'changes nothing without parameters',
    given: ({ quizId }) => ({ quiz_id: quizId(openQuiz) }),
    expected: () => success,
    afterwards: [quizIs(openQuiz, { name: openQuiz, status: 'open' })],
  },
  ...misfits.map((form): Case => ({
    operation: 'Update a quiz',
    title: `refuses ${JSON.stringify(form)} and changes nothing`,
    given: ({ quizId }) => ({ quiz_id: quizId(openQuiz), ...form }),
    expected: () => refusal('unprocessable'),
    afterwards: [quizIs(openQuiz, { name: openQuiz, status: 'open' })],
  })),
  {
    operation: 'Delete a quiz',
    title: 'deletes the quiz and its assignments',
    given: ({ quizId }) => ({ quiz_id: quizId(openQuiz) }),
    expected: () => success,
    afterwards: [
      call(
        'Get a quiz',
        ({ quizId }) => ({ quiz_id: quizId(openQuiz) }),
        () => refusal('not found'),
      ),
      call(
        'Get all responses',
        ({ quizId }) => ({ quiz_id: quizId(openQuiz) }),
        () => refusal('not found'),
      ),
      call(
        'Get groups in a quiz',
        ({ quizId }) => ({ quiz_id: quizId(openQuiz) }),
        () => refusal('not found'),
      ),
    ],
  },
  {
    operation: 'Copy a quiz',
    title: 'creates a quiz in design with the new name and without groups and responses',
    given: ({ quizId }) => ({ quiz_id: quizId(openQuiz), name: awkwardName }),
    expected: () => id('quiz_id', newId),
    afterwards: [
      newQuizIs({ name: awkwardName }),
      call(
        'Get groups in a quiz',
        (_, createdId) => ({ quiz_id: createdId }),
        () => answer([]),
      ),
      call(
        'Get all responses',
        (_, createdId) => ({ quiz_id: createdId }),
        () => answer([]),
      ),
    ],
  },
  {
    operation: 'Copy a quiz',
    title: 'names the quiz as a copy if no name is given',
    given: ({ quizId }) => ({ quiz_id: quizId(closedQuiz) }),
    expected: () => id('quiz_id', newId),
    afterwards: [newQuizIs({ name: `Copy of ${closedQuiz}` })],
  },
  {
    operation: 'Copy a quiz',
    title: 'refuses a blank name and creates no quiz',
    given: ({ quizId }) => ({ quiz_id: quizId(openQuiz), name: ' ' }),
    expected: () => refusal('unprocessable'),
    afterwards: [everyQuizIsThere()],
  },
  { ...groupsAre(openQuiz, ['Kitchen']), title: 'returns the groups of the quiz' },
  { ...groupsAre(quizInDesign, []), title: 'returns an empty list for a quiz without groups' },
  ...setsGroup('Assign a quiz to a group', {
    'adds it': ['Warehouse', ['Kitchen', 'Warehouse']],
    'adds it once only': ['Kitchen', ['Kitchen']],
  }),
  ...setsGroup('Unassign a quiz from a group', {
    'takes it away': ['Kitchen', []],
    'takes nothing else away': ['Warehouse', ['Kitchen']],
  }),
];

function setsGroup(
  operation: 'Assign a quiz to a group' | 'Unassign a quiz from a group',
  titles: Record<string, [groupName: string, groupsThen: string[]]>,
): Case[] {
  return Object.entries(titles).map(([title, [groupName, groupsThen]]) => ({
    operation,
    title,
    given: ({ quizId, groupId }) => ({ quiz_id: quizId(openQuiz), group_id: groupId(groupName) }),
    expected: () => success,
    afterwards: [groupsAre(openQuiz, groupsThen)],
  }));
}

function everyQuizIsThere(): Call {
  return call(
    'Get all quizzes',
    () => ({}),
    ({ quizIds }) => answer(quizIds.map((quiz_id) => quiz({ quiz_id }))),
  );
}

function quizIs(sampleName: string, known: { name: string; status: string }): Call {
  return call(
    'Get a quiz',
    ({ quizId }) => ({ quiz_id: quizId(sampleName) }),
    () => answer(quiz(known)),
  );
}

function newQuizIs({ name }: { name: string }): Call {
  return call(
    'Get a quiz',
    (_, createdId) => ({ quiz_id: createdId }),
    (_, createdId) =>
      answer(quiz({ quiz_id: createdId, name, status: 'in_design', date_created: date('2026-01-05 12:00:00') })),
  );
}

function groupsAre(quizName: string, groupNames: readonly string[]): Call {
  return call(
    'Get groups in a quiz',
    ({ quizId }) => ({ quiz_id: quizId(quizName) }),
    ({ groupId }) => answer(groupNames.map((name) => group({ group_id: groupId(name), group_name: name }))),
  );
}
