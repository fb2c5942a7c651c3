import { fullName, publicName } from '../../directory/names.ts';
import { countOf, joinSaid, say } from '../../domain/said.ts';
import { shortName } from '../../domain/short-name.ts';
import { filterStep } from '../../operations/next-step.ts';
import type { Page } from '../../operations/page.ts';
import type { User, UserWithResults } from '../../quiz-api/users.ts';
import { formatUserFilter, userFilterWords, type UserFilter } from './user-filter.ts';

const typeSigns = { respondent: '👤', trainer: '🎓', administrator: '🛡️' } as const;

/** A type by itself, within a line, and of a person who “is” it. */
interface TypeWords {
  word: string;
  inLine: string;
  withArticle: string;
}

const typeWords: Readonly<Record<string, TypeWords>> = {
  respondent: { word: say`Respondent`, inLine: say`respondent`, withArticle: say`a respondent` },
  trainer: { word: say`Trainer`, inLine: say`trainer`, withArticle: say`a trainer` },
  administrator: { word: say`Administrator`, inLine: say`administrator`, withArticle: say`an administrator` },
  '': { word: '', inLine: '', withArticle: say`a user` },
};

/** A type the specification does not name is shown as the service writes it. */
export function wordsOfType({ user_type: type }: Pick<User, 'user_type'>): TypeWords {
  if (Object.hasOwn(typeWords, type)) return typeWords[type]!;
  const short = shortName(type, 60);
  return {
    word: short.charAt(0).toUpperCase() + short.slice(1),
    inLine: short,
    withArticle: /^[aeiou]/i.test(short) ? say`an ${short}` : say`a ${short}`,
  };
}

/** A list of users with what the reader may do with each. Only for people who may see users. @param count of the whole list */
export function usersPage(
  users: readonly User[],
  { filter, count, readAt }: { filter: UserFilter; count: number; readAt?: number | undefined },
): Page {
  const typed = formatUserFilter(filter);
  const steps = filterStep({ name: 'list-users' }, typed, count);
  if (users.length === 0)
    return {
      heading:
        typed === ''
          ? say`There are no users for you to see yet.`
          : say`No user fits “${shortName(typed)}”. \`/quiz-user list\` shows all of them.`,
      steps,
      readAt,
    };
  const which = typed === '' ? '' : say`: ${shortName(userFilterWords(filter))}`;
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
    readAt,
  };
}

const suspendedWords = say`⛔ suspended`;

export function suspendedPart(isSuspended: boolean): string {
  return isSuspended ? say` · ${suspendedWords}` : '';
}

/** A type the specification does not name has an icon of its own. */
export function typeIcon({ user_type }: User | UserWithResults): string {
  return Object.entries(typeSigns).find(([type]) => type === user_type)?.[1] ?? '⚪';
}

function userLine(user: User): string {
  const known = [shortName(user.user_name, 60), wordsOfType(user).inLine].filter((part) => part !== '');
  return joinSaid(
    [
      say`${typeIcon(user)} *${shortName(fullName(user), 60)}*`,
      ...known.map((part) => say`${part}`),
      ...(user.suspended ? [suspendedWords] : []),
    ],
    ' · ',
  );
}
