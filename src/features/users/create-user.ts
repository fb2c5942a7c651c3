import { unlessFailed } from '../../quiz-api/errors.ts';
import { isFullAddress, isSameAddress, maskAddresses } from '../../domain/address.ts';
import { blankUser } from '../../quiz-api/records.ts';
import type { Group, NewUser, User, UserType, UserChanges } from '../../quiz-api/records.ts';
import type { OperationContext, Visibility } from '../../operations/context.ts';
import { changeEach } from '../../operations/change-each.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import { groupsWithout, isIn } from '../../directory/quiz-groups.ts';
import { parseNewUser } from './new-user-line.ts';
import { formStep, runStep, type Step, type DoneResult } from '../../operations/page.ts';
import { takeBackUser } from '../administration/take-back.ts';
import { fullName, namedUser } from '../../directory/names.ts';
import { addressId } from '../../domain/erasure.ts';
import { named, namedList, namedPerson, say, sentences } from '../../domain/said.ts';
import { assignQuiz } from '../quizzes/assign-and-unassign.ts';
import { addToGroup } from '../groups/groups.ts';
import { defineOperation } from '../../operations/operation.ts';
import { administratorsDecide, aType, rightsInWords, userFlags, userTypes } from '../../operations/wording/words.ts';
import { hasAddress } from '../../directory/identity.ts';

export const createUser = defineOperation({
  name: 'create-user',
  command: '/quiz-user create <user_name> <first_name> <last_name> [as trainer] [groups]',
  synonyms: ['new', 'invite'],
  summary: 'Create a user; the bot generates the password',
  hintForAgents:
    'Without an e-mail address, make the user name of their name, such as ana.silva. For training of a new starter with a due time, call start-campaign next.',
  isCommon: true,
  access: 'write',
  right: 'manage_users',
  rules: [
    { name: 'making an administrator', when: ({ user_type }) => user_type === 'administrator' },
    { name: 'making a trainer', when: ({ user_type, flags = [] }) => user_type !== 'respondent' || flags.length > 0 },
  ],
  // It gives rights, or writes to an address.
  needsPress: ({ user_type, flags, welcome }) =>
    user_type !== 'respondent' || [flags, welcome].some((chosen) => Array.isArray(chosen) && chosen.length > 0),
  submit: 'Create user',
  makesNew: true,
  onUser: (input) => ({ user: null, to: userOf(input) }),
  takesTurn: true,
  parse: parseNewUser,
  fields: {
    user_name: {
      kind: 'text',
      label: 'User name',
      hint: 'They sign in with it. Usually their e-mail address.',
      maxLength: 250,
    },
    user_type: { kind: 'choice', label: 'Type', options: userTypes, usual: 'respondent' },
    first_name: { kind: 'text', label: 'First name', maxLength: 100, optional: true },
    last_name: { kind: 'text', label: 'Last name', maxLength: 100, optional: true },
    email_address: {
      kind: 'email',
      label: 'E-mail address',
      hint: 'If it’s different from the user name.',
      optional: true,
    },
    groups: { kind: 'groups', label: 'Groups', optional: true },
    flags: {
      kind: 'flags',
      label: 'Rights',
      hint: 'For trainers and administrators only.',
      options: userFlags,
      optional: true,
    },
    welcome: {
      kind: 'flags',
      label: 'Password',
      options: [
        {
          value: 'send',
          label: 'Send it in a welcome e-mail',
          hint: 'Otherwise you get a button that shows it to you.',
        },
      ],
      optional: true,
    },
    suspended: {
      kind: 'flags',
      label: 'Sign-in',
      options: [
        { value: 'true', label: 'Suspend them for now', hint: 'They can’t sign in until someone reinstates them.' },
      ],
      optional: true,
    },
  },
  check(input) {
    if (input.welcome?.includes('send') && !input.email_address && !input.user_name.includes('@')) {
      throw new InvalidInputError(
        'email_address',
        say`The welcome e-mail needs an address. Enter one here, or use it as the user name.`,
      );
    }
    if (input.user_type === 'respondent' && input.flags?.length) {
      throw new InvalidInputError('flags', say`Respondents can’t have rights. Choose another type, or no rights.`);
    }
  },
  action({ user_name, first_name = '', last_name = '', email_address = '', user_type, groups = [] }) {
    const name = namedNewUser({ user_name, first_name, last_name, email_address });
    return groups.length === 0
      ? say`create ${name} as ${aType(user_type)}`
      : say`create ${name} as ${aType(user_type)} in ${namesOf(groups)}`;
  },
  async effect(context, input) {
    await refuseTakenAddress(context, input);
    return newUserInWords(input);
  },
  async warn(context, input, through) {
    const { rights, visibility } = context;
    const asked = userOf(input);
    if (through === 'workflow' || visibility.user({ ...userAsSent('', asked), groups: input.groups ?? [] }))
      return undefined;
    await refuseTakenAddress(context, input);
    const where = rights.has('manage_groups')
      ? say`Choose one of your groups in the form, or an administrator adds them to one.`
      : say`An administrator can add them to one of your groups.`;
    return say`You wouldn’t see ${namedNewUser(withoutGaps(asked))}: they’d be in none of your groups and quizzes. ${where}`;
  },
  async run(context, input) {
    // A row of an import was planned with those who share its e-mail address.
    const isPlanned = context.isOneOfMany && input.user_type === 'respondent';
    await refuseTakenAddressNow(context, isPlanned ? { user_name: input.user_name } : input);
    const asked = userOf(input);
    const { user_name, ...others } = asked;
    // Unless it is mailed, nobody ever sees this password. The first that a person knows is set when they press the button.
    const password = context.makePassword();
    const id = await context.api.users.create({ user_name, password, ...others }, context.call);
    return created(context, input, await readCreated(context, asked, id), true);
  },
  async findMade(context, input) {
    const asked = userOf(input);
    const user = await findUser(context, asked.user_name);
    if (user === undefined) return undefined;
    if (isAsAsked(user, asked)) return created(context, input, user, false);
    // Whoever asks: the message names nobody.
    throw new InvalidInputError('user_name', takenMessage(asked.user_name, [user], { user: () => false }));
  },
});

type AskedUser = Omit<NewUser, 'password'>;

interface Entered {
  user_name: string;
  user_type: string;
  first_name?: string | undefined;
  last_name?: string | undefined;
  email_address?: string | undefined;
  flags?: string[] | undefined;
  welcome?: string[] | undefined;
  suspended?: string[] | undefined;
  groups?: Group[] | undefined;
}

function userOf(input: Entered): AskedUser {
  return {
    user_name: input.user_name,
    user_type: input.user_type as UserType,
    first_name: input.first_name,
    last_name: input.last_name,
    email_address: input.email_address,
    ...(input.suspended?.length && { suspended: true }),
    send_welcome_email: input.welcome?.includes('send') ?? false,
    ...Object.fromEntries((input.flags ?? []).map((flag) => [flag, true])),
  };
}

async function findUser({ api, call }: OperationContext, userName: string): Promise<User | undefined> {
  const userId = await api.users.find(userName, call);
  return userId === null ? undefined : api.users.get(userId, call);
}

/** The user as the service shows them; of many, as they were sent. Undefined where it cannot be read: it exists all the same. */
async function readCreated(context: OperationContext, asked: AskedUser, id: string | null): Promise<User | undefined> {
  if (id !== null && context.isOneOfMany) return userAsSent(id, asked);
  return (id === null ? findUser(context, asked.user_name) : context.api.users.get(id, context.call)).catch(
    unlessFailed,
  );
}

function userAsSent(user_id: string, asked: AskedUser): User {
  const { send_welcome_email: _, ...sent } = asked;
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  return { ...blankUser, user_id, ...given };
}

async function created(
  context: OperationContext,
  input: Entered,
  user: User | undefined,
  isNew: boolean,
): Promise<DoneResult> {
  const asked = userOf(input);
  if (user) context.directory.users.put(user);
  const password = asked.send_welcome_email ? 'mailed' : user ? 'offered' : 'unknown';
  const message = createdMessage(user ?? withoutGaps(asked), { isSuspended: asked.suspended ?? false, password });
  const joined = user && (await joinGroups(context, user, input.groups ?? []));
  return {
    kind: 'done',
    message: joined?.groups.length ? `${message} ${say`They’re in ${namesOf(joined.groups)}.`}` : message,
    problems: joined?.problems,
    created: user,
    next: user && [...nextSteps(user), ...(isNew ? [undoStep(user)] : [])],
    passwordOf: user && password === 'offered' ? { user, isNew } : undefined,
  };
}

/** Adds a user who is new to the groups that they are not in. Says which those are now, and of the others why not. */
async function joinGroups(
  { api, directory, call, isStopping }: OperationContext,
  user: User,
  groups: readonly Group[],
): Promise<{ groups: Group[]; problems: string[] }> {
  const { succeeded, problems } = await changeEach(groups, {
    couldNot: (group) => say`Couldn’t add them to ${named(group.group_name)}`,
    findChanged: async (unclear) => {
      const now = await api.users.get(user.user_id, call);
      return new Set(unclear.filter((group) => isIn(now, [group])));
    },
    isStopping,
    change: async (group) => {
      if (!isIn(user, [group])) await api.users.assignGroup(user.user_id, group.group_id, call);
      directory.users.edit(user.user_id, (known) => ({ ...known, groups: [...groupsWithout(known, group), group] }));
    },
    mayAllFail: true,
  });
  return { groups: succeeded, problems };
}

function isAsAsked(user: User, asked: AskedUser): boolean {
  const isSameText = (field: 'first_name' | 'last_name' | 'email_address') => user[field] === (asked[field] ?? '');
  return (
    isSameAddress(user.user_name, asked.user_name) &&
    user.user_type === asked.user_type &&
    isSameText('first_name') &&
    isSameText('last_name') &&
    isSameText('email_address') &&
    userFlags.every(({ value }) => user[value] === (asked[value] ?? false))
  );
}

function withoutGaps({
  user_name,
  first_name = '',
  last_name = '',
  email_address = '',
  user_type = 'respondent',
}: AskedUser) {
  return { user_name, first_name, last_name, email_address, user_type };
}

/** Until there is a user, a person is known by their address. */
function namedNewUser(user: Pick<User, 'user_name' | 'first_name' | 'last_name' | 'email_address'>): string {
  const name = maskAddresses(fullName(user));
  const id = addressId(user.user_name) ?? addressId(user.email_address);
  return id === undefined ? named(name) : namedPerson({ userId: id, name });
}

/** Who there would be, in the conditional. */
export function newUserInWords({
  user_name,
  user_type,
  flags = [],
  suspended = [],
  groups = [],
}: Pick<Entered, 'user_name' | 'user_type' | 'flags' | 'suspended' | 'groups'>): string {
  const [name, type] = [named(user_name), aType(user_type)];
  return sentences([
    flags.length === 0
      ? say`${name} would be created as ${type}.`
      : say`${name} would be created as ${type} who could ${rightsInWords(flags)}.`,
    user_type === 'administrator' && administratorsDecide,
    groups.length > 0 && say`They would be in ${namesOf(groups)}.`,
    suspended.length > 0 && say`They couldn’t sign in until someone reinstates them.`,
  ]);
}

/** Says who was created. @param how.password `unknown` where the service does not list the user yet */
export function createdMessage(
  user: Pick<User, 'user_name' | 'first_name' | 'last_name' | 'user_type'> & Partial<Pick<User, 'user_id'>>,
  how: { isSuspended: boolean; password: keyof typeof aboutPassword },
): string {
  return sentences([
    say`Created ${namedUser(user)} as ${aType(user.user_type)}.`,
    !(isFullAddress(user.user_name) || user.user_name === fullName(user)) &&
      say`They sign in as ${named(user.user_name)}.`,
    how.isSuspended && say`They can’t sign in until you reinstate them.`,
    ...aboutPassword[how.password],
  ]);
}

const aboutPassword = {
  mailed: [say`The welcome e-mail has their password.`],
  offered: [],
  unknown: [
    say`The quiz service doesn’t list them yet, and nobody knows their password: set one later with \`/quiz-user reset-password\`.`,
  ],
};

function namesOf(groups: readonly Group[]): string {
  return namedList(groups.map(({ group_name }) => group_name));
}

function undoStep({ user_id }: User): Step {
  return runStep(say`Undo`, takeBackUser, { user: [user_id] });
}

/** What people often do with a new user. */
export function nextSteps({ user_id }: Pick<User, 'user_id'>): Step[] {
  return [
    formStep(say`Assign a quiz…`, assignQuiz, { to: [`user:${user_id}`] }),
    formStep(say`Add to a group…`, addToGroup, { user: [user_id] }),
  ];
}

type Addresses = Pick<UserChanges, 'user_name' | 'email_address'>;

/**
 * Refuses a user name or e-mail address that another user has as either of them: the bot recognizes people by both. The
 * message names that user only to people who may see them.
 *
 * @param own the user who gets the addresses; undefined for a new one
 * @throws {InvalidInputError}
 */
export async function refuseTakenAddress(
  { directory, visibility, call }: OperationContext,
  { user_name, email_address }: Addresses,
  own?: User,
): Promise<void> {
  for (const [field, address] of Object.entries({ user_name, email_address })) {
    if (address === undefined || address === '') continue;
    const holders = (await directory.users.names(call))
      .named(address)
      .filter((user) => user.user_id !== own?.user_id && hasAddress(user, address));
    if (holders.length > 0) throw new InvalidInputError(field, takenMessage(address, holders, visibility));
  }
}

/** Says who has an address, as far as the person may know it. */
export function takenMessage(address: string, holders: readonly User[], visibility: Pick<Visibility, 'user'>): string {
  const visible = holders.find(visibility.user);
  return visible
    ? say`${namedUser(visible)} already uses ${named(address)}.`
    : say`Another user of the quiz account already uses ${named(address)}.`;
}

/** Refuses taken addresses by the list of the service, right before a change. Costs a request where an address is given. @throws {InvalidInputError} */
export async function refuseTakenAddressNow(
  context: OperationContext,
  addresses: Addresses,
  own?: User,
): Promise<void> {
  const { directory, call, isOneOfMany } = context;
  const isGiven = addresses.user_name || addresses.email_address;
  // The list at hand has the users whom the others of many created, and the service refuses a user name that is taken.
  if (isGiven && !isOneOfMany) await directory.users.refresh(call);
  await refuseTakenAddress(context, addresses, own);
}

/**
 * Whether a new user can share an e-mail address with those who have it, as families do: in the workspace, it stays with who it
 * belongs to (`directory/identity.ts`).
 */
export function canShare(
  { user_name, email_address, user_type }: Addresses & { user_type?: string | undefined },
  holders: readonly User[],
): boolean {
  const isKept = holders.some(
    (user) =>
      user.user_type !== 'respondent' ||
      user.date_created !== null ||
      isSameAddress(user.user_name, email_address ?? ''),
  );
  return user_type === 'respondent' && !isSameAddress(user_name ?? '', email_address ?? '') && isKept;
}
