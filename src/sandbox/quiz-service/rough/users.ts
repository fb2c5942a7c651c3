import {
  asNumber,
  asText,
  becomes,
  becomesNull,
  becomesYearOne,
  dateOddities,
  inField,
  inRecord,
  inSample,
  isMissing,
} from './changes.ts';
import { type Fields, isFields, type RecordOddity } from './oddity.ts';

/** The id of the sample user that is sent as a number. */
export const numericUserId = '700401';

const trainer = { user_type: 'trainer', manage_users: true, manage_groups: true, edit_quizzes: true };

const userFields: RecordOddity[] = [
  inField('user', 'user_type', becomes('account_owner', 'unknown', 'a fourth value, `account_owner`')),
  ...dateOddities('user', 'date_created'),
  inField('user', 'user_id', asNumber, { reach: 'all', sample: { user_id: numericUserId } }),
  inField('user', 'user_name', asNumber, { reach: 'all', sample: { user_name: '20417' } }),
  inField('user', 'user_name', becomesNull),
  inRecord('user', {
    name: 'names-null',
    what: '`first_name` and `last_name` are `null`',
    change: (user) => ({ ...user, first_name: null, last_name: null }),
    shows: (user) => isFields(user) && user['first_name'] === null && user['last_name'] === null,
  }),
  inField('user', 'email_address', becomesNull),
  inField('user', 'organization', becomes(4711, 'number', 'a number, `4711`')),
  inField('user', 'suspended', asText),
  inField('user', 'manage_users', asText, { fits: isStaff, sample: trainer }),
  inField('user', 'edit_quizzes', becomesNull, { fits: isStaff, sample: trainer }),
  inField('user', 'quizzes', becomesNull),
  inRecord('user', {
    name: 'fields-missing',
    what: 'all fields but `user_id`, `user_name` and `user_type` are missing',
    change: ({ user_id, user_name, user_type }) => ({ user_id, user_name, user_type }),
    shows: (user) => isFields(user) && Object.keys(user).length === 3,
  }),
];

const unreadableUsers: RecordOddity[] = [
  inField('user', 'user_id', isMissing),
  inRecord('user', {
    name: 'null',
    what: '`null` instead of the record',
    change: () => null,
    shows: (user) => user === null,
  }),
  inRecord('user', {
    name: 'id-only',
    what: 'the `user_id` instead of the record',
    change: (user) => user['user_id'],
    shows: (user) => typeof user === 'string',
  }),
];

/** The item shapes that the specification leaves open. */
const itemShapes = [
  {
    name: 'ids',
    what: 'ids',
    item: (id: unknown) => id,
    shows: (item: unknown) => typeof item === 'string' && isId(item),
  },
  {
    name: 'names',
    what: 'names',
    item: (_: unknown, name: unknown) => name,
    shows: (item: unknown) => typeof item === 'string' && !isId(item),
  },
  {
    name: 'id-objects',
    what: 'objects with `id`',
    item: (id: unknown) => ({ id }),
    shows: (item: unknown) => isFields(item) && typeof item['id'] === 'string',
  },
  {
    name: 'unreadable',
    what: 'objects without an id, `{"ref": 7}`',
    item: () => ({ ref: 7 }),
    shows: (item: unknown) => isFields(item) && item['ref'] === 7,
  },
];

const itemFields = [
  { field: 'groups', idField: 'group_id', nameField: 'group_name', sample: {} },
  { field: 'trainerquizzes', idField: 'quiz_id', nameField: 'name', sample: trainer },
  { field: 'trainergroups', idField: 'group_id', nameField: 'group_name', sample: trainer },
];

const userItems: RecordOddity[] = itemFields.flatMap(({ field, idField, nameField, sample }) =>
  itemShapes.map(({ name, what, item, shows }) =>
    inField(
      'user',
      field,
      {
        name,
        what,
        apply: (items) => itemsIn(items).map((fields) => item(fields[idField], fields[nameField])),
        shows: (items) => Array.isArray(items) && items.length > 0 && items.every(shows),
      },
      { source: 'open', fits: (user) => itemsIn(user[field]).length > 0, sample },
    ),
  ),
);

const assignedQuizzes: RecordOddity[] = [
  inField('assigned_quiz', 'date_assigned', becomesNull),
  inField('assigned_quiz', 'date_assigned', becomesYearOne),
  inField('assigned_quiz', 'name', becomesNull),
  inField('assigned_quiz', 'quiz_id', isMissing),
  inSample('user', 'quizzes', {
    name: 'user-quizzes-by-group-only',
    what: 'empty, although a group of the user has quizzes',
    source: 'seen',
    shows: (quizzes, user) => isEmpty(quizzes) && !isStaff(user) && itemsIn(user['groups']).length > 0,
  }),
];

export const userOddities = [...userFields, ...unreadableUsers, ...userItems, ...assignedQuizzes];

export const groupOddities: RecordOddity[] = [
  inField('group', 'group_name', becomesNull),
  inField('group', 'group_name', asNumber, { reach: 'all', sample: { group_name: '2026' } }),
  inField('group', 'group_id', isMissing),
  inRecord('group', {
    name: 'null',
    what: '`null` instead of the record',
    change: () => null,
    shows: (group) => group === null,
  }),
];

function isStaff(user: Fields): boolean {
  return user['user_type'] !== 'respondent';
}

function itemsIn(items: unknown): Fields[] {
  return Array.isArray(items) ? items.filter(isFields) : [];
}

function isEmpty(items: unknown): boolean {
  return Array.isArray(items) && items.length === 0;
}

function isId(text: string): boolean {
  return /^[\da-f-]{36}$/.test(text);
}
