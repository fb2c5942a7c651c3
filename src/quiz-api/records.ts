import * as z from 'zod';
import {
  accountDatesIn,
  forDates,
  type AccountDates,
  fits,
  flag,
  flagOf,
  htmlText,
  id,
  idOf,
  isObject,
  listOfReadable,
  optionalText,
  text,
  textOf,
  usualId,
  usualText,
  writtenDate,
} from './fields.ts';
import { nameOrId } from '../domain/record-names.ts';
import { htmlToText } from './html-text.ts';
import { resultFieldsOf, withOutcome } from './responses.ts';

/** Section 2.1 of the specification. Only the id is needed: a quiz without a name is called by it. */
export const quizSchemaOf = forDates((dates) =>
  z.compile(
    z
      .object({ quiz_id: id, name: htmlText, status: text, date_created: dates.moment })
      .transform((quiz) => ({ ...quiz, name: nameOrId('quiz', quiz.name, quiz.quiz_id) })),
  ),
);

/** A quiz of an account whose dates are in UTC. */
export const quizSchema = quizSchemaOf(accountDatesIn('UTC'));
export type Quiz = z.output<typeof quizSchema>;
/** The states of section 3.1. An account may have quizzes in others. */
export type QuizStatus = 'in_design' | 'open' | 'closed';

export const newQuiz = z.object({ name: z.string() });

/** Without a name, the service chooses one. */
export const copiedQuiz = newQuiz.partial();

/** The fields of a quiz that can be set. A quiz cannot return to `in_design`. */
export const quizChanges = z.object({ name: z.string(), status: z.enum(['open', 'closed']) }).partial();

/** Section 2.5 of the specification. A group without a name is called by its ID. */
export const groupSchema = z.compile(
  z.object({ group_id: id, group_name: htmlText }).transform(({ group_id, group_name }) => ({
    group_id,
    group_name: nameOrId('group', group_name, group_id),
  })),
);
export type Group = z.output<typeof groupSchema>;

/** A quiz that is assigned to a user, with every field in its usual form. */
const usualAssignedQuiz = z.strictObject({ quiz_id: usualId, name: usualText, date_assigned: writtenDate.nullable() });

const usualQuizName = z.strictObject({ quiz_id: usualId, name: usualText });
const usualGroupName = z.strictObject({ group_id: usualId, group_name: usualText });

/**
 * A user with every field in its usual form.
 *
 * The dates of a user are text in UTC, which `dateOf` reads: an account may have 100,000 users with a few dates each, and
 * `Date` objects for all of them cost half as much again as `JSON.parse`.
 */
const usualUser = z.strictObject({
  user_id: usualId,
  user_name: z.string(),
  user_type: z.string(),
  email_address: z.string(),
  first_name: usualText,
  last_name: usualText,
  organization: usualText,
  notes: usualText,
  time_zone: z.string(),
  suspended: z.boolean(),
  manage_users: z.boolean(),
  manage_groups: z.boolean(),
  edit_quizzes: z.boolean(),
  quizzes: z.array(usualAssignedQuiz),
  groups: z.array(usualGroupName),
  trainerquizzes: z.array(usualQuizName),
  trainergroups: z.array(usualGroupName),
  date_created: writtenDate.nullable(),
});
export type User = z.output<typeof usualUser>;

/** The flags that are rights of trainers and administrators (specification, section 2.4). */
export const rightFlags = ['edit_quizzes', 'manage_users', 'manage_groups'] as const;

/** Those that a user has. */
export const flagsOf = (user: Pick<User, (typeof rightFlags)[number]>) => rightFlags.filter((each) => user[each]);

/** Whether a record is a `User` already, with nothing to convert, fill in or drop, if its dates are in UTC. */
export const isUser = fits(usualUser);

interface Named {
  id: string;
  name: string;
}

/**
 * Reads an item of a user's groups, trainergroups or trainerquizzes, whose shape the specification does not show: an object
 * with `idField` or `id`, or the id itself. The id is empty where it cannot be read.
 */
function namedItem(item: unknown, idField: string): Named {
  if (!isObject(item)) return { id: idOf(item) ?? '', name: '' };
  return {
    id: idOf(item[idField]) ?? idOf(item['id']) ?? '',
    name: htmlToText(textOf(item['group_name']) || textOf(item['name'])),
  };
}

/** Fewer groups never widen what anybody sees: an item that cannot be read is left out. */
function groupsOf(written: unknown): { group_id: string; group_name: string }[] {
  const items = Array.isArray(written) ? written : [];
  return items
    .map((item) => namedItem(item, 'group_id'))
    .flatMap((group) => (group.id === '' ? [] : [{ group_id: group.id, group_name: group.name }]));
}

/**
 * What a trainer trains narrows what they see, and nothing at all narrows nothing. What cannot be read is therefore kept,
 * with an id that no quiz and no group has.
 */
function trained(written: unknown, idField: string): Named[] {
  if (written === null) return [];
  const items: readonly unknown[] = Array.isArray(written) ? written : [undefined];
  return items.map((item) => namedItem(item, idField));
}

function userFieldsOf(dates: AccountDates) {
  return z.object({
    user_id: id,
    user_name: text,
    user_type: text,
    email_address: text,
    first_name: htmlText,
    last_name: htmlText,
    organization: htmlText,
    notes: htmlText,
    time_zone: text,
    // A user counts as suspended if the flag is there and cannot be read, since a suspended user has no rights.
    suspended: z
      .unknown()
      .default(null)
      .transform((value) => value !== null && (flagOf(value) ?? true)),
    manage_users: flag,
    manage_groups: flag,
    edit_quizzes: flag,
    quizzes: listOfReadable(assignedQuizOf(dates)),
    groups: z.unknown().default(null).transform(groupsOf),
    trainerquizzes: z
      .unknown()
      .default(null)
      .transform((written) => trained(written, 'quiz_id').map((quiz) => ({ quiz_id: quiz.id, name: quiz.name }))),
    trainergroups: z
      .unknown()
      .default(null)
      .transform((written) =>
        trained(written, 'group_id').map((group) => ({ group_id: group.id, group_name: group.name })),
      ),
    date_created: dates.text,
  });
}

function assignedQuizOf(dates: AccountDates) {
  return z.object({ quiz_id: id, name: htmlText, date_assigned: dates.text });
}

/** A quiz that is assigned to a user, in lists. */
export const assignedQuizSchemaOf = forDates((dates) => z.compile(assignedQuizOf(dates)));

/** An assigned quiz with its result; null while there is no result. */
function quizResultOf(dates: AccountDates) {
  return assignedQuizOf(dates)
    .extend({ response_id: optionalText, ...resultFieldsOf(dates), date_submitted: dates.text })
    .transform((result) => withOutcome(result, null));
}
export type QuizResult = z.output<ReturnType<typeof quizResultOf>>;

/** Section 2.4 of the specification. Only the id is needed: missing text is empty, a missing flag is false. */
export const userSchemaOf = forDates((dates): z.ZodType<User> => z.compile(userFieldsOf(dates)));

/** A user as the single-user call returns it: the quizzes carry their results. */
export const userWithResultsSchemaOf = forDates((dates) =>
  z.compile(userFieldsOf(dates).extend({ quizzes: listOfReadable(quizResultOf(dates)) })),
);
export type UserWithResults = z.output<ReturnType<typeof userWithResultsSchemaOf>>;

/** A user of an account whose dates are in UTC. */
export const userSchema = userSchemaOf(accountDatesIn('UTC'));

/** A respondent of whom nothing is known. */
export const blankUser: User = { ...userSchema.parse({ user_id: 'none' }), user_id: '', user_type: 'respondent' };

/** Returns a user with every field in its usual form as it is, with its dates in UTC; undefined for other records. */
export function usualUserOf(dates: AccountDates): (value: unknown) => User | undefined {
  if (dates.isUtc) return (value) => (isUser(value) ? value : undefined);
  return (value) => {
    if (!isUser(value)) return undefined;
    value.date_created = dates.textOf(value.date_created);
    for (const quiz of value.quizzes) quiz.date_assigned = dates.textOf(quiz.date_assigned);
    return value;
  };
}

/**
 * The fields of a user that can be set (section 4.3). The flags apply to trainers and administrators only. No error and no
 * log contains the password, which has at least 6 characters.
 */
export const userChanges = z
  .object({
    user_name: z.string(),
    password: z.string(),
    user_type: z.enum(['respondent', 'trainer', 'administrator']),
    email_address: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    suspended: z.boolean(),
    manage_users: z.boolean(),
    manage_groups: z.boolean(),
    edit_quizzes: z.boolean(),
  })
  .partial();
export type UserChanges = z.input<typeof userChanges>;

/** `send_welcome_email` sends login name and password to `email_address`, or to `user_name` if that is an address. */
export const newUser = userChanges.extend({ user_name: z.string(), send_welcome_email: z.boolean().optional() });
export type NewUser = z.input<typeof newUser>;

/** The types of section 2.4. An account may have users of others. */
export type UserType = NonNullable<UserChanges['user_type']>;
