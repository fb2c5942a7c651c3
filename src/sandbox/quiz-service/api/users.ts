import { type Account, hashPassword } from '../account.ts';
import { json, list, okMessage } from '../face.ts';
import { assigning, type Form, operation, requireGroup, requireQuiz, requireUser } from './operation.ts';
import { formatDate } from '../database.ts';
import { notFound, unprocessable } from '../http.ts';
import { type AssignedQuiz, listGroups, listQuizzesOfUser } from '../store/quizzes.ts';
import { latestResponsesOfUser, type Response } from '../store/responses.ts';
import {
  addUser,
  blankUser,
  deleteUser,
  findUserIdByName,
  isUserNameTaken,
  pageUsers,
  updateUser,
  type UserRecord,
  userTypes,
} from '../store/users.ts';

/** Specification, section 4.3. */
export const userOperations = [
  operation('GET', '/users', ({ account }) => list(pageUsers(account.database))),

  operation('POST', '/users/find', ({ account, form }) => {
    const userName = form.required('user_name');
    const userId = findUserIdByName(account.database, userName);
    if (userId === undefined) throw notFound(`There is no user called ${userName}.`);
    return json({ user_id: userId });
  }),

  operation('GET', '/users/:user_id', ({ account, parameters }) => {
    const user = requireUser(account, parameters.user_id);
    const responses = latestResponsesOfUser(account.database, user.user_id, account.publicUrl());
    const quizzes = user.quizzes.map((quiz) => withResult(quiz, responses.get(quiz.quiz_id)));
    return json({ ...user, quizzes });
  }),

  operation('POST', '/users', async ({ account, form }) => {
    const user = newUser(form, account.newId(), formatDate(account.now()));
    const password = readPassword(form.requiredAsTyped('password'));
    if (form.optionalFlag('send_welcome_email')) requireMailAddress(user);
    const passwordHash = await hashPassword(password);
    account.database.transaction(() => {
      ensureUserNameIsFree(account, user.user_name, user.user_id);
      addUser(account.database, user, passwordHash);
    });
    return json({ user_id: user.user_id });
  }),

  operation('POST', '/users/:user_id', async ({ account, parameters, form }) => {
    requireUser(account, parameters.user_id);
    const password = form.optional('password');
    const passwordHash = password === undefined ? undefined : await hashPassword(readPassword(password));
    account.database.transaction(() => {
      const user = changedUser(requireUser(account, parameters.user_id), form);
      ensureUserNameIsFree(account, user.user_name, user.user_id);
      updateUser(account.database, user, passwordHash);
    });
    return okMessage;
  }),

  operation('DELETE', '/users/:user_id', ({ account, parameters }) => {
    deleteUser(account.database, requireUser(account, parameters.user_id).user_id);
    return okMessage;
  }),

  operation('GET', '/users/:user_id/quizzes', ({ account, parameters }) => {
    const { user_id } = requireUser(account, parameters.user_id);
    return json(listQuizzesOfUser(account.database, user_id));
  }),

  ...assigning('/users/:user_id/quizzes', 'user_quizzes', ({ account, parameters, form }) => ({
    user_id: requireUser(account, parameters.user_id).user_id,
    quiz_id: requireQuiz(account, form.required('quiz_id')).quiz_id,
    date_assigned: formatDate(account.now()),
  })),

  ...assigning('/users/:user_id/groups', 'user_groups', ({ account, parameters, form }) => ({
    user_id: requireUser(account, parameters.user_id).user_id,
    group_id: requireGroup(account, form.required('group_id')).group_id,
  })),
];

function ensureUserNameIsFree(account: Account, userName: string, userId: string): void {
  if (isUserNameTaken(account.database, userName, userId)) {
    throw unprocessable(`The user_name ${userName} is already taken.`);
  }
}

/** Adds the latest attempt to an assigned quiz, or the status `not_started` (specification, section 2.4). */
function withResult(quiz: AssignedQuiz, response: Response | undefined) {
  return {
    ...quiz,
    response_id: response?.response_id ?? null,
    date_submitted: response?.date_submitted ?? null,
    points: response?.points ?? 0,
    available_points: response?.available_points ?? 0,
    percentage_score: response?.percentage_score ?? 0,
    grade: response?.grade ?? '',
    pass: response?.pass ?? false,
    duration: response?.duration ?? 0,
    attempt: response?.attempt ?? 0,
    status: response?.status ?? 'not_started',
  };
}

/** Specification, section 4.4. */
export const groupOperations = [operation('GET', '/groups', ({ account }) => json(listGroups(account.database)))];

const minPasswordLength = 6;
const emailAddressPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** @throws HttpError 422 when a parameter is missing or invalid (specification, section 4.3) */
function newUser(form: Form, userId: string, dateCreated: string): UserRecord {
  const user_name = form.required('user_name');
  form.required('user_type');
  return changedUser({ ...blankUser, user_id: userId, user_name, date_created: dateCreated }, form);
}

/** Applies the form to a user. Absent parameters keep their values. */
function changedUser(user: UserRecord, form: Form): UserRecord {
  const userType = form.optionalChoice('user_type', userTypes) ?? user.user_type;
  const flag = (name: 'manage_users' | 'manage_groups' | 'edit_quizzes') => {
    const value = form.optionalFlag(name) ?? user[name];
    return value && userType !== 'respondent';
  };
  return {
    ...user,
    user_name: form.optionalFilled('user_name') ?? user.user_name,
    user_type: userType,
    email_address: readEmailAddress(form) ?? user.email_address,
    first_name: form.optional('first_name') ?? user.first_name,
    last_name: form.optional('last_name') ?? user.last_name,
    suspended: form.optionalFlag('suspended') ?? user.suspended,
    manage_users: flag('manage_users'),
    manage_groups: flag('manage_groups'),
    edit_quizzes: flag('edit_quizzes'),
  };
}

/** @throws HttpError 422 when the password is too short */
function readPassword(password: string): string {
  // Counts code points instead of UTF-16 units.
  if (Array.from(password).length < minPasswordLength) {
    throw unprocessable(`The password must have at least ${minPasswordLength} characters.`);
  }
  return password;
}

/** @throws HttpError 422 when the user has no e-mail address */
function requireMailAddress(user: UserRecord): void {
  if (![user.email_address, user.user_name].some(isEmailAddress))
    throw unprocessable('With send_welcome_email, user_name must be an e-mail address or email_address must be set.');
}

export function isEmailAddress(text: string): boolean {
  return emailAddressPattern.test(text);
}

function readEmailAddress(form: Form): string | undefined {
  const address = form.optional('email_address');
  if (address !== undefined && address !== '' && !isEmailAddress(address)) {
    throw unprocessable('The parameter email_address must be an e-mail address.');
  }
  return address;
}
