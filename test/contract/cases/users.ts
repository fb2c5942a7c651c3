import { type Call, type Case, call, answer, id, nobody, refusal, someOf, success } from '../expectation.ts';
import type { Arguments } from '../operations.ts';
import { assignedQuiz, group, newId, noResult, quizResult, response, trainerQuiz, user } from '../resources.ts';

const adaName = 'ada@quiz.example';
const tomName = 'tom@quiz.example';
const samName = 'sam@quiz.example';
const rosaName = 'rosa@quiz.example';
const safetyBasics = 'Workplace safety basics';

const flags = { manage_users: true, manage_groups: true, edit_quizzes: true };
const noFlags = { manage_users: false, manage_groups: false, edit_quizzes: false };

const tom = {
  user_name: tomName,
  user_type: 'trainer',
  email_address: tomName,
  first_name: 'Tom',
  last_name: 'Lindqvist',
  organization: 'Quiz Example Ltd',
  notes: '',
  time_zone: 'Europe/Stockholm',
  suspended: false,
  ...flags,
  quizzes: [],
  groups: [],
};
const sam = {
  user_name: samName,
  user_type: 'trainer',
  email_address: samName,
  first_name: 'Sam',
  last_name: 'Petrov',
  organization: 'Quiz Example Ltd',
  notes: 'Left in spring',
  time_zone: 'Europe/London',
  suspended: true,
  manage_users: false,
  manage_groups: false,
  edit_quizzes: true,
  quizzes: [],
  groups: [],
};
const rosa = {
  user_name: rosaName,
  user_type: 'respondent',
  email_address: rosaName,
  first_name: 'Rosa',
  last_name: 'Almeida',
  organization: 'Kitchen',
  notes: '',
  time_zone: 'Europe/Lisbon',
  suspended: false,
  ...noFlags,
  quizzes: someOf(quizResult()),
  trainerquizzes: [],
  trainergroups: [],
};

const least = { user_name: 'Zoë & Co', password: 'secret', user_type: 'respondent' };
const most = {
  user_name: 'zoe',
  password: 'pass wörd & more',
  user_type: 'trainer',
  email_address: 'zoe@quiz.example',
  first_name: 'Zoë',
  last_name: 'O’Neil',
  suspended: true,
  ...flags,
  send_welcome_email: true,
};
const blank = {
  email_address: '',
  first_name: '',
  last_name: '',
  organization: '',
  notes: '',
  time_zone: 'UTC',
  suspended: false,
  ...noFlags,
  quizzes: [],
  groups: [],
  trainerquizzes: [],
  trainergroups: [],
  date_created: '2026-01-05 12:00:00',
};

const misfits: Arguments[] = [
  { password: '12345' },
  { user_name: '' },
  { user_name: adaName },
  { user_name: 'taken@elsewhere.example' },
  { user_type: 'owner' },
  { email_address: 'nowhere' },
  { suspended: 'yes' },
  { manage_users: '1' },
  { manage_groups: '' },
  { edit_quizzes: 'TRUE' },
];
/** The last user has no e-mail address. */
const misfitsOfNew: Arguments[] = [...misfits, { send_welcome_email: 'maybe' }, { send_welcome_email: true }];
const changes: Arguments[] = [
  { suspended: true },
  { suspended: false },
  { first_name: '' },
  { edit_quizzes: false },
  {},
];

/** Specification, section 4.3. */
export const userCases: Case[] = [
  { ...everyUserExists(), title: 'returns all users in the order of creation' },
  {
    operation: 'Get a user',
    title: 'returns a user with the results of the assigned quizzes',
    given: ({ userId }) => ({ user_id: userId(rosaName) }),
    expected: ({ userId, groupId }) =>
      answer(
        user({
          ...rosa,
          user_id: userId(rosaName),
          groups: [group({ group_id: groupId('Kitchen'), group_name: 'Kitchen' })],
        }),
      ),
  },
  {
    operation: 'Get a user',
    title: 'returns a trainer with their quizzes and groups',
    given: ({ userId }) => ({ user_id: userId(samName) }),
    expected: ({ userId }) =>
      answer(
        user({
          ...sam,
          user_id: userId(samName),
          trainerquizzes: someOf(trainerQuiz()),
          trainergroups: someOf(group()),
        }),
      ),
  },
  {
    operation: 'Find a user',
    title: 'returns the id, whatever the case of the name',
    given: () => ({ user_name: 'Rosa@Quiz.Example' }),
    expected: ({ userId }) => id('user_id', userId(rosaName)),
  },
  {
    operation: 'Find a user',
    title: 'finds nobody with an unknown name',
    given: () => ({ user_name: 'nobody & co' }),
    expected: () => nobody('not found'),
  },
  {
    operation: 'Find a user',
    title: 'finds nobody from another account',
    given: () => ({ user_name: 'taken@elsewhere.example' }),
    expected: () => nobody('not found'),
  },
  { operation: 'Find a user', title: 'requires a name', given: () => ({}), expected: () => nobody('unprocessable') },
  {
    operation: 'Create a user',
    title: 'creates a user with blank values for all other fields',
    given: () => least,
    expected: () => id('user_id', newId),
    afterwards: [newUserIs({ ...blank, user_name: 'Zoë & Co', user_type: 'respondent' })],
  },
  {
    operation: 'Create a user',
    title: 'accepts every parameter',
    given: () => most,
    expected: () => id('user_id', newId),
    afterwards: [
      newUserIs({
        ...blank,
        user_name: 'zoe',
        user_type: 'trainer',
        email_address: 'zoe@quiz.example',
        first_name: 'Zoë',
        last_name: 'O’Neil',
        suspended: true,
        ...flags,
      }),
    ],
  },
  {
    operation: 'Create a user',
    title: 'accepts six blanks as the password, since only its length is specified',
    given: () => ({ ...least, password: ' '.repeat(6) }),
    expected: () => id('user_id', newId),
  },
  {
    operation: 'Create a user',
    title: 'does not set the flags of a trainer on a respondent',
    given: () => ({ ...least, ...flags }),
    expected: () => id('user_id', newId),
    afterwards: [newUserIs({ ...blank, user_name: 'Zoë & Co', user_type: 'respondent' })],
  },
  ...Object.keys(least).map((parameter) => refusedUser(`needs a ${parameter}`, without(least, parameter))),
  ...misfitsOfNew.map((misfit) =>
    refusedUser(`refuses ${JSON.stringify(misfit)} and makes nobody`, { ...least, ...misfit }),
  ),
  {
    operation: 'Update a user',
    title: 'changes every field that is given',
    given: ({ userId }) => ({
      ...without(most, 'send_welcome_email'),
      user_type: 'administrator',
      user_id: userId(rosaName),
    }),
    expected: () => success,
    afterwards: [
      userIs(rosaName, {
        ...rosa,
        user_name: 'zoe',
        user_type: 'administrator',
        email_address: 'zoe@quiz.example',
        first_name: 'Zoë',
        last_name: 'O’Neil',
        suspended: true,
        ...flags,
      }),
    ],
  },
  ...changes.map((change): Case => ({
    operation: 'Update a user',
    title: `changes ${JSON.stringify(change)} only`,
    given: ({ userId }) => ({ user_id: userId(tomName), ...change }),
    expected: () => success,
    afterwards: [userIs(tomName, { ...tom, ...change })],
  })),
  {
    operation: 'Update a user',
    title: 'clears the flags of a trainer who becomes a respondent',
    given: ({ userId }) => ({ user_id: userId(tomName), user_type: 'respondent' }),
    expected: () => success,
    afterwards: [userIs(tomName, { ...tom, user_type: 'respondent', ...noFlags })],
  },
  ...misfits.map((misfit): Case => ({
    operation: 'Update a user',
    title: `refuses ${JSON.stringify(misfit)} and changes nothing`,
    given: ({ userId }) => ({ user_id: userId(tomName), last_name: 'Changed', ...misfit }),
    expected: () => refusal('unprocessable'),
    afterwards: [userIs(tomName, tom)],
  })),
  {
    operation: 'Delete a user',
    title: 'deletes the user and keeps the responses without a user',
    given: ({ userId }) => ({ user_id: userId(rosaName) }),
    expected: () => success,
    afterwards: [
      call(
        'Get a user',
        ({ userId }) => ({ user_id: userId(rosaName) }),
        () => refusal('not found'),
      ),
      call(
        'Find a user',
        () => ({ user_name: rosaName }),
        () => nobody('not found'),
      ),
      call(
        'Get a response',
        ({ upload }) => ({ quiz_id: upload.quiz_id, response_id: upload.response_id }),
        () => answer(response({ first_name: 'Rosa', user_id: null, user_name: null })),
      ),
    ],
  },
  {
    operation: 'Get assigned quizzes',
    title: 'returns the quizzes of a user',
    given: ({ userId }) => ({ user_id: userId(rosaName) }),
    expected: () => answer(someOf(assignedQuiz())),
  },
  { ...quizzesAre(adaName, []), title: 'returns an empty list for a user without quizzes' },
  {
    operation: 'Assign a quiz',
    title: 'adds the quiz as not started',
    given: ({ userId, quizId }) => ({ user_id: userId(adaName), quiz_id: quizId(safetyBasics) }),
    expected: () => success,
    afterwards: [
      quizzesAre(adaName, [safetyBasics]),
      call(
        'Get a user',
        ({ userId }) => ({ user_id: userId(adaName) }),
        ({ quizId }) => answer(user({ quizzes: [notStarted(quizId(safetyBasics))] })),
      ),
      assigns(safetyBasics),
      quizzesAre(adaName, [safetyBasics]),
    ],
  },
  {
    operation: 'Unassign a quiz',
    title: 'removes only that quiz',
    given: ({ userId, quizId }) => ({ user_id: userId(adaName), quiz_id: quizId(safetyBasics) }),
    expected: () => success,
    afterwards: [
      assigns(safetyBasics),
      assigns('First aid at work'),
      call(
        'Unassign a quiz',
        ({ userId, quizId }) => ({ user_id: userId(adaName), quiz_id: quizId(safetyBasics) }),
        () => success,
      ),
      quizzesAre(adaName, ['First aid at work']),
    ],
  },
  ...setsGroup('Assign a user to a group', {
    'adds it': ['Warehouse', ['Kitchen', 'Warehouse']],
    'adds it once only': ['Kitchen', ['Kitchen']],
  }),
  ...setsGroup('Unassign a user from a group', {
    'takes it away': ['Kitchen', []],
    'takes nothing else away': ['Warehouse', ['Kitchen']],
  }),
];

function refusedUser(title: string, form: Arguments): Case {
  return {
    operation: 'Create a user',
    title,
    given: () => form,
    expected: () => refusal('unprocessable'),
    afterwards: [everyUserExists()],
  };
}

function setsGroup(
  operation: 'Assign a user to a group' | 'Unassign a user from a group',
  titles: Record<string, [groupName: string, groupsThen: string[]]>,
): Case[] {
  return Object.entries(titles).map(([title, [groupName, groupsThen]]) => ({
    operation,
    title,
    given: ({ userId, groupId }) => ({ user_id: userId(rosaName), group_id: groupId(groupName) }),
    expected: () => success,
    afterwards: [
      call(
        'Get a user',
        ({ userId }) => ({ user_id: userId(rosaName) }),
        ({ groupId }) =>
          answer(
            user({ ...rosa, groups: groupsThen.map((name) => group({ group_id: groupId(name), group_name: name })) }),
          ),
      ),
    ],
  }));
}

function assigns(quizName: string): Call {
  return call(
    'Assign a quiz',
    ({ userId, quizId }) => ({ user_id: userId(adaName), quiz_id: quizId(quizName) }),
    () => success,
  );
}

function notStarted(quizId: string): object {
  return quizResult({
    quiz_id: quizId,
    name: safetyBasics,
    date_assigned: '2026-01-05 12:00:00',
    ...noResult,
    response_id: null,
    attempt: 0,
    status: 'not_started',
  });
}

function quizzesAre(userName: string, quizNames: readonly string[]): Call {
  return call(
    'Get assigned quizzes',
    ({ userId }) => ({ user_id: userId(userName) }),
    ({ quizId }) =>
      answer(
        quizNames.map((name) => assignedQuiz({ quiz_id: quizId(name), name, date_assigned: '2026-01-05 12:00:00' })),
      ),
  );
}

function everyUserExists(): Call {
  return call(
    'Get all users',
    () => ({}),
    ({ userIds }) => answer(userIds.map((user_id) => user({ user_id }))),
  );
}

function userIs(sampleName: string, known: object): Call {
  return call(
    'Get a user',
    ({ userId }) => ({ user_id: userId(sampleName) }),
    () => answer(user(known)),
  );
}

function newUserIs(known: object): Call {
  return call(
    'Get a user',
    (_, createdId) => ({ user_id: createdId }),
    (_, createdId) => answer(user({ ...known, user_id: createdId })),
  );
}

function without(fields: Arguments, name: string): Arguments {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
}
