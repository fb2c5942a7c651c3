import { defineOperation } from '../../operations/operation.ts';
import { say, countOf, listed, shortName } from '../../domain/said.ts';
import { statusPage } from './pages/status.ts';
import { requestsPage } from './pages/requests.ts';
import type { Actor } from '../../directory/identity.ts';
import { fullName } from '../../directory/names.ts';
import { limitsInWords } from '../../domain/rights-limits.ts';
import type { Right } from '../../operations/context.ts';
import type { Page } from '../../operations/page.ts';
import { aType, flagWords } from '../../operations/wording/words.ts';

export const showStatus = defineOperation({
  name: 'show-status',
  command: '/quiz-admin status',
  synonyms: ['health'],
  summary: 'Show the status of the bot: quiz service, requests left, webhooks, alerts, approvals and audit trail',
  title: say`Status of the bot`,
  access: 'read',
  right: 'administrator',
  submit: 'Show',
  fields: {},
  async run({ records }) {
    const [status, openRequests, head] = await Promise.all([
      records.status(),
      records.countOpenRequests(),
      records.auditHead(),
    ]);
    return { kind: 'page', ...statusPage({ status, openRequests, auditEntries: head.position }) };
  },
});

export const listRequests = defineOperation({
  name: 'list-requests',
  command: '/quiz-admin approvals',
  synonyms: ['requests'],
  summary: 'List requests that wait for your approval, and your own',
  title: say`Approval requests`,
  isCommon: true,
  access: 'read',
  right: 'staff',
  submit: 'List',
  fields: {},
  async run({ records, actor }) {
    return { kind: 'page', ...requestsPage(await records.openRequests(), actor.personId) };
  },
});

export const whoAmI = defineOperation({
  name: 'who-am-i',
  command: '/quiz-admin whoami',
  synonyms: ['me'],
  summary: 'Show who you are in the quiz account, and what you can do',
  title: say`You in the quiz account`,
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run({ actor, rights, visibility }) {
    return { kind: 'page', ...whoPage({ actor, rights, seesEveryQuiz: visibility.seesEveryQuiz }) };
  },
});

interface Who {
  actor: Actor;
  rights: ReadonlySet<Right>;
  seesEveryQuiz: boolean;
}

/** The reader’s identity in the quiz account, their rights, and the bounds of those rights. */
export function whoPage(reader: Who): Page {
  const { actor } = reader;
  const can = rightsInWords(reader);
  return {
    heading:
      actor.user && !actor.isOwner
        ? say`You’re *${shortName(fullName(actor.user))}*, ${aType(actor.user.user_type)} in the quiz account, signed in as \`${shortName(actor.user.user_name)}\`.`
        : say`You’re an *owner* of this bot, so you have every right of an administrator.`,
    // A paragraph each.
    parts: [
      can.length === 0 ? say`You can see the quizzes assigned to you and your results.` : say`You can ${listed(can)}.`,
      ...boundsInWords(reader),
      ...limitsOf(reader),
    ].map((sentence) => ({ lines: [sentence] })),
  };
}

/** What the operator takes from everyone is about what staff can do. */
function limitsOf({ actor: { limits }, rights }: Who): string[] {
  if (limits === undefined || !rights.has('staff')) return [];
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
  return words.flatMap(([right, can]) => (rights.has(right) ? can : []));
}

const whoCanChangeIt = say`An administrator of the quiz account can change that.`;

/** What the rights of a trainer to manage users and groups extend to. They are not bounded for administrators. */
function boundsInWords({ actor, rights }: Who): string[] {
  const managed = managedBy(rights);
  if (managed === undefined || rights.has('administrator') || actor.user === undefined) return [];
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

function managedBy(rights: ReadonlySet<Right>): Managed | undefined {
  const [users, groups] = [rights.has('manage_users'), rights.has('manage_groups')];
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
