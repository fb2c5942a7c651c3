import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { addGroup, assign, addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { addResponse } from '../../src/sandbox/quiz-service/store/responses.ts';
import { addUser, blankUser, type UserRecord } from '../../src/sandbox/quiz-service/store/users.ts';

/** Secrets of the configuration of a bot: nobody may read any of them. */
type Secrets = Readonly<Record<'botToken' | 'signingSecret' | 'apiKey' | 'webhookSecret', string>>;

/** A workspace and an account, which one bot of the process serves. */
export interface Tenant {
  /** In the addresses of the process. Empty where it runs one bot. */
  name: string;
  teamId: string;
  /** Of its workspace: answers go to no other. */
  host: '127.0.0.1' | 'localhost';
  secrets: Secrets;
}

/** A workspace in which no bot is. */
export const foreignTeam = 'T0FOREIGN';

/** What the bot’s process runs: one bot, or the bots of two tenants, in a workspace each or in the same one. */
export type World = 'one bot' | 'two workspaces' | 'one workspace';

const team = 'T0HOSTILE';

export function tenantsIn(world: World): readonly [Tenant, ...Tenant[]] {
  if (world === 'one bot') return [{ name: '', teamId: team, host: '127.0.0.1', secrets: secretsFor('') }];
  return [
    { name: 'north', teamId: team, host: '127.0.0.1', secrets: secretsFor('-of-north') },
    {
      name: 'south',
      teamId: world === 'one workspace' ? team : 'T0SOUTH',
      host: 'localhost',
      secrets: secretsFor('-of-south'),
    },
  ];
}

const secretsFor = (end: string): Secrets => ({
  botToken: `xoxb-hostile-canary-of-the-token${end}`,
  signingSecret: `canary-of-the-signing-secret${end}`,
  apiKey: `canary-of-the-api-key${end}`,
  webhookSecret: `canary-of-the-webhook-secret${end}`,
});

/** Where a delivery goes, and with whose secret it is signed. */
export interface Address {
  to: Tenant;
  /** Undefined: with a secret of nobody. */
  signer: Tenant | undefined;
}

/** The tenant that a signed delivery reaches; undefined where the process has to refuse it. */
export function takerOf({ to, signer }: Address): Tenant | undefined {
  return to === signer ? signer : undefined;
}

/** A path of the process. The one of a single bot has no name in it. */
export function pathTo(base: string, to: Address['to']): string {
  return to.name === '' ? base : `${base}/${to.name}`;
}

/** A person of the workspace, as `users.info` describes them. */
export interface SlackPerson {
  id: string;
  email: string;
  teamId: string;
  isConfirmed: boolean;
  isGuest: boolean;
  isDeleted: boolean;
  isBot: boolean;
  /** Named in OWNERS. */
  isOwner: boolean;
}

/**
 * The people, quizzes, groups and attempts of one sequence. An account holds many cohorts, whose sequences run at the same
 * time: a sequence changes only its own cohort.
 */
export interface Cohort {
  number: number;
  tenant: Tenant;
  /** What the same sequence has of the other tenant, if there is one. */
  other: Cohort | undefined;
  /** By handle. */
  people: Record<string, SlackPerson>;
  /** Ids by handle. */
  users: Record<string, string>;
  quizzes: Record<string, string>;
  groups: Record<string, string>;
  responses: Record<string, { id: string; quiz: string }>;
}

const all = { edit_quizzes: true, manage_users: true, manage_groups: true } as const;

interface Role extends Partial<UserRecord> {
  trains?: readonly string[];
  in?: readonly string[];
  takes?: readonly string[];
}

/** A user for each column and row of the policy table. `a` is what they train, `b` belongs to others. */
const roles: Record<string, Role> = {
  ada: { user_type: 'administrator', ...all },
  ben: { user_type: 'administrator', ...all },
  amy: { user_type: 'administrator' },
  tom: { user_type: 'trainer', ...all, trains: ['quiz a', 'group a'] },
  tim: { user_type: 'trainer', ...all, trains: ['quiz a', 'group a'] },
  erin: { user_type: 'trainer', edit_quizzes: true, trains: ['quiz a'] },
  eli: { user_type: 'trainer', edit_quizzes: true },
  uma: { user_type: 'trainer', manage_users: true, trains: ['group a'] },
  gus: { user_type: 'trainer', manage_groups: true, trains: ['group a'] },
  nora: { user_type: 'trainer', trains: ['quiz a'] },
  otto: { user_type: 'trainer', ...all, trains: ['group b'] },
  sam: { user_type: 'trainer', ...all, suspended: true, in: ['a'] },
  tess: { user_type: 'trainer', edit_quizzes: true, in: ['a'] },
  rosa: { in: ['a'], takes: ['a'] },
  ravi: { in: ['a'] },
  rex: { suspended: true, in: ['a'] },
  fay: { in: ['b'], takes: ['b'] },
  // They have attempted nothing yet, so a campaign takes them.
  kai: { in: ['a'] },
  lea: { in: ['b'] },
};

export const userHandles = Object.keys(roles);
/** More users than one command changes without a preview. Nobody in Slack has their addresses. */
const crowdHandles = Array.from({ length: 22 }, (_, index) => `crowd${index + 1}`);
export const crowd = crowdHandles.map((handle) => `user ${handle}`);
export const quizHandles = ['a', 'b', 'draft'];
export const groupHandles = ['a', 'b'];
export const responseHandles = ['rosa', 'ravi', 'fay'];
/** People are in the first unless a step says otherwise. */
export const channelHandles = ['a', 'b'];

/** People in Slack beside the users: none of them may do anything, except the owner and the second accounts. */
const others: Record<string, Partial<SlackPerson> & { of?: string }> = {
  owner: { isOwner: true, of: 'tim second' },
  // Another Slack account of a user, by the other address of the user.
  twin: { of: 'ada second' },
  ivo: { of: 'ada', teamId: foreignTeam },
  mia: { of: 'ada', isConfirmed: false },
  lena: { of: 'tom', isGuest: true },
  dora: { of: 'ben', isDeleted: true },
  rob: { of: 'ben', isBot: true },
  zoe: {},
};

export const personHandles = [...userHandles, ...Object.keys(others)];

/** The id behind a handle; a text that is no handle stands for itself. */
export const idBehind = (ids: Readonly<Record<string, string>>, handle: string): string =>
  Object.hasOwn(ids, handle) ? (ids[handle] ?? handle) : handle;

/** Stands in each of a cohort’s ids. */
export const idPartOf = (cohort: number) => `-4000-8000-${String(cohort).padStart(8, '0')}`;

const idOf = (cohort: number, kind: string, index: number) =>
  `${kind}0000000-0000${idPartOf(cohort)}${String(index).padStart(4, '0')}`;

/** The number of the cohort of an id that `idOf` made. */
export function cohortOfId(id: string): number | undefined {
  const [, number] = /^[a-f]0000000-0000-4000-8000-(\d{8})\d{4}$/.exec(id) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** New names carry the number of their cohort, because the service chooses the ids of new records. */
export const markOf = (cohort: number) => `w${cohort}w`;

export function cohortOfName(name: string): number | undefined {
  const [, number] = /w(\d+)w/i.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

export const personPrefixOf = (cohort: number) => `U0W${cohort}X`;

export const slackIdOf = (cohort: number, handle: string) => `${personPrefixOf(cohort)}${handle.toUpperCase()}`;

export const channelPrefixOf = (cohort: number) => `C0W${cohort}X`;

/** A channel of the cohort's people. A text that is no handle stands for itself. */
export const channelIdOf = (cohort: number, handle: string) =>
  channelHandles.includes(handle) ? `${channelPrefixOf(cohort)}${handle.toUpperCase()}` : handle;

/** The number of the cohort that a person or channel belongs to. */
export function cohortOfSlackId(id: string): number | undefined {
  const [, number] = /^[UC]0W(\d+)X/.exec(id) ?? [];
  return number === undefined ? undefined : Number(number);
}

export function handleOfSlackId(id: string): { cohort: number; handle: string } | undefined {
  const [, cohort, handle] = /^U0W(\d+)X([A-Z]+)$/.exec(id) ?? [];
  return cohort !== undefined && handle !== undefined
    ? { cohort: Number(cohort), handle: handle.toLowerCase() }
    : undefined;
}

export function addCohort(
  database: Database,
  canaries: Canaries,
  { number, tenant, hasOwner }: { number: number; tenant: Tenant; hasOwner: boolean },
): Cohort {
  const ids = (kind: string, handles: readonly string[]) =>
    Object.fromEntries(handles.map((handle, index) => [handle, idOf(number, kind, index)]));
  const [users, quizzes, groups] = [
    ids('a', [...userHandles, ...crowdHandles]),
    ids('b', quizHandles),
    ids('c', groupHandles),
  ];
  const mark = markOf(number);
  const date = '2026-01-01 00:00:00';

  for (const handle of quizHandles) {
    const quiz_id = quizzes[handle]!;
    addQuiz(database, {
      quiz_id,
      name: `Quiz ${mark} ${canaries.plant({ kind: 'quiz', recordId: quiz_id })}`,
      status: handle === 'draft' ? 'in_design' : 'open',
      date_created: date,
    });
  }
  for (const handle of groupHandles) {
    const group_id = groups[handle]!;
    addGroup(database, {
      group_id,
      group_name: `Group ${mark} ${canaries.plant({ kind: 'group', recordId: group_id })}`,
    });
  }
  const addresses: Record<string, string> = {};
  for (const [handle, { trains = [], in: memberships = [], takes = [], ...fields }] of Object.entries(roles)) {
    const user_id = users[handle]!;
    const plant = (kind: 'user' | 'address' | 'notes') => canaries.plant({ kind, recordId: user_id });
    addresses[handle] = `${mark}.${plant('address')}@hostile.example`;
    addresses[`${handle} second`] = `${mark}.${plant('address')}@hostile.example`;
    const record: UserRecord = {
      ...blankUser,
      user_id,
      user_name: addresses[handle],
      email_address: addresses[`${handle} second`] ?? '',
      first_name: `${handle[0]!.toUpperCase()}${handle.slice(1)}`,
      last_name: plant('user'),
      notes: `Calls from ${plant('notes')}`,
      date_created: date,
      ...fields,
    };
    addUser(database, record, null);
    for (const trained of trains) {
      const [kind, name = ''] = trained.split(' ');
      if (kind === 'quiz') assign(database, 'trainer_quizzes', { user_id, quiz_id: quizzes[name]! });
      else assign(database, 'trainer_groups', { user_id, group_id: groups[name]! });
    }
    for (const group of memberships) assign(database, 'user_groups', { user_id, group_id: groups[group]! });
    for (const quiz of takes)
      assign(database, 'user_quizzes', { user_id, quiz_id: quizzes[quiz]!, date_assigned: date });
  }
  for (const handle of crowdHandles) {
    const user_name = `${mark}.${handle}@hostile.example`;
    const [first_name, last_name] = ['Crowd', handle.slice('crowd'.length)];
    addUser(
      database,
      { ...blankUser, user_id: users[handle]!, user_name, first_name, last_name, date_created: date },
      null,
    );
  }
  assign(database, 'group_quizzes', { quiz_id: quizzes['a']!, group_id: groups['a']! });

  const responses = Object.fromEntries(
    responseHandles.map((handle, index) => {
      const quiz = handle === 'fay' ? 'b' : 'a';
      const quiz_id = quizzes[quiz]!;
      const user_id = users[handle]!;
      const response_id = idOf(number, 'd', index);
      const plant = () => canaries.plant({ kind: 'attempt', recordId: quiz_id, userId: user_id });
      addResponse(database, {
        response_id,
        quiz_id,
        user_id,
        first_name: `${handle[0]!.toUpperCase()}${handle.slice(1)}`,
        last_name: canaries.plant({ kind: 'user', recordId: user_id }),
        email_address: `${plant()}@hostile.example`,
        attempt: 1,
        ip_address: plant(),
        publish_type: 'assigned_user',
        access_code: plant(),
        registration_fields: [{ name: 'Phone', value: plant() }],
      });
      database.run("UPDATE responses SET status = 'submitted', date_submitted = ? WHERE response_id = ?", [
        date,
        response_id,
      ]);
      return [handle, { id: response_id, quiz }];
    }),
  );

  const person = (handle: string, { of = '', ...fields }: Partial<SlackPerson> & { of?: string }): SlackPerson => ({
    id: slackIdOf(number, handle),
    email: addresses[of] ?? `${mark}.${handle}@nobody.example`,
    teamId: tenant.teamId,
    isConfirmed: true,
    isGuest: false,
    isDeleted: false,
    isBot: false,
    ...fields,
    isOwner: hasOwner && fields.isOwner === true,
  });
  const people = Object.fromEntries([
    ...userHandles.map((handle) => [handle, person(handle, { of: handle })] as const),
    ...Object.entries(others).map(([handle, fields]) => [handle, person(handle, fields)] as const),
  ]);
  return { number, tenant, other: undefined, people, users, quizzes, groups, responses };
}

/** What a canary stands for, and the record whose visibility decides who may read it. */
export interface Canary {
  kind: 'quiz' | 'group' | 'user' | 'address' | 'notes' | 'attempt';
  /** The quiz, group or user. For an attempt, its quiz. */
  recordId: string;
  /** For an attempt: the user who made it. */
  userId?: string;
}

/**
 * Unusual words that stand in one field of the account each. A word in what a person reads proves that the person read the
 * field. The bot prints names and addresses whole, so every canary is one word without spaces.
 */
export interface Canaries {
  /** Makes a word and remembers what it stands for. */
  plant(canary: Canary): string;
  /** The canaries in a text, each once. */
  in(text: string): { word: string; canary: Canary }[];
}

export function createCanaries(): Canaries {
  const planted: Canary[] = [];
  return {
    plant: (canary) => `zq${planted.push(canary) - 1}qz`,
    in(text) {
      const numbers = new Set([...text.matchAll(/zq(\d+)qz/gi)].map(([, number]) => Number(number)));
      return [...numbers].flatMap((number) => {
        const canary = planted[number];
        return canary ? [{ word: `zq${number}qz`, canary }] : [];
      });
    },
  };
}
