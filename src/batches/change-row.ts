import { isSameAddress } from '../domain/address.ts';
import type { BatchRow, NewUserRow, RowOutcome } from '../domain/batch.ts';
import { named } from '../domain/sentence.ts';
import { hasAddress } from '../directory/identity.ts';
import type { Directory } from '../directory/directory.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { User, UserChanges } from '../quiz-api/users.ts';

/** What the change of a row works with. */
export interface RowContext {
  api: QuizApi;
  directory: Directory;
  makePassword: () => string;
  call: CallOptions;
  /** Keeps the id of a user that the row has made, before its other requests. */
  onUser: (userId: string) => Promise<void>;
}

type Sent = Exclude<BatchRow, { kind: 'none' }>;
type UserRow = Extract<Sent, { kind: 'create' }>;

/** A row that is not sent, for a reason that does not pass; the message is a sentence of `domain/sentence.ts`. */
export interface RowProblem {
  problem: string;
}

/**
 * Sends a row’s requests, and shows the change in the directory.
 * @throws a `QuizApiError` where the service refuses a request, or does not answer
 */
export async function sendRow(row: Sent, context: RowContext): Promise<RowOutcome> {
  const { api, directory, call } = context;
  switch (row.kind) {
    case 'assign':
    case 'unassign': {
      const isAssigned = row.kind === 'assign';
      const target = row.kind === 'assign' ? row.to : row.from;
      if (target === 'group') {
        await (isAssigned
          ? api.quizzes.assignGroup(row.quizId, row.id, call)
          : api.quizzes.unassignGroup(row.quizId, row.id, call));
        directory.quizGroups.change(row.quizId, row.id, isAssigned);
        return { kind: 'done' };
      }
      await (isAssigned
        ? api.users.assignQuiz(row.id, row.quizId, call)
        : api.users.unassignQuiz(row.id, row.quizId, call));
      await showUser(context, row.id, (user) => withQuiz(user, row.quizId, '', isAssigned));
      return { kind: 'done', userId: row.id };
    }
    case 'suspend':
    case 'reinstate': {
      const suspended = row.kind === 'suspend';
      await api.users.update(row.userId, { suspended }, call);
      await showUser(context, row.userId, (user) => ({ ...user, suspended }));
      return { kind: 'done', userId: row.userId };
    }
    case 'join-group':
      await joinGroup(row.userId, { id: row.groupId, name: '' }, context);
      return { kind: 'done', userId: row.userId };
    case 'leave-group':
      await api.users.unassignGroup(row.userId, row.groupId, call);
      await showUser(context, row.userId, (user) => ({
        ...user,
        groups: user.groups.filter(({ group_id }) => group_id !== row.groupId),
      }));
      return { kind: 'done', userId: row.userId };
    case 'create':
      return create(row, context);
    case 'update': {
      const changes = changedFields(row);
      if (Object.keys(changes).length > 0) {
        await api.users.update(row.userId, changes, call);
        await showUser(context, row.userId, (user) => ({ ...user, ...changes }));
      }
      await addTo(row.userId, row.user, context);
      return { kind: 'done', userId: row.userId };
    }
  }
}

async function create({ user }: UserRow, context: RowContext): Promise<RowOutcome> {
  const { api, directory, call } = context;
  const password = context.makePassword();
  const id = await api.users.create(
    { ...fieldsOf(user), password, send_welcome_email: user.sendsWelcome ?? false },
    call,
  );
  // A service can answer without the id.
  const userId = id ?? holdersOf(user, await api.users.list(call))[0]?.user_id;
  if (userId === undefined) return { kind: 'done' };
  await context.onUser(userId);
  directory.users.put(createdUser(userId, user));
  await addTo(userId, user, context);
  return { kind: 'done', userId };
}

/** Adds a user to the groups, and assigns the quizzes, that they do not have by what the directory says. */
async function addTo(userId: string, { groups, quizzes }: NewUserRow, context: RowContext): Promise<void> {
  const { api, directory, call } = context;
  const known = (await directory.users.names(call)).byId(userId);
  for (const { id, name } of groups) {
    if (known?.groups.some(({ group_id }) => group_id === id)) continue;
    await joinGroup(userId, { id, name }, context);
  }
  for (const { id, name } of quizzes) {
    if (known?.quizzes.some(({ quiz_id }) => quiz_id === id)) continue;
    await api.users.assignQuiz(userId, id, call);
    await showUser(context, userId, (user) => withQuiz(user, id, name, true));
  }
}

async function joinGroup(
  userId: string,
  { id, name }: { id: string; name: string },
  context: RowContext,
): Promise<void> {
  await context.api.users.assignGroup(userId, id, context.call);
  await showUser(context, userId, (user) => ({
    ...user,
    groups: [...user.groups.filter(({ group_id }) => group_id !== id), { group_id: id, group_name: name }],
  }));
}

/** What the service says about a row that may have been sent. */
export type RowLookUp = { kind: 'made'; outcome: RowOutcome } | { kind: 'not made' } | RowProblem;

/**
 * Looks up whether a row was carried out, with a single request. Of a user who was created, it also sends what is missing.
 * @param userId of the user whom the row has made, where it is known
 */
export async function lookUpRow(row: Sent, context: RowContext, userId?: string): Promise<RowLookUp> {
  const { api, directory, call } = context;
  const answer = (isMade: boolean, user?: string): RowLookUp =>
    isMade
      ? { kind: 'made', outcome: { kind: 'done', ...(user !== undefined && { userId: user }) } }
      : { kind: 'not made' };
  switch (row.kind) {
    case 'assign':
    case 'unassign': {
      const isAssigned = row.kind === 'assign';
      if ((row.kind === 'assign' ? row.to : row.from) === 'group') {
        const groups = await api.quizzes.groups(row.quizId, call);
        directory.quizGroups.put(row.quizId, groups);
        return answer(groups.some(({ group_id }) => group_id === row.id) === isAssigned);
      }
      const quizzes = await api.users.quizzes(row.id, call);
      const isMade = quizzes.some(({ quiz_id }) => quiz_id === row.quizId) === isAssigned;
      if (isMade) await showUser(context, row.id, (user) => withQuiz(user, row.quizId, '', isAssigned));
      return answer(isMade, row.id);
    }
    case 'suspend':
    case 'reinstate': {
      const user = await readUser(row.userId, context);
      return answer(user.suspended === (row.kind === 'suspend'), row.userId);
    }
    case 'join-group':
    case 'leave-group': {
      const user = await readUser(row.userId, context);
      return answer(
        user.groups.some(({ group_id }) => group_id === row.groupId) === (row.kind === 'join-group'),
        row.userId,
      );
    }
    case 'update':
      return { kind: 'not made' };
    case 'create': {
      if (userId !== undefined) {
        await readUser(userId, context);
        await addTo(userId, row.user, context);
        return answer(true, userId);
      }
      // Not the directory’s list: a load of it that is in progress can be older than the request.
      const [holder] = holdersOf(row.user, await api.users.list(call));
      if (holder === undefined) return { kind: 'not made' };
      if (!isAsAsked(holder, row.user)) return { problem: addressTaken(row.user) };
      await context.onUser(holder.user_id);
      directory.users.put(holder);
      await addTo(holder.user_id, row.user, context);
      return answer(true, holder.user_id);
    }
  }
}

/** Why a user must not be created: another one has the address by what the directory says. */
export async function takenAddress(
  { user }: UserRow,
  { directory, call }: Pick<RowContext, 'directory' | 'call'>,
): Promise<string | undefined> {
  const names = await directory.users.names(call);
  const known = [user.userName, user.emailAddress]
    .filter((address) => address !== '')
    .flatMap((address) => names.named(address));
  return holdersOf(user, known).length > 0 ? addressTaken(user) : undefined;
}

function addressTaken({ userName }: NewUserRow): string {
  return `Another user of the quiz account already uses ${named(userName)} or the e-mail address.`;
}

function holdersOf({ userName, emailAddress }: NewUserRow, users: readonly User[]): User[] {
  return users.filter((user) => hasAddress(user, userName) || (emailAddress !== '' && hasAddress(user, emailAddress)));
}

function isAsAsked(user: User, { userName, firstName, lastName, userType }: NewUserRow): boolean {
  return (
    isSameAddress(user.user_name, userName) &&
    user.first_name === firstName &&
    user.last_name === lastName &&
    user.user_type === userType
  );
}

async function readUser(userId: string, { api, directory, call }: RowContext): Promise<User> {
  const user = await api.users.get(userId, call);
  directory.users.put(user);
  return user;
}

/** Starts from the user in the directory, since other changes can be made at the same time. */
async function showUser({ directory, call }: RowContext, userId: string, edit: (user: User) => User): Promise<void> {
  const known = (await directory.users.names(call)).byId(userId);
  if (known) directory.users.put(edit(known));
}

function withQuiz(user: User, quizId: string, name: string, isAssigned: boolean): User {
  const others = user.quizzes.filter(({ quiz_id }) => quiz_id !== quizId);
  return { ...user, quizzes: isAssigned ? [...others, { quiz_id: quizId, name, date_assigned: null }] : others };
}

type UserFields = Required<Pick<UserChanges, 'user_name' | 'user_type'>> & UserChanges;

/** The flags apply to trainers and administrators only. */
function fieldsOf({ userName, emailAddress, firstName, lastName, userType, flags }: NewUserRow): UserFields {
  const has = (flag: NewUserRow['flags'][number]) => flags.includes(flag);
  return {
    user_name: userName,
    user_type: userType,
    ...(firstName !== '' && { first_name: firstName }),
    ...(lastName !== '' && { last_name: lastName }),
    ...(emailAddress !== '' && { email_address: emailAddress }),
    ...(userType !== 'respondent' && {
      edit_quizzes: has('edit_quizzes'),
      manage_users: has('manage_users'),
      manage_groups: has('manage_groups'),
    }),
  };
}

/** The fields of the user that differ, of those that an update sets. */
function changedFields({ user, changes }: Extract<BatchRow, { kind: 'update' }>): Omit<UserChanges, 'password'> {
  const { user_name, user_type, first_name, last_name, email_address, edit_quizzes, manage_users, manage_groups } =
    fieldsOf(user);
  const has = (field: keyof NewUserRow) => changes.includes(field);
  return JSON.parse(
    JSON.stringify({
      ...(has('userName') && { user_name }),
      ...(has('userType') && { user_type }),
      ...(has('firstName') && { first_name }),
      ...(has('lastName') && { last_name }),
      ...(has('emailAddress') && { email_address }),
      ...(has('flags') && { edit_quizzes, manage_users, manage_groups }),
    }),
  ) as Omit<UserChanges, 'password'>;
}

function createdUser(userId: string, user: NewUserRow): User {
  const { firstName, lastName, userName, emailAddress, userType, flags } = user;
  return {
    user_id: userId,
    user_name: userName,
    user_type: userType,
    email_address: emailAddress,
    first_name: firstName,
    last_name: lastName,
    organization: '',
    notes: '',
    time_zone: '',
    suspended: false,
    manage_users: flags.includes('manage_users'),
    manage_groups: flags.includes('manage_groups'),
    edit_quizzes: flags.includes('edit_quizzes'),
    quizzes: [],
    groups: [],
    trainerquizzes: [],
    trainergroups: [],
    date_created: null,
  };
}
