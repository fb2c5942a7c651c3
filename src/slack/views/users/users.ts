import { fullName } from '../../../directory/names.ts';
import { limitsInWords } from '../../../governance/rights/limits.ts';
import type { Right } from '../../../operations/context.ts';
import { listUsers } from '../../../features/users/list-users.ts';
import { formatUserFilter, type UserFilter } from '../../../features/users/user-filter.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import type { GroupMember, OperationResult } from '../../../operations/operation-result.ts';
import type { Group, User, UserWithResults } from '../../../quiz-api/users.ts';
import { dateOf } from '../../../quiz-api/fields.ts';
import { countOf } from '../../../domain/said.ts';
import { assignedQuizLines, notesAbout } from '../quizzes/assigned-quizzes.ts';
import {
  actionButtons,
  actionList,
  buttonRow,
  filterRow,
  type ListFacts,
  type ListItem,
} from '../blocks/item-actions.ts';
import { listing, type Message } from '../blocks/message.ts';
import { day, fixedDay } from '../blocks/moments.ts';
import { obligationLine } from '../campaigns/obligation-lines.ts';
import {
  context,
  joinMrkdwn,
  md,
  mrkdwnElement,
  section,
  sections,
  shortName,
  shortText,
  type Mrkdwn,
} from '../blocks/mrkdwn.ts';

const typeSigns = { respondent: '👤', trainer: '🎓', administrator: '🛡️' } as const;
/** In characters; within one section. */
const longestNotes = 1_000;
const obligationsAtMost = 20;
const flagWords = {
  edit_quizzes: 'edit quizzes',
  manage_users: 'manage users',
  manage_groups: 'manage groups',
} as const;

/** A list of users with what the reader may do with each. Send it only to people who may see users. */
export function userListMessage(
  users: readonly User[],
  filter: UserFilter,
  offered: ReadonlySet<string>,
  { count = users.length, age = [] }: ListFacts = {},
): Message {
  const typed = formatUserFilter(filter);
  const below = [...age, ...filterRow(listUsers, typed, count)];
  if (users.length === 0) {
    const nothing =
      typed === ''
        ? md`There are no users for you to see yet.`
        : md`No user fits “${shortName(typed)}”. \`/quiz-user list\` shows all of them.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing), ...below] };
  }
  const stepsFor = stepsBeside('user', 'list');
  const items = users.map((user): ListItem => ({ line: userLine(user), actions: stepsFor(user) }));
  const which = typed === '' ? md`` : md`: ${shortName(typed)}`;
  return actionList(md`*${countOf(count, 'user', 'users')}*${which}`, items, {
    offered,
    narrow: md`/quiz-user list`,
    count,
    below,
  });
}

/** One user with rights, groups, notes and results, and what the reader may do with them. */
export function userMessage(
  { user, assigned, obligations = [], groups, trains }: Extract<OperationResult, { kind: 'user' }>,
  offered: ReadonlySet<string>,
  timeZone: string,
): Message {
  const rights = Object.entries(flagWords)
    .filter(([flag]) => user[flag as keyof typeof flagWords])
    .map(([, words]) => words);
  const facts: [string, string][] = [
    ['Type', capitalized(user.user_type)],
    ...(rights.length > 0 ? [['Can', rights.join(', ')] satisfies [string, string]] : []),
    ...givenFact('User name', user.user_name),
    ...givenFact('E-mail address', user.email_address),
    ['Groups', groups.join(', ') || 'None'],
    ...givenFact('Organization', user.organization),
    ...givenFact('Time zone', user.time_zone),
    ...givenFact('Trains quizzes', trains.quizzes.join(', ')),
    ...givenFact('Trains groups', trains.groups.join(', ')),
  ];
  return {
    text: md`${shortName(fullName(user))}: ${user.user_type}`.mrkdwn,
    blocks: [
      section(md`${typeIcon(user)} *${shortName(fullName(user))}*${user.suspended ? md` · ⛔ suspended` : md``}`),
      { type: 'section', fields: facts.map(([label, fact]) => mrkdwnElement(md`*${label}*\n${shortName(fact, 250)}`)) },
      ...(user.notes.trim() === '' ? [] : [section(md`*Notes*\n${shortText(user.notes, longestNotes)}`)]),
      ...(assigned.quizzes.length > 0
        ? [
            section(md`*Quizzes*`),
            ...sections(assigned.quizzes.flatMap((quiz) => assignedQuizLines(quiz, timeZone)).slice(0, 50)),
          ]
        : []),
      ...notesAbout(assigned),
      ...(obligations.length > 0
        ? [
            section(md`*Has to take, for campaigns*`),
            ...sections(
              obligations
                .slice(0, obligationsAtMost)
                .map(({ quiz, obligation }) =>
                  obligationLine(quiz, obligation, (at) => fixedDay(new Date(at), timeZone)),
                ),
            ),
          ]
        : []),
      ...buttonRow(actionButtons(fullName(user), stepsBeside('user', 'page')(user), offered)),
      context(
        joinMrkdwn(
          [
            ...(user.date_created === null ? [] : [md`User since ${day(dateOf(user.date_created), timeZone)}`]),
            md`ID ${user.user_id}`,
          ],
          ' · ',
        ),
      ),
    ],
  };
}

function givenFact(label: string, fact: string): [string, string][] {
  return fact.trim() === '' ? [] : [[label, fact]];
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A type the specification does not name has an icon of its own. */
function typeIcon({ user_type }: User | UserWithResults): string {
  return Object.entries(typeSigns).find(([type]) => type === user_type)?.[1] ?? '⚪';
}

function userLine(user: User): Mrkdwn {
  const known = [shortName(user.user_name, 60), user.user_type, user.suspended ? '⛔ suspended' : ''].filter(
    (part) => part !== '',
  );
  return joinMrkdwn(
    [md`${typeIcon(user)} *${shortName(fullName(user), 60)}*`, ...known.map((part) => md`${part}`)],
    ' · ',
  );
}

/** A list of groups with what the reader may do with each. */
export function groupListMessage(groups: readonly Group[], filter: string, offered: ReadonlySet<string>): Message {
  if (groups.length === 0) {
    const nothing =
      filter === ''
        ? md`There are no groups for you to see yet.`
        : md`No group has “${shortName(filter)}” in its name. \`/quiz-group list\` shows all of them.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing)] };
  }
  const stepsFor = stepsBeside('group', 'list');
  const items = groups.map((group): ListItem => ({
    line: md`👥 *${shortName(group.group_name, 100)}*`,
    actions: stepsFor(group),
  }));
  return actionList(md`*${countOf(groups.length, 'group', 'groups')}*`, items, {
    offered,
    narrow: md`/quiz-group list`,
  });
}

/** A group with the people in it, and what the reader may do with it. */
export function groupMessage(group: Group, members: readonly GroupMember[], offered: ReadonlySet<string>): Message {
  const heading = md`👥 *${shortName(group.group_name)}* · ${members.length === 0 ? 'nobody in it yet' : countOf(members.length, 'person', 'people')}`;
  const list = listing(
    heading,
    members.map(({ name, isSuspended }) => md`${shortName(name, 80)}${isSuspended ? md` · ⛔ suspended` : md``}`),
    md`/quiz-user list in ${shortName(group.group_name, 60)}`,
  );
  return {
    ...list,
    blocks: [
      ...list.blocks,
      context(md`ID ${group.group_id}`),
      ...buttonRow(actionButtons(group.group_name, stepsBeside('group', 'page')(group), offered)),
    ],
  };
}

type Who = Extract<OperationResult, { kind: 'who' }>;

/** The reader's identity in the quiz account, their rights, and the bounds of those rights. */
export function whoMessage(reader: Who): Message {
  const { actor } = reader;
  const who =
    actor.user && !actor.isOwner
      ? md`You’re *${shortName(fullName(actor.user))}*, ${typeWords(actor.user)} in the quiz account, signed in as \`${shortName(actor.user.user_name)}\`.`
      : md`You’re an *owner* of this bot, so you have every right of an administrator.`;
  const can = rightsInWords(reader);
  const what =
    can.length === 0 ? md`You can see the quizzes assigned to you and your results.` : md`You can ${list.format(can)}.`;
  return {
    text: who.mrkdwn,
    blocks: [
      section(who),
      section(what),
      ...boundsInWords(reader).map((sentence) => section(md`${sentence}`)),
      ...limitsOf(reader).map((sentence) => section(md`${sentence}`)),
    ],
  };
}

/** What the operator takes from everyone is about what staff can do. */
function limitsOf({ actor: { limits }, rights }: Who): string[] {
  if (limits === undefined || !rights.includes('staff')) return [];
  return [`The person who runs this bot has narrowed what people can do with it: ${limitsInWords(limits)}.`];
}

/** Created once: creating a format takes a hundred times as long as using it. */
const list = new Intl.ListFormat('en-GB');

function typeWords({ user_type }: User): string {
  const type = user_type === '' ? 'user' : shortName(user_type, 60);
  return `${/^[aeiou]/i.test(type) ? 'an' : 'a'} ${type}`;
}

function rightsInWords({ rights, seesEveryQuiz }: Who): string[] {
  const words: readonly (readonly [Right, readonly string[]])[] = [
    ['staff', [seesEveryQuiz ? 'see every quiz' : 'see the quizzes you train']],
    ['edit_quizzes', ['edit quizzes']],
    ['manage_users', ['manage users']],
    ['manage_groups', ['manage groups']],
    ['administrator', ['approve requests', 'read the audit trail', 'see the status of the bot']],
  ];
  return words.flatMap(([right, can]) => (rights.includes(right) ? can : []));
}

const whoCanChangeIt = 'An administrator of the quiz account can change that.';

/** What the rights of a trainer to manage users and groups extend to. They are not bounded for administrators. */
function boundsInWords({ actor, rights }: Who): string[] {
  const managed = [
    ...(rights.includes('manage_users') ? ['users'] : []),
    ...(rights.includes('manage_groups') ? ['groups'] : []),
  ];
  if (managed.length === 0 || rights.includes('administrator') || actor.user === undefined) return [];
  const { trainerquizzes, trainergroups } = actor.user;
  const readable = {
    quizzes: trainerquizzes.filter(({ quiz_id }) => quiz_id !== '').length,
    groups: trainergroups.filter(({ group_id }) => group_id !== '').length,
  };
  const unreadable = trainerquizzes.length + trainergroups.length - readable.quizzes - readable.groups;
  const trained = [
    ...(readable.quizzes > 0 ? [countOf(readable.quizzes, 'quiz', 'quizzes')] : []),
    ...(readable.groups > 0 ? [countOf(readable.groups, 'group', 'groups')] : []),
  ];
  return [
    trained.length === 0
      ? `You don’t train any quiz or group that the bot can read, so there are no ${list.format(managed)} for you to manage. ${whoCanChangeIt}`
      : `You train ${list.format(trained)}, and you can manage only the ${list.format(managed)} that belong to them. ${whoCanChangeIt}`,
    ...(unreadable > 0
      ? [
          `The bot can’t read ${countOf(unreadable, 'entry', 'entries')} in the list of what you train, so ${unreadable === 1 ? 'it doesn’t' : 'they don’t'} count.`,
        ]
      : []),
  ];
}
