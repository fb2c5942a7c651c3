import { markedName } from '../../directory/names.ts';
import { matrixOf, needsSomething } from '../../obligations/matrix.ts';
import type { Target } from '../../domain/approval-request.ts';
import type { User, Group } from '../../quiz-api/records.ts';
import { splitPeopleAtAnd, meansOneOf } from '../other-words/meanings.ts';
import { unclear } from '../text-input.ts';
import { splitPeople, parseMention, splitList, mentionsInWords, type Mention } from '../typed-text.ts';
import { visibleRunning } from './campaign.ts';
import { valueOf, fromMatch, invalid, mapped, resolveEach, usualKind } from './field-kind.ts';
import type { FieldBase, FieldKind, NarrowOptions, ResolvedValue } from './field-kind.ts';
import {
  acceptedBy,
  userKind,
  userTarget,
  resolveUser,
  canChooseUsers,
  choosable,
  isOneself,
  nameFor,
} from './user.ts';
import { listed, say, amount, named, phraseList } from '../../domain/said.ts';
import type { OperationContext } from '../context.ts';
import { groupTarget } from './things.ts';
import {
  membersAtMost,
  resolveMembers,
  tooMany,
  findMembers,
  isWithoutUser,
  type MentionedMembers,
} from './mentioned-members.ts';
import { nameOrId } from '../../domain/record-names.ts';
import type { PersonWithoutUser } from '../../domain/campaign-plan.ts';

/** Any number of users; `byName` as in `UserField`. */
export interface UsersField extends FieldBase {
  kind: 'users';
  byName?: true;
  /** Until something is typed, the picker offers the people who have to do something in a campaign that the person sees. */
  inCampaigns?: true;
}

export const usersKind: FieldKind<UsersField, User[]> = {
  ...usualKind,
  canName: (rights, field) => userKind.canName(rights, { ...field, kind: 'user' }),
  split: splitPeople,
  async resolve(typed, field, resolver) {
    const accepts = acceptedBy(field, resolver.visibility);
    const resolveOne = async (text: string) => resolveUser(text, resolver, accepts);
    const each = await resolveEach(typed, async (text) =>
      inParts(text, await resolveEach([text], resolveOne), resolveOne),
    );
    return mapped(each, (users) => [...new Map(users.flat().map((user) => [user.user_id, user])).values()]);
  },
  identify: (users) => users.map(({ user_id }) => user_id),
  describe: (users) => listed(users.map(markedName)),
  targets: (users) => users.map(userTarget),
  /** One user costs a request, and so do several. The value is gone where one of them is. */
  async refetch([first, ...others], context) {
    if (first === undefined) return [];
    if (others.length === 0) {
      const user = await userKind.refetch(first, context);
      return user && [user];
    }
    await context.directory.users.refresh(context.call);
    const names = await context.directory.users.names(context.call);
    const users = [first, ...others].map(({ user_id }) => names.byId(user_id));
    return users.every((user) => user !== undefined) ? users : undefined;
  },
  async narrow(text, field, options) {
    const users =
      field.inCampaigns && text.trim() === ''
        ? await peopleToAsk(options)
        : await userKind.narrow(text, { ...field, kind: 'user' }, options);
    return users.slice(0, options.limit).map((user) => [user]);
  },
};

/** Each part of a list of people is looked up in the directory. */
const partsAtMost = 50;

/** What the parts of a text such as “Rosa und Ravi” name, where the whole names nothing and each of them does. */
async function inParts<V>(
  text: string,
  whole: ResolvedValue<V[]>,
  resolve: (part: string) => Promise<ResolvedValue<V>>,
): Promise<ResolvedValue<V[]>> {
  const parts = splitPeopleAtAnd(text);
  if (whole.kind === 'value' || parts.length < 2 || parts.length > partsAtMost) return whole;
  const several = await resolveEach(parts, resolve);
  return several.kind === 'value' ? several : whole;
}

/** Who has to do something in a campaign that the person sees, those first who need it most. */
async function peopleToAsk(options: NarrowOptions): Promise<User[]> {
  const names = await options.directory.users.namesAtHand();
  const { rows } = matrixOf(await visibleRunning(options), options.now());
  return rows
    .filter(({ cells }) => cells.some((cell) => cell && needsSomething(cell)))
    .flatMap(({ userId }) => names.byId(userId) ?? [])
    .filter(options.visibility.userByName);
}

/** Any number of users and groups. */
export interface AssigneesField extends FieldBase {
  kind: 'assignees';
}

/** A user or group that gets a quiz. `through`: the channel or user group of the platform that was typed for them. */
export type Assignee = { kind: 'user'; user: User; through?: MentionedMembers } | { kind: 'group'; group: Group };

export const assigneesKind: FieldKind<FieldBase, Assignee[]> = {
  // Reading each again would cost too much: running the operation tells for each whether it is still there.
  ...usualKind,
  canName: canChooseUsers,
  split: splitList,
  async resolve(typed, _field, resolver) {
    const each = await resolveEach(typed, async (text) => resolveAssignees(text, resolver));
    return mapped(each, (assignees) => assignees.flat());
  },
  identify: (assignees) => assignees.map(partId),
  describe: (assignees) => listed(assignees.map(partName)),
  targets: (assignees) => assignees.flatMap(targetOf),
  async narrow(text, _field, { directory, visibility, limit }) {
    const groups = (await directory.groups.namesAtHand()).search(text, {
      limit: limit / 2,
      accepts: visibility.groupByName,
    });
    const users = (await directory.users.namesAtHand()).search(text, {
      limit: limit - groups.length,
      accepts: choosable(visibility),
    });
    return [
      ...groups.map((group): Assignee[] => [{ kind: 'group', group }]),
      ...users.map((user): Assignee[] => [{ kind: 'user', user }]),
    ];
  },
};

/** Any number of people of the workspace, who are users of the account too. The platform has a picker of its own. */
export interface PeopleField extends FieldBase {
  kind: 'people';
}

export const peopleKind: FieldKind<PeopleField, Assignee[]> = { ...assigneesKind, narrow: async () => [] };

/** Each assignee of two fields once, even if named several times. */
export function uniqueAssignees({
  to = [],
  people = [],
}: {
  to?: Assignee[] | undefined;
  people?: Assignee[] | undefined;
}): Assignee[] {
  return [...new Map([...to, ...people].map((assignee) => [partId(assignee), assignee])).values()];
}

/** Lists assignees within a sentence: “⁨Rosa⁩ and the group ⁨Kitchen⁩”. */
export function assigneesInWords(assignees: readonly Assignee[]): string {
  return phraseList(
    assignees.map((assignee) =>
      assignee.kind === 'user' ? named(markedName(assignee.user)) : say`the group ${named(assignee.group.group_name)}`,
    ),
  );
}

/** Many assignees in little room, for a button: `users:ID ID`. */
export function assigneeIdsInShort(assignees: readonly Assignee[]): string[] {
  const isShort = (assignee: Assignee) => assignee.kind === 'user' && !/\s/.test(assignee.user.user_id);
  const userIds = assignees.flatMap((assignee) =>
    isShort(assignee) && assignee.kind === 'user' ? [assignee.user.user_id] : [],
  );
  return [
    ...(userIds.length > 0 ? [`users:${userIds.join(' ')}`] : []),
    ...assignees.filter((assignee) => !isShort(assignee)).map(partId),
  ];
}

async function resolveAssignees(typed: string, resolver: OperationContext): Promise<ResolvedValue<Assignee[]>> {
  const mention = parseMention(typed);
  if (mention && mention.kind !== 'person') {
    const members = await resolveMembers(typed, mention, resolver);
    return mapped(members, (through) => through.users.map((user) => ({ kind: 'user', user, through })));
  }
  const everyone = await resolveEveryone(typed, resolver);
  if (everyone) return everyone;
  const [, ids] = /^users:(\S+(?: \S+)*)$/.exec(typed) ?? [];
  const resolveOne = async (text: string) => resolveAssignee(text, resolver);
  const whole = await resolveEach(ids?.split(' ').map((id) => `user:${id}`) ?? [typed], resolveOne);
  // Names of groups can contain “and”, so it parts people only where the whole is nobody’s name.
  return whole.kind === 'unclear' && whole.isAlike ? whole : inParts(typed, whole, resolveOne);
}

/** “everyone” and its like, in any language. */
export function meansEveryone(text: string): boolean {
  return (
    /^(?:everyone|everybody|all(?: (?:users|people|respondents|of them))?)$/i.test(text.trim()) ||
    meansOneOf(text, ['all'])
  );
}

/** Every active respondent whom the person may choose, for “everyone” and its like; undefined where the text says that of nobody, or a group is called so. */
async function resolveEveryone(
  typed: string,
  { directory, visibility, call }: OperationContext,
): Promise<ResolvedValue<Assignee[]> | undefined> {
  if (!meansEveryone(typed)) return undefined;
  const groups = await directory.groups.names(call);
  if (groups.named(typed).some(visibility.groupByName)) return undefined;
  const accepts = choosable(visibility);
  const users = (await directory.users.get(call)).filter(
    (user) => user.user_type === 'respondent' && !user.suspended && accepts(user) !== false,
  );
  if (users.length > membersAtMost) return invalid(tooMany(typed));
  if (users.length === 0) return invalid(say`There’s nobody whom you may assign a quiz to.`);
  const through: MentionedMembers = { name: say`the quiz account`, users, withoutUser: [] };
  return valueOf(users.map((user) => ({ kind: 'user', user, through })));
}

/** A person or a group: a group only when its name is meant exactly, or no person fits. */
async function resolveAssignee(typed: string, resolver: OperationContext): Promise<ResolvedValue<Assignee>> {
  const { directory, visibility, call } = resolver;
  const [, tag, id] = /^(user|group):(.+)/s.exec(typed) ?? [];
  const text = id ?? typed;
  if (tag !== 'user' && parseMention(typed) === undefined && !(await isOneself(text, resolver))) {
    const groups = await directory.groups.names(call);
    const users = await directory.users.names(call);
    const match = groups.match(text, { accepts: visibility.groupByName });
    const matchingUsers = users.match(text, { accepts: choosable(visibility) });
    if (tag === undefined && match.kind === 'none' && matchingUsers.kind === 'none')
      return unknown(text, { users: matchingUsers.nearest, groups: match.nearest }, resolver);
    const isGroup = tag === 'group' || groups.named(text).some(visibility.groupByName) || matchingUsers.kind === 'none';
    if (isGroup && (match.kind !== 'none' || tag)) {
      const candidate = ({ group_id, group_name }: Group) => ({ value: `group:${group_id}`, label: group_name });
      return mapped(fromMatch(text, 'group', match, { candidate }), (group) => ({ kind: 'group', group }));
    }
  }
  const resolved = await resolveUser(text, resolver, choosable(visibility));
  return mapped(resolved, (user) => ({ kind: 'user', user }));
}

/** Nothing is called so: the nearest names of users and groups alike. */
function unknown(
  typed: string,
  nearest: { users: readonly User[]; groups: readonly Group[] },
  { visibility }: OperationContext,
): ResolvedValue<Assignee> {
  const candidates = [
    ...nearest.users.map((user) => ({ value: `user:${user.user_id}`, label: nameFor(user, visibility) })),
    ...nearest.groups.map((group) => ({ value: `group:${group.group_id}`, label: group.group_name })),
  ];
  return unclear(typed, 'user or group', candidates, { isAlike: false });
}

/**
 * Any number of people: users and groups of the account, and people, channels and user groups of the platform, thousands of
 * people in all. `from`: what its picker offers.
 */
export interface AudienceField extends FieldBase {
  kind: 'audience';
  from: 'account' | 'people' | 'channels';
}

/** Someone who would take part. */
export interface AudiencePerson {
  userId: string;
  /** Whether the person who named them trains them. */
  isTrained: boolean;
}

/** What a person named for its people, and who they are now, without suspended users. */
export type AudiencePart = NamedPart & { people: readonly AudiencePerson[] };

type NamedPart =
  | Assignee
  /** A channel or user group of the platform, or a person without a user. */
  | {
      kind: 'members';
      mention: string;
      users: readonly User[];
      withoutUser: readonly PersonWithoutUser[];
      guests: readonly PersonWithoutUser[];
    };

export const audienceKind: FieldKind<AudienceField, AudiencePart[]> = {
  ...usualKind,
  canName: canChooseUsers,
  split: splitList,
  async resolve(typed, _field, resolver) {
    const each = await resolveEach(typed, async (text): Promise<ResolvedValue<NamedPart[]>> => {
      const mention = parseMention(text);
      return mention ? membersPart(text, mention, resolver) : resolveAssignees(text, resolver);
    });
    return each.kind === 'value' ? valueOf(await withPeople(each.value.flat(), resolver)) : each;
  },
  identify: (parts) => parts.map(partId),
  describe: (parts) => listed(parts.map(partName)),
  targets: (parts) => parts.flatMap(targetOf),
  async refetch(parts, context) {
    await context.directory.users.fresh(context.call);
    return withPeople(parts, context);
  },
  async narrow(text, field, options) {
    if (field.from !== 'account') return [];
    const offered = await assigneesKind.narrow(text, field, options);
    // A picker names them only: who they are is found out when one is chosen.
    return offered.map((parts) => parts.map((part) => ({ ...part, people: [] })));
  },
};

/** Tells parts apart, and finds them again: `user:ID`, `group:ID`, `channel:ID|name`. */
export function partId(part: NamedPart): string {
  if (part.kind === 'members') return part.mention;
  return part.kind === 'user' ? `user:${part.user.user_id}` : `group:${part.group.group_id}`;
}

export function partName(part: NamedPart): string {
  if (part.kind === 'members') return mentionsInWords(part.mention);
  return part.kind === 'user' ? markedName(part.user) : part.group.group_name;
}

/** What was named among them that stands for more people than it says: everyone, channels and user groups. */
export function collectivesIn(parts: readonly NamedPart[]): MentionedMembers[] {
  const members = parts.flatMap((part): MentionedMembers[] => {
    if (part.kind === 'user') return part.through ? [part.through] : [];
    if (part.kind === 'group' || parseMention(part.mention)?.kind === 'person') return [];
    const { users, withoutUser } = part;
    return [{ name: partName(part), users, withoutUser: withoutUser.map(({ name }) => name) }];
  });
  return [...new Set(members)];
}

function targetOf(part: NamedPart): Target[] {
  if (part.kind === 'members') return [];
  return [part.kind === 'user' ? userTarget(part.user) : groupTarget(part.group)];
}

/** The parts with the people whom the directory has for them. */
async function withPeople(
  parts: readonly NamedPart[],
  { directory, visibility, call }: Pick<OperationContext, 'directory' | 'visibility' | 'call'>,
): Promise<AudiencePart[]> {
  if (parts.length === 0) return [];
  const all = await directory.users.get(call);
  const names = await directory.users.names(call);
  return parts.map((part) => ({
    ...part,
    people: usersIn(part)
      .filter((user) => !user.suspended && visibility.userByName(user))
      .map((user) => ({ userId: user.user_id, isTrained: visibility.trains(user) })),
  }));

  function usersIn(part: NamedPart): readonly User[] {
    if (part.kind === 'group')
      return all.filter(({ groups }) => groups.some(({ group_id }) => group_id === part.group.group_id));
    const known = part.kind === 'user' ? [part.user] : part.users;
    return known.map((user) => names.byId(user.user_id) ?? user);
  }
}

async function membersPart(
  text: string,
  mention: Mention,
  resolver: OperationContext,
): Promise<ResolvedValue<NamedPart[]>> {
  const found = await findMembers(mention, resolver, membersAtMost);
  if ('problem' in found)
    return invalid(
      found.problem ??
        say`${mentionsInWords(text)} has more than ${amount(membersAtMost)} people, and that’s the limit.`,
    );
  const accepts = choosable(resolver.visibility);
  const users = found.people.flatMap(({ user }) => (user && accepts(user) ? [user] : []));
  const [only] = users;
  if (mention.kind === 'person' && only) return valueOf([{ kind: 'user', user: only }]);
  const people = (some: typeof found.people) =>
    some.map(({ personId, name = '' }): PersonWithoutUser => ({
      personId,
      name: nameOrId('person', name || (personId === mention.id ? (mention.name ?? '') : '')),
    }));
  // Nobody who has left is in a channel or user group: they are named themselves.
  const [left] = people(found.people.filter(({ nobody }) => nobody === 'deactivated'));
  if (mention.kind === 'person' && left)
    return invalid(say`${named(left.name)}’s ${resolver.platform.name} account is deactivated.`);
  const guests = found.people.filter(({ nobody }) => nobody === 'guest' || nobody === 'stranger');
  return valueOf([
    {
      kind: 'members',
      mention: found.mention,
      users,
      withoutUser: people(found.people.filter(isWithoutUser)),
      guests: people(guests),
    },
  ]);
}
