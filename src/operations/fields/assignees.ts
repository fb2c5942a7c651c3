import type { OperationContext } from '../context.ts';
import { markedName } from '../../directory/names.ts';
import { named, phraseList } from '../../domain/sentence.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import { meansOneOf, splitPeopleAtAnd } from '../other-words/meanings.ts';
import { parseMention, splitList } from '../typed-text.ts';
import { fromMatch, invalid, valueOf, type FieldBase, type FieldKind, type ResolvedValue } from './field-kind.ts';
import { groupTarget } from './group.ts';
import { membersAtMost, resolveMembers, tooMany, type MentionedMembers } from './mentioned-members.ts';
import { say, listed } from '../../domain/said.ts';
import { canChooseUsers, choosable, isOneself, nameFor, resolveUser, userTarget } from './user.ts';

/** Each part of a list of people is looked up in the directory. */
const partsAtMost = 50;

/** Any number of users and groups. */
export interface AssigneesField extends FieldBase {
  kind: 'assignees';
}

/** A user or group that gets a quiz. `through`: the channel or user group of the platform that was typed for them. */
export type Assignee = { kind: 'user'; user: User; through?: MentionedMembers } | { kind: 'group'; group: Group };

export const assigneesKind: FieldKind<AssigneesField, Assignee[]> = {
  followsFromPlace: false,
  canName: canChooseUsers,
  split: splitList,
  async resolve(typed, _field, resolver) {
    const assignees: Assignee[] = [];
    for (const [index, text] of typed.entries()) {
      const resolved = await resolveAssignees(text, resolver, index);
      if (resolved.kind !== 'value') return resolved;
      assignees.push(...resolved.value);
    }
    return valueOf(assignees);
  },
  identify: (assignees) => assignees.map(assigneeId),
  describe: (assignees) =>
    listed(
      assignees.map((assignee) => (assignee.kind === 'user' ? markedName(assignee.user) : assignee.group.group_name)),
    ),
  targets: (assignees) =>
    assignees.map((assignee) => (assignee.kind === 'user' ? userTarget(assignee.user) : groupTarget(assignee.group))),
  // A request for each would cost too much. Running the operation tells for each whether it is still there.
  refetch: async (assignees) => assignees,
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

/** Tells assignees apart, and finds them again: `user:ID`, `group:ID`. */
export function assigneeId(assignee: Assignee): string {
  return assignee.kind === 'user' ? `user:${assignee.user.user_id}` : `group:${assignee.group.group_id}`;
}

/** Each assignee of two fields once, even if named several times. */
export function uniqueAssignees({
  to = [],
  people = [],
}: {
  to?: Assignee[] | undefined;
  people?: Assignee[] | undefined;
}): Assignee[] {
  return [...new Map([...to, ...people].map((assignee) => [assigneeId(assignee), assignee])).values()];
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
    ...assignees.filter((assignee) => !isShort(assignee)).map(assigneeId),
  ];
}

async function resolveAssignees(
  typed: string,
  resolver: OperationContext,
  index: number,
): Promise<ResolvedValue<Assignee[]>> {
  const mention = parseMention(typed);
  if (mention && mention.kind !== 'person') {
    const members = await resolveMembers(typed, mention, resolver);
    return members.kind === 'value'
      ? valueOf(members.value.users.map((user) => ({ kind: 'user', user, through: members.value })))
      : members;
  }
  const everyone = await resolveEveryone(typed, resolver);
  if (everyone) return everyone;
  const [, ids] = /^users:(\S+(?: \S+)*)$/.exec(typed) ?? [];
  const whole = await resolveEach(ids?.split(' ').map((id) => `user:${id}`) ?? [typed], resolver, index);
  // Names of groups can contain “and”, so it parts people only where the whole is nobody’s name.
  const parts = splitPeopleAtAnd(typed);
  if (
    whole.kind === 'value' ||
    parts.length < 2 ||
    parts.length > partsAtMost ||
    (whole.kind === 'unclear' && whole.isAlike)
  )
    return whole;
  const several = await resolveEach(parts, resolver, index);
  return several.kind === 'value' ? several : whole;
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

async function resolveEach(
  texts: readonly string[],
  resolver: OperationContext,
  index: number,
): Promise<ResolvedValue<Assignee[]>> {
  const assignees: Assignee[] = [];
  for (const text of texts) {
    const resolved = await resolveAssignee(text, resolver, index);
    if (resolved.kind !== 'value') return resolved;
    assignees.push(resolved.value);
  }
  return valueOf(assignees);
}

/** A person or a group: a group only when its name is meant exactly, or no person fits. */
async function resolveAssignee(
  typed: string,
  resolver: OperationContext,
  index: number,
): Promise<ResolvedValue<Assignee>> {
  const { directory, visibility, call } = resolver;
  const [, tag, id] = /^(user|group):(.+)/s.exec(typed) ?? [];
  const text = id ?? typed;
  if (tag !== 'user' && parseMention(typed) === undefined && !(await isOneself(text, resolver))) {
    const groups = await directory.groups.names(call);
    const users = await directory.users.names(call);
    const match = groups.match(text, { accepts: visibility.groupByName });
    const matchingUsers = users.match(text, { accepts: choosable(visibility) });
    if (tag === undefined && match.kind === 'none' && matchingUsers.kind === 'none')
      return unknown(text, { users: matchingUsers.nearest, groups: match.nearest }, resolver, index);
    const isGroup = tag === 'group' || groups.named(text).some(visibility.groupByName) || matchingUsers.kind === 'none';
    if (isGroup && (match.kind !== 'none' || tag)) {
      const candidate = ({ group_id, group_name }: Group) => ({ value: `group:${group_id}`, label: group_name });
      const resolved = fromMatch(text, 'group', match, { index, candidate });
      return resolved.kind === 'value' ? valueOf({ kind: 'group', group: resolved.value }) : resolved;
    }
  }
  const resolved = await resolveUser(text, resolver, choosable(visibility), index);
  return resolved.kind === 'value' ? valueOf({ kind: 'user', user: resolved.value }) : resolved;
}

/** Nothing is called so: the nearest names of users and groups alike. */
function unknown(
  typed: string,
  nearest: { users: readonly User[]; groups: readonly Group[] },
  { visibility }: OperationContext,
  index: number,
): ResolvedValue<Assignee> {
  const candidates = [
    ...nearest.users.map((user) => ({ value: `user:${user.user_id}`, label: nameFor(user, visibility) })),
    ...nearest.groups.map((group) => ({ value: `group:${group.group_id}`, label: group.group_name })),
  ];
  return { kind: 'unclear', index, typed, noun: 'user or group', candidates, count: candidates.length, isAlike: false };
}
