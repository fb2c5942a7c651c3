import { fullName, publicName } from '../../directory/names.ts';
import { capitalized, countOf, joinSaid, say, shortName } from '../../domain/said.ts';
import type { QuizObligation } from '../../obligations/matrix.ts';
import { filterStep, type Page } from '../../operations/page.ts';
import { dateOf } from '../../quiz-api/fields.ts';
import { flagWords, typeInWords } from '../../operations/wording/words.ts';
import { flagsOf, type Group, type User, type UserType, type UserWithResults } from '../../quiz-api/records.ts';
import { day } from '../../time/date-words.ts';
import { obligationLine } from '../campaigns/pages/words.ts';
import type { AssignedQuizzes } from '../quizzes/own-quizzes.ts';
import { assignedQuizLines, notesAbout } from '../quizzes/pages.ts';

const typeSigns = { respondent: '👤', trainer: '🎓', administrator: '🛡️' } as const;

/** Which users a list shows. What is undefined narrows nothing. */
export interface UserFilter {
  userType?: UserType | undefined;
  isSuspended?: boolean | undefined;
  group?: Group | undefined;
  /** Words of a name or an address. */
  name?: string | undefined;
}

/** What a filter shows, for its reader: “suspended trainers in Kitchen”. Empty where it narrows nothing. */
function filterWords({ userType, isSuspended, group, name }: UserFilter): string {
  const state = isSuspended === undefined ? 'any' : isSuspended ? 'suspended' : 'active';
  return [kindWords[state][userType ?? 'any'], name ?? '', group === undefined ? '' : say`in ${group.group_name}`]
    .filter((part) => part !== '')
    .join(' ');
}

const kindWords: Readonly<Record<'any' | 'suspended' | 'active', Readonly<Record<UserType | 'any', string>>>> = {
  any: {
    any: '',
    respondent: say`respondents`,
    trainer: say`trainers`,
    administrator: say`administrators`,
  },
  suspended: {
    any: say`suspended`,
    respondent: say`suspended respondents`,
    trainer: say`suspended trainers`,
    administrator: say`suspended administrators`,
  },
  active: {
    any: say`active`,
    respondent: say`active respondents`,
    trainer: say`active trainers`,
    administrator: say`active administrators`,
  },
};

/** A list of users with what the reader may do with each. Only for people who may see users. @param count of the whole list */
export function usersPage(
  users: readonly User[],
  { filter, count, age }: { filter: UserFilter; count: number; age?: string | undefined },
): Page {
  const { name, userType, isSuspended, group } = filter;
  const state = isSuspended === undefined ? undefined : isSuspended ? 'suspended' : 'active';
  const steps = filterStep({ name: 'list-users' }, { name, user_type: userType, state, group: group?.group_id }, count);
  const words = shortName(filterWords(filter));
  if (users.length === 0)
    return {
      heading:
        words === ''
          ? say`There are no users for you to see yet.`
          : say`No user fits “${words}”. \`/quiz-user list\` shows all of them.`,
      steps,
      notes: [age],
    };
  const which = words === '' ? '' : say`: ${words}`;
  return {
    heading: say`*${countOf(count, 'user', 'users')}*${which}`,
    parts: [
      {
        items: users.map((user) => ({
          line: userLine(user),
          about: { kind: 'user', of: user, name: publicName(user), in: 'list' },
        })),
        count,
        narrow: say`/quiz-user list`,
      },
    ],
    steps,
    notes: [age],
  };
}

const suspendedWords = say`⛔ suspended`;

export function suspendedPart(isSuspended: boolean): string {
  return isSuspended ? say` · ${suspendedWords}` : '';
}

/** A type the specification does not name has an icon of its own. */
function typeIcon({ user_type }: User | UserWithResults): string {
  return Object.entries(typeSigns).find(([type]) => type === user_type)?.[1] ?? '⚪';
}

function userLine(user: User): string {
  const known = [shortName(user.user_name, 60), typeInWords(user.user_type)].filter((part) => part !== '');
  return joinSaid(
    [
      say`${typeIcon(user)} *${shortName(fullName(user), 60)}*`,
      ...known.map((part) => say`${part}`),
      user.suspended && suspendedWords,
    ],
    ' · ',
  );
}

interface ShownUser {
  user: UserWithResults;
  assigned: AssignedQuizzes;
  /** What campaigns that the reader sees ask of them. */
  obligations: readonly QuizObligation[];
  /** The names of their groups and of what they train; the ID where the name is not known. */
  groups: readonly string[];
  trains: { quizzes: readonly string[]; groups: readonly string[] };
}

/** In UTF-16 units. */
const longestFact = 250;
const longestNotes = 1_000;

/** One user with rights, groups, notes and results, and what the reader may do with them. */
export function userPage({ user, assigned, obligations, groups, trains }: ShownUser): Page {
  const name = fullName(user);
  const facts: [string, string][] = [
    [say`Type`, capitalized(typeInWords(user.user_type))],
    [
      say`Can`,
      flagsOf(user)
        .map((flag) => flagWords[flag])
        .join(', '),
    ],
    [say`User name`, user.user_name],
    [say`E-mail address`, user.email_address],
    [say`Groups`, groups.join(', ') || say`None`],
    [say`Organization`, user.organization],
    [say`Time zone`, user.time_zone],
    [say`Trains quizzes`, trains.quizzes.join(', ')],
    [say`Trains groups`, trains.groups.join(', ')],
  ];
  const quizLines = assigned.quizzes.flatMap(assignedQuizLines);
  return {
    heading: say`${typeIcon(user)} *${shortName(name)}*${suspendedPart(user.suspended)}`,
    notification: say`${shortName(name)}: ${typeInWords(user.user_type)}`,
    parts: [
      { facts: facts.map(([label, fact]) => [label, shortName(fact, longestFact)]) },
      { lines: [user.notes.trim() !== '' && say`*Notes*\n${shortName(user.notes, longestNotes)}`] },
      {
        lines: quizLines.length === 0 ? [] : [say`*Quizzes*`, ...quizLines],
        most: 51,
        notes: notesAbout(assigned),
      },
      {
        lines:
          obligations.length === 0
            ? []
            : [
                say`*Has to take, for campaigns*`,
                ...obligations.map(({ quiz, cell }) => obligationLine(quiz, cell, day)),
              ],
        most: 21,
      },
    ],
    about: { kind: 'user', of: user, name, in: 'page' },
    notes: [
      joinSaid(
        [user.date_created !== null && say`User since ${day(dateOf(user.date_created))}`, say`ID ${user.user_id}`],
        ' · ',
      ),
    ],
  };
}
