import { type Database, readRow } from '../database.ts';
import type { AssignedQuiz, Group } from './quizzes.ts';

export const userTypes = ['respondent', 'trainer', 'administrator'] as const;

type UserType = (typeof userTypes)[number];

const flags = ['suspended', 'manage_users', 'manage_groups', 'edit_quizzes'] as const;

/** The stored fields of a user, named as in section 2.4 of the specification. */
const columns = [
  'user_id',
  'user_name',
  'user_type',
  'email_address',
  'first_name',
  'last_name',
  'organization',
  'notes',
  'time_zone',
  ...flags,
  'date_created',
] as const;

type Flag = (typeof flags)[number];
export type UserRecord = Record<Exclude<(typeof columns)[number], Flag | 'user_type'>, string> &
  Record<Flag, boolean> & { user_type: UserType };

/** The defaults of a new user. */
export const blankUser = {
  user_type: 'respondent',
  email_address: '',
  first_name: '',
  last_name: '',
  organization: '',
  notes: '',
  time_zone: 'UTC',
  suspended: false,
  manage_users: false,
  manage_groups: false,
  edit_quizzes: false,
} as const satisfies Partial<UserRecord>;

export interface User extends UserRecord {
  quizzes: AssignedQuiz[];
  groups: Group[];
  trainerquizzes: { quiz_id: string; name: string }[];
  trainergroups: Group[];
}

type UserRow = { user_id: string; seq: number };

const pageSize = 1000;
const selectedColumns = `seq, ${columns.join(', ')}`;

/** Lists all users with their assignments, page by page. */
export function* pageUsers(database: Database): Generator<User[]> {
  let after = 0;
  for (;;) {
    const rows = database.all<UserRow>(`SELECT ${selectedColumns} FROM users WHERE seq > ? ORDER BY seq LIMIT ?`, [
      after,
      pageSize,
    ]);
    const last = rows.at(-1)?.seq;
    if (last === undefined) return;
    yield withAssignments(database, rows, after, last);
    if (rows.length < pageSize) return;
    after = last;
  }
}

export function findUser(database: Database, userId: string): User | undefined {
  const row = database.get<UserRow>(`SELECT ${selectedColumns} FROM users WHERE user_id = ?`, [userId]);
  return row && withAssignments(database, [row], row.seq - 1, row.seq)[0];
}

/** Finds a user by login name, regardless of case. */
export function findUserIdByName(database: Database, userName: string): string | undefined {
  return database.get<{ user_id: string }>('SELECT user_id FROM users WHERE folded_user_name = ?', [
    foldUserName(userName),
  ])?.user_id;
}

/** Whether a user other than `exceptUserId` has this login name, in any account of the service. */
export function isUserNameTaken(database: Database, userName: string, exceptUserId = ''): boolean {
  return (
    database.get(
      `SELECT 1 FROM users WHERE folded_user_name = :name AND user_id <> :except
       UNION ALL SELECT 1 FROM names_taken_elsewhere WHERE folded_user_name = :name`,
      { name: foldUserName(userName), except: exceptUserId },
    ) !== undefined
  );
}

/** @param passwordHash null: the user cannot sign in with a password */
export function addUser(database: Database, user: UserRecord, passwordHash: string | null): void {
  database.insert('users', { ...toColumns(user), password_hash: passwordHash });
}

/** @param passwordHash undefined keeps the password */
export function updateUser(database: Database, user: UserRecord, passwordHash: string | undefined): void {
  const changes = { ...toColumns(user), ...(passwordHash !== undefined && { password_hash: passwordHash }) };
  database.update('users', 'user_id', changes);
}

/** Deletes a user and their assignments. Responses stay, without the user's id and name. */
export function deleteUser(database: Database, userId: string): void {
  database.run('DELETE FROM users WHERE user_id = ?', [userId]);
}

/** Lists up to 50 users to whom the quiz is assigned, directly or through a group. */
export function listTakers(database: Database, quizId: string): UserRecord[] {
  const rows = database.all<UserRow>(
    `SELECT ${selectedColumns} FROM users
     WHERE suspended = 0 AND user_id IN (
       SELECT user_id FROM user_quizzes WHERE quiz_id = :quiz
       UNION SELECT user_id FROM user_groups JOIN group_quizzes USING (group_id) WHERE quiz_id = :quiz)
     ORDER BY first_name, last_name LIMIT 50`,
    { quiz: quizId },
  );
  return rows.map(toRecord);
}

/** Reserves a login name for another account. */
export function addNameTakenElsewhere(database: Database, userName: string): void {
  database.insert('names_taken_elsewhere', { folded_user_name: foldUserName(userName) });
}

/** Login names are case-insensitive. */
function foldUserName(userName: string): string {
  return userName.normalize('NFC').toLowerCase();
}

function toRecord(row: UserRow): UserRecord {
  const { seq: _, ...fields } = row;
  return readRow(fields, { flags });
}

function toColumns(user: UserRecord) {
  const kept = Object.fromEntries(columns.map((column) => [column, user[column]]));
  return { ...kept, folded_user_name: foldUserName(user.user_name) };
}

type OfUser<Item> = Item & { user_id: string };

/** @param rows all users with a seq above `after` and at most `last` */
function withAssignments(database: Database, rows: UserRow[], after: number, last: number): User[] {
  const itemsOf = <Item>(sql: string): Map<string, OfUser<Item>[]> =>
    Map.groupBy(database.all<OfUser<Item>>(sql, [after, last]), (item) => item.user_id);
  const range = 'u.seq > ? AND u.seq <= ?';

  const quizzes = itemsOf<AssignedQuiz>(
    `SELECT u.user_id, q.quiz_id, q.name, uq.date_assigned
     FROM users u JOIN user_quizzes uq USING (user_id) JOIN quizzes q USING (quiz_id)
     WHERE ${range} ORDER BY uq.seq`,
  );
  const trainerQuizzes = itemsOf<{ quiz_id: string; name: string }>(
    `SELECT u.user_id, q.quiz_id, q.name
     FROM users u JOIN trainer_quizzes tq USING (user_id) JOIN quizzes q USING (quiz_id)
     WHERE ${range} ORDER BY tq.seq`,
  );
  const groupsIn = (table: 'user_groups' | 'trainer_groups') =>
    itemsOf<Group>(
      `SELECT u.user_id, g.group_id, g.group_name
       FROM users u JOIN ${table} ug USING (user_id) JOIN groups g USING (group_id)
       WHERE ${range} ORDER BY ug.seq`,
    );
  const groups = groupsIn('user_groups');
  const trainerGroups = groupsIn('trainer_groups');

  return rows.map((row) => ({
    ...toRecord(row),
    quizzes: withoutUserId(quizzes.get(row.user_id)),
    groups: withoutUserId(groups.get(row.user_id)),
    trainerquizzes: withoutUserId(trainerQuizzes.get(row.user_id)),
    trainergroups: withoutUserId(trainerGroups.get(row.user_id)),
  }));
}

function withoutUserId<Item extends { user_id: string }>(items: Item[] = []): Omit<Item, 'user_id'>[] {
  return items.map((item) => {
    const { user_id: _, ...fields } = item;
    return fields;
  });
}
