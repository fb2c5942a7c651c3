import { shortName } from '../../../domain/short-name.ts';
import { day, fixedDay } from '../../../time/date-words.ts';
import { fullName } from '../../../directory/names.ts';
import { limitsInWords } from '../../../governance/rights/limits.ts';
import type { Right } from '../../../operations/context.ts';
import { suspendedPart, typeIcon, wordsOfType } from '../../../features/users/pages.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { dateOf } from '../../../quiz-api/fields.ts';
import { countOf, listed, say, joinSaid } from '../../../domain/said.ts';
import { assignedQuizLines, notesAbout } from '../quizzes/assigned-quizzes.ts';
import { actionButtons, buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { obligationLine } from '../../../features/campaigns/operations/obligation-words.ts';
import { context, mrkdwnElement, section, sections } from '../blocks/mrkdwn.ts';

/** In characters; within one section. */
const longestNotes = 1_000;
const obligationsAtMost = 20;
/** What rights let a person do; follows “You can”. */
export const flagWords = {
  edit_quizzes: say`edit quizzes`,
  manage_users: say`manage users`,
  manage_groups: say`manage groups`,
} as const;

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
    [say`Type`, wordsOfType(user).word],
    ...(rights.length > 0 ? [[say`Can`, rights.join(', ')] satisfies [string, string]] : []),
    ...givenFact(say`User name`, user.user_name),
    ...givenFact(say`E-mail address`, user.email_address),
    [say`Groups`, groups.join(', ') || say`None`],
    ...givenFact(say`Organization`, user.organization),
    ...givenFact(say`Time zone`, user.time_zone),
    ...givenFact(say`Trains quizzes`, trains.quizzes.join(', ')),
    ...givenFact(say`Trains groups`, trains.groups.join(', ')),
  ];
  return {
    text: say`${shortName(fullName(user))}: ${wordsOfType(user).inLine}`,
    blocks: [
      section(say`${typeIcon(user)} *${shortName(fullName(user))}*${suspendedPart(user.suspended)}`),
      {
        type: 'section',
        fields: facts.map(([label, fact]) => mrkdwnElement(say`*${label}*\n${shortName(fact, 250)}`)),
      },
      ...(user.notes.trim() === '' ? [] : [section(say`*Notes*\n${shortName(user.notes, longestNotes)}`)]),
      ...(assigned.quizzes.length > 0
        ? [
            section(say`*Quizzes*`),
            ...sections(assigned.quizzes.flatMap((quiz) => assignedQuizLines(quiz, timeZone)).slice(0, 50)),
          ]
        : []),
      ...notesAbout(assigned),
      ...(obligations.length > 0
        ? [
            section(say`*Has to take, for campaigns*`),
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
        joinSaid(
          [
            ...(user.date_created === null ? [] : [say`User since ${day(dateOf(user.date_created), timeZone)}`]),
            say`ID ${user.user_id}`,
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

type Who = Extract<OperationResult, { kind: 'who' }>;

/** The reader's identity in the quiz account, their rights, and the bounds of those rights. */
export function whoMessage(reader: Who): Message {
  const { actor } = reader;
  const who =
    actor.user && !actor.isOwner
      ? say`You’re *${shortName(fullName(actor.user))}*, ${wordsOfType(actor.user).withArticle} in the quiz account, signed in as \`${shortName(actor.user.user_name)}\`.`
      : say`You’re an *owner* of this bot, so you have every right of an administrator.`;
  const can = rightsInWords(reader);
  const what =
    can.length === 0 ? say`You can see the quizzes assigned to you and your results.` : say`You can ${listed(can)}.`;
  return {
    text: who,
    blocks: [
      section(who),
      section(what),
      ...boundsInWords(reader).map((sentence) => section(say`${sentence}`)),
      ...limitsOf(reader).map((sentence) => section(say`${sentence}`)),
    ],
  };
}

/** What the operator takes from everyone is about what staff can do. */
function limitsOf({ actor: { limits }, rights }: Who): string[] {
  if (limits === undefined || !rights.includes('staff')) return [];
  return [say`The person who runs this bot has narrowed what people can do with it: ${limitsInWords(limits)}.`];
}

function rightsInWords({ rights, seesEveryQuiz }: Who): string[] {
  const words: readonly (readonly [Right, readonly string[]])[] = [
    ['staff', [seesEveryQuiz ? say`see every quiz` : say`see the quizzes you train`]],
    ['edit_quizzes', [flagWords.edit_quizzes]],
    ['manage_users', [flagWords.manage_users]],
    ['manage_groups', [flagWords.manage_groups]],
    ['administrator', [say`approve requests`, say`read the audit trail`, say`see the status of the bot`]],
  ];
  return words.flatMap(([right, can]) => (rights.includes(right) ? can : []));
}

const whoCanChangeIt = say`An administrator of the quiz account can change that.`;

/** What the rights of a trainer to manage users and groups extend to. They are not bounded for administrators. */
function boundsInWords({ actor, rights }: Who): string[] {
  const managed = managedBy(rights);
  if (managed === undefined || rights.includes('administrator') || actor.user === undefined) return [];
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
    `${trained.length === 0 ? nothingToManage[managed] : managedWords(managed, listed(trained))} ${whoCanChangeIt}`,
    ...(unreadable > 0
      ? [
          say`The bot can’t read ${countOf(unreadable, 'entry', 'entries')} in the list of what you train, so ${unreadable === 1 ? 'it doesn’t' : 'they don’t'} count.`,
        ]
      : []),
  ];
}

type Managed = 'users' | 'groups' | 'both';

function managedBy(rights: readonly Right[]): Managed | undefined {
  const [users, groups] = [rights.includes('manage_users'), rights.includes('manage_groups')];
  if (users) return groups ? 'both' : 'users';
  return groups ? 'groups' : undefined;
}

const nothingToManage = {
  users: say`You don’t train any quiz or group that the bot can read, so there are no users for you to manage.`,
  groups: say`You don’t train any quiz or group that the bot can read, so there are no groups for you to manage.`,
  both: say`You don’t train any quiz or group that the bot can read, so there are no users and groups for you to manage.`,
} as const satisfies Record<Managed, string>;

function managedWords(managed: Managed, trained: string): string {
  switch (managed) {
    case 'users':
      return say`You train ${trained}, and you can manage only the users that belong to them.`;
    case 'groups':
      return say`You train ${trained}, and you can manage only the groups that belong to them.`;
    case 'both':
      return say`You train ${trained}, and you can manage only the users and groups that belong to them.`;
  }
}
