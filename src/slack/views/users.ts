import { fullName } from '../../directory/names.ts';
import type { User, UserWithResults } from '../../quiz-api/users.ts';
import { dateOf } from '../../quiz-api/utc-date.ts';
import { countOf, listing } from './listing.ts';
import type { Message } from './message.ts';
import { day } from './moments.ts';
import { context, md, mrkdwnElement, section, sections, shortName, type Mrkdwn } from './mrkdwn.ts';
import { quizResultLine } from './own-quizzes.ts';

const typeSigns = { respondent: '👤', trainer: '🎓', administrator: '🛡️' } as const;
const flagWords = { edit_quizzes: 'edit quizzes', manage_users: 'manage users', manage_groups: 'manage groups' } as const;

/** Users in a list, with their user names: for those who may see users. */
export function userListMessage(users: readonly User[], filter: string): Message {
  if (users.length === 0) {
    const nothing = filter === '' ? md`There are no users for you to see yet.` : md`No user has “${shortName(filter)}” in their name or address.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing)] };
  }
  return listing(md`*${countOf(users.length, 'user', 'users')}*`, users.map(userLine), '/quiz-user list');
}

/** One user with everything a trainer asks about. */
export function userMessage(user: UserWithResults, timeZone: string): Message {
  const rights = Object.entries(flagWords).filter(([flag]) => user[flag as keyof typeof flagWords]).map(([, words]) => words);
  const facts: [string, string][] = [
    ['Type', user.user_type],
    ['Rights', rights.join(', ') || 'none'],
    ['User name', user.user_name],
    ['E-mail address', user.email_address || 'none'],
    ['Groups', user.groups.map(({ group_name }) => group_name).join(', ') || 'none'],
    ['Organization', user.organization || 'none'],
  ];
  return {
    text: md`${shortName(fullName(user))}: ${user.user_type}`.mrkdwn,
    blocks: [
      section(md`${typeSigns[user.user_type]} *${shortName(fullName(user))}*${user.suspended ? md` · ⛔ suspended` : md``}`),
      { type: 'section', fields: facts.map(([label, fact]) => mrkdwnElement(md`*${label}*\n${shortName(fact, 250)}`)) },
      ...(user.quizzes.length > 0 ? [section(md`*Quizzes*`), ...sections(user.quizzes.slice(0, 50).map((quiz) => quizResultLine(quiz, timeZone)))] : []),
      context(md`User since ${day(dateOf(user.date_created), timeZone)} · id ${shortName(user.user_id)}`),
    ],
  };
}

function userLine(user: User): Mrkdwn {
  const state = user.suspended ? md` · ⛔ suspended` : md``;
  return md`${typeSigns[user.user_type]} *${shortName(fullName(user), 60)}* · ${shortName(user.user_name, 60)} · ${user.user_type}${state}`;
}
