import { fullName } from '../../directory/names.ts';
import type { Right } from '../../operations/context.ts';
import type { GroupMember, OperationResult } from '../../operations/operation-result.ts';
import type { Group } from '../../quiz-api/groups.ts';
import type { User, UserWithResults } from '../../quiz-api/users.ts';
import { dateOf } from '../../quiz-api/fields.ts';
import { countOf } from './amounts.ts';
import { assignedQuizLines, notesAbout } from './assigned-quizzes.ts';
import { listing, type Message } from './message.ts';
import { day } from './moments.ts';
import { context, joinMrkdwn, md, mrkdwnElement, section, sections, shortName, shortText, type Mrkdwn } from './mrkdwn.ts';

const typeSigns = { respondent: '👤', trainer: '🎓', administrator: '🛡️' } as const;
/** In characters; within one section. */
const longestNotes = 1_000;
const flagWords = { edit_quizzes: 'edit quizzes', manage_users: 'manage users', manage_groups: 'manage groups' } as const;

/** A list of users with their user names. Send it only to people who may see users. */
export function userListMessage(users: readonly User[], filter: string): Message {
  if (users.length === 0) {
    const nothing = filter === '' ? md`There are no users for you to see yet.` : md`No user has “${shortName(filter)}” in their name or address.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing)] };
  }
  return listing(md`*${countOf(users.length, 'user', 'users')}*`, users.map(userLine), '/quiz-user list');
}

/** One user with rights, groups, notes and results. */
export function userMessage({ user, assigned, groups, trains }: Extract<OperationResult, { kind: 'user' }>, timeZone: string): Message {
  const rights = Object.entries(flagWords).filter(([flag]) => user[flag as keyof typeof flagWords]).map(([, words]) => words);
  const facts: [string, string][] = [
    ['Type', user.user_type],
    ['Rights', rights.join(', ') || 'none'],
    ['User name', user.user_name || 'none'],
    ['E-mail address', user.email_address || 'none'],
    ['Groups', groups.join(', ') || 'none'],
    ['Organization', user.organization || 'none'],
    ['Time zone', user.time_zone || 'none'],
    ...trainedFact('Trains the quizzes', trains.quizzes),
    ...trainedFact('Trains the groups', trains.groups),
  ];
  return {
    text: md`${shortName(fullName(user))}: ${user.user_type}`.mrkdwn,
    blocks: [
      section(md`${typeIcon(user)} *${shortName(fullName(user))}*${user.suspended ? md` · ⛔ suspended` : md``}`),
      { type: 'section', fields: facts.map(([label, fact]) => mrkdwnElement(md`*${label}*\n${shortName(fact, 250)}`)) },
      ...(user.notes.trim() === '' ? [] : [section(md`*Notes*\n${shortText(user.notes, longestNotes)}`)]),
      ...(assigned.quizzes.length > 0 ? [section(md`*Quizzes*`), ...sections(assigned.quizzes.flatMap((quiz) => assignedQuizLines(quiz, timeZone)).slice(0, 50))] : []),
      ...notesAbout(assigned),
      context(md`${user.date_created === null ? md`` : md`User since ${day(dateOf(user.date_created), timeZone)} · `}id ${shortName(user.user_id)}`),
    ],
  };
}

function trainedFact(label: string, names: readonly string[]): [string, string][] {
  return names.length === 0 ? [] : [[label, names.join(', ')]];
}

/** A type the specification does not name has an icon of its own. */
function typeIcon({ user_type }: User | UserWithResults): string {
  return Object.entries(typeSigns).find(([type]) => type === user_type)?.[1] ?? '⚪';
}

function userLine(user: User): Mrkdwn {
  const known = [shortName(user.user_name, 60), user.user_type, user.suspended ? '⛔ suspended' : ''].filter((part) => part !== '');
  return joinMrkdwn([md`${typeIcon(user)} *${shortName(fullName(user), 60)}*`, ...known.map((part) => md`${part}`)], ' · ');
}

export function groupListMessage(groups: readonly Group[], filter: string): Message {
  if (groups.length === 0) {
    const nothing = filter === '' ? md`There are no groups yet.` : md`No group has “${shortName(filter)}” in its name.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing)] };
  }
  return listing(md`*${countOf(groups.length, 'group', 'groups')}*`, groups.map(({ group_name }) => md`👥 *${shortName(group_name, 100)}*`), '/quiz-group list');
}

/** A group and its members. */
export function groupMessage(group: Group, members: readonly GroupMember[]): Message {
  const heading = md`👥 *${shortName(group.group_name)}* · ${countOf(members.length, 'member', 'members')}`;
  return listing(heading, members.map(({ name, isSuspended }) => md`${shortName(name, 80)}${isSuspended ? md` · ⛔ suspended` : md``}`), '/quiz-user list');
}

type Who = Extract<OperationResult, { kind: 'who' }>;

/** The reader's identity in the quiz account, their rights, and the bounds of those rights. */
export function whoMessage(reader: Who): Message {
  const { actor } = reader;
  const who = actor.user && !actor.isOwner
    ? md`You are *${shortName(fullName(actor.user))}*, ${actor.user.user_type} in the quiz account, as \`${shortName(actor.user.user_name)}\`.`
    : md`You are an *owner* of this bot, and so an administrator of the quiz account with every right.`;
  const may = rightsInWords(reader);
  const what = may.length === 0 ? md`You can see what is assigned to you, and what you scored.` : md`You may ${new Intl.ListFormat('en').format(may)}.`;
  return { text: who.mrkdwn, blocks: [section(who), section(what), ...boundsInWords(reader).map((sentence) => section(md`${sentence}`))] };
}

function rightsInWords({ rights, seesEveryQuiz }: Who): string[] {
  const words: readonly (readonly [Right, string])[] = [
    ['staff', seesEveryQuiz ? 'see every quiz' : 'see the quizzes you train'],
    ['edit_quizzes', 'edit quizzes'],
    ['manage_users', 'manage users'],
    ['manage_groups', 'manage groups'],
    ['administrator', 'approve requests, read the audit trail and see the state of the bot'],
  ];
  return words.filter(([right]) => rights.includes(right)).map(([, may]) => may);
}

const whoCanChangeIt = 'An administrator of the quiz account can change that.';

/** What the rights of a trainer to manage users and groups extend to. They are not bounded for administrators. */
function boundsInWords({ actor, rights }: Who): string[] {
  const managed = [...(rights.includes('manage_users') ? ['users'] : []), ...(rights.includes('manage_groups') ? ['groups'] : [])];
  if (managed.length === 0 || rights.includes('administrator') || actor.user === undefined) return [];
  const { trainerquizzes, trainergroups } = actor.user;
  const readable = { quizzes: trainerquizzes.filter(({ quiz_id }) => quiz_id !== '').length, groups: trainergroups.filter(({ group_id }) => group_id !== '').length };
  const unreadable = trainerquizzes.length + trainergroups.length - readable.quizzes - readable.groups;
  const trained = [
    ...(readable.quizzes > 0 ? [countOf(readable.quizzes, 'quiz', 'quizzes')] : []),
    ...(readable.groups > 0 ? [countOf(readable.groups, 'group', 'groups')] : []),
  ];
  const list = new Intl.ListFormat('en');
  return [
    trained.length === 0
      ? `You don’t train any quiz or group that the bot can read, so there are no ${list.format(managed)} for you to manage. ${whoCanChangeIt}`
      : `You train ${list.format(trained)}, and manage only what belongs to them. ${whoCanChangeIt}`,
    ...(unreadable > 0 ? [`The bot can’t read ${countOf(unreadable, 'entry', 'entries')} of what you train, and leaves ${unreadable === 1 ? 'it' : 'them'} out.`] : []),
  ];
}
