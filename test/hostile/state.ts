import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { cohortOfId, cohortOfName, type SlackPerson, type Cohort } from './cohort.ts';

export interface UserState {
  user_id: string;
  user_name: string;
  email_address: string;
  first_name: string;
  last_name: string;
  user_type: string;
  suspended: boolean;
  edit_quizzes: boolean;
  manage_users: boolean;
  manage_groups: boolean;
  /** Ids. */
  quizzes: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  trainerQuizzes: ReadonlySet<string>;
  trainerGroups: ReadonlySet<string>;
}

/** One cohort of the account and of the workspace at one moment. Never changed: a change makes another one. */
export interface State {
  users: ReadonlyMap<string, UserState>;
  quizzes: ReadonlyMap<string, { name: string; status: string }>;
  groups: ReadonlySet<string>;
  /** `group quiz`. */
  groupQuizzes: ReadonlySet<string>;
  /** The quiz of each response. */
  responses: ReadonlyMap<string, string>;
  /** What the channels are subscribed to. The bot keeps it, not the service. */
  subscriptions: ReadonlyMap<string, Row>;
  /** By Slack id. */
  people: ReadonlyMap<string, SlackPerson>;
}

export const emptyState: State = {
  users: new Map(),
  quizzes: new Map(),
  groups: new Set(),
  groupQuizzes: new Set(),
  responses: new Map(),
  subscriptions: new Map(),
  people: new Map(),
};

export type Row = Readonly<Record<string, string | number | null>>;

/** A row of a table that was added, changed or removed. */
export interface RowChange {
  table: string;
  before: Row | null;
  after: Row | null;
}

/** The tables that the bot's calls change, and the columns that matter. `password_hash` shows only that a password is new. */
const tables: Record<string, readonly string[]> = {
  users: [
    'user_id',
    'user_name',
    'email_address',
    'first_name',
    'last_name',
    'organization',
    'notes',
    'time_zone',
    'user_type',
    'suspended',
    'edit_quizzes',
    'manage_users',
    'manage_groups',
    'password_hash',
  ],
  quizzes: ['quiz_id', 'name', 'status'],
  groups: ['group_id', 'group_name'],
  user_quizzes: ['user_id', 'quiz_id'],
  user_groups: ['user_id', 'group_id'],
  group_quizzes: ['group_id', 'quiz_id'],
  trainer_quizzes: ['user_id', 'quiz_id'],
  trainer_groups: ['user_id', 'group_id'],
  responses: ['response_id', 'quiz_id', 'user_id'],
};

/** Makes the database keep every change of a row, in order, until `takeChanges` takes it. */
export function recordChanges(database: Database): void {
  database.run(
    'CREATE TABLE hostile_changes (seq INTEGER PRIMARY KEY AUTOINCREMENT, tab TEXT NOT NULL, before TEXT, after TEXT)',
  );
  for (const [table, columns] of Object.entries(tables)) {
    const row = (name: string) =>
      `json_object(${columns.map((column) => `'${column}', ${name}.${column}`).join(', ')})`;
    const trigger = (event: string, before: string, after: string) =>
      database.run(
        `CREATE TRIGGER hostile_${table}_${event} AFTER ${event} ON ${table} BEGIN INSERT INTO hostile_changes (tab, before, after) VALUES ('${table}', ${before}, ${after}); END`,
      );
    trigger('INSERT', 'NULL', row('NEW'));
    trigger('UPDATE', row('OLD'), row('NEW'));
    trigger('DELETE', row('OLD'), 'NULL');
  }
}

export function takeChanges(database: Database): RowChange[] {
  const rows = database.all<{ tab: string; before: string | null; after: string | null }>(
    'SELECT tab, before, after FROM hostile_changes ORDER BY seq',
  );
  if (rows.length > 0) database.run('DELETE FROM hostile_changes');
  const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as Row));
  return rows.map(({ tab, before, after }) => ({ table: tab, before: parsed(before), after: parsed(after) }));
}

/** The cohort of a row: by the ids that the cohorts were made with, or by the mark in the name of a new record. */
export function cohortOfChange(
  { before, after }: RowChange,
  cohortOfNew: ReadonlyMap<string, number>,
): number | undefined {
  const row = { ...before, ...after };
  const ids = ['user_id', 'quiz_id', 'group_id', 'response_id'].flatMap((column) =>
    typeof row[column] === 'string' ? [row[column]] : [],
  );
  for (const id of ids) {
    const cohort = cohortOfId(id) ?? cohortOfNew.get(id);
    if (cohort !== undefined) return cohort;
  }
  return cohortOfName(`${row['user_name']} ${row['email_address']} ${row['name']}`);
}

/** What a user has of the rows of each table. */
const linksOf = {
  user_quizzes: ['quizzes', 'quiz_id'],
  user_groups: ['groups', 'group_id'],
  trainer_quizzes: ['trainerQuizzes', 'quiz_id'],
  trainer_groups: ['trainerGroups', 'group_id'],
} as const;

/** The state after a change of one row. */
export function applyChange(state: State, { table, before, after }: RowChange): State {
  const text = (row: Row | null, column: string) => String(row?.[column] ?? '');
  const withUser = (id: string, edit: (user: UserState) => UserState): State => {
    const user = state.users.get(id);
    return user ? { ...state, users: new Map(state.users).set(id, edit(user)) } : state;
  };
  const linked = (set: ReadonlySet<string>, id: string) =>
    new Set(after ? [...set, id] : [...set].filter((other) => other !== id));
  const row = after ?? before;
  switch (table) {
    case 'users': {
      const id = text(row, 'user_id');
      const users = new Map(state.users);
      if (after === null) users.delete(id);
      else {
        const none: ReadonlySet<string> = new Set();
        const known = state.users.get(id) ?? { quizzes: none, groups: none, trainerQuizzes: none, trainerGroups: none };
        const flag = (column: string) => after[column] === 1;
        users.set(id, {
          user_id: id,
          user_name: text(after, 'user_name'),
          email_address: text(after, 'email_address'),
          first_name: text(after, 'first_name'),
          last_name: text(after, 'last_name'),
          user_type: text(after, 'user_type'),
          suspended: flag('suspended'),
          edit_quizzes: flag('edit_quizzes'),
          manage_users: flag('manage_users'),
          manage_groups: flag('manage_groups'),
          quizzes: known.quizzes,
          groups: known.groups,
          trainerQuizzes: known.trainerQuizzes,
          trainerGroups: known.trainerGroups,
        });
      }
      return { ...state, users };
    }
    case 'quizzes': {
      const quizzes = new Map(state.quizzes);
      if (after) quizzes.set(text(after, 'quiz_id'), { name: text(after, 'name'), status: text(after, 'status') });
      else quizzes.delete(text(before, 'quiz_id'));
      return { ...state, quizzes };
    }
    case 'groups':
      return { ...state, groups: linked(state.groups, text(row, 'group_id')) };
    case 'user_quizzes':
    case 'user_groups':
    case 'trainer_quizzes':
    case 'trainer_groups': {
      const [list, column] = linksOf[table];
      return withUser(text(row, 'user_id'), (user) => ({ ...user, [list]: linked(user[list], text(row, column)) }));
    }
    case 'group_quizzes':
      return { ...state, groupQuizzes: linked(state.groupQuizzes, `${text(row, 'group_id')} ${text(row, 'quiz_id')}`) };
    case 'subscriptions': {
      const subscriptions = new Map(state.subscriptions);
      if (after) subscriptions.set(text(after, 'subscription_id'), after);
      else subscriptions.delete(text(before, 'subscription_id'));
      return { ...state, subscriptions };
    }
    default: {
      const responses = new Map(state.responses);
      if (after) responses.set(text(after, 'response_id'), text(after, 'quiz_id'));
      else responses.delete(text(before, 'response_id'));
      return { ...state, responses };
    }
  }
}

/** The people of a cohort, as a first state. */
export function stateOfPeople({ people }: Cohort): State {
  return { ...emptyState, people: new Map(Object.values(people).map((person) => [person.id, person])) };
}
