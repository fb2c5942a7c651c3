import { publicName } from '../../directory/names.ts';
import { named, phraseList } from '../../domain/sentence.ts';
import type { Group } from '../../quiz-api/groups.ts';
import type { User } from '../../quiz-api/users.ts';
import { parseMention, splitList } from '../typed-text.ts';
import { fromMatch, valueOf, type FieldBase, type FieldKind, type InputResolver, type ResolvedValue } from './field-kind.ts';
import { groupTarget } from './group.ts';
import { canChooseUsers, choosable, resolveUser, userTarget } from './user.ts';

/** Any number of users and groups. */
export interface AssigneesField extends FieldBase {
  kind: 'assignees';
}

/** A user or group that gets a quiz. */
export type Assignee = { kind: 'user'; user: User } | { kind: 'group'; group: Group };

export const assigneesKind: FieldKind<AssigneesField, Assignee[]> = {
  followsFromPlace: false,
  canName: canChooseUsers,
  split: splitList,
  async resolve(typed, _field, resolver) {
    const assignees: Assignee[] = [];
    for (const [index, text] of typed.entries()) {
      const resolved = await resolveAssignee(text, resolver, index);
      if (resolved.kind !== 'value') return resolved;
      assignees.push(resolved.value);
    }
    return valueOf(assignees);
  },
  identify: (assignees) => assignees.map(assigneeId),
  describe: (assignees) => new Intl.ListFormat('en').format(assignees.map((assignee) => (assignee.kind === 'user' ? publicName(assignee.user) : assignee.group.group_name))),
  targets: (assignees) => assignees.map((assignee) => (assignee.kind === 'user' ? userTarget(assignee.user) : groupTarget(assignee.group))),
  // It would cost up to fifty requests a click. Running the operation tells for each whether it is still there.
  refetch: async (assignees) => assignees,
  async narrow(text, _field, { directory, visibility, limit }) {
    const groups = (await directory.groups.namesAtHand()).search(text, { limit: limit / 2, accepts: visibility.groupByName });
    const users = (await directory.users.namesAtHand()).search(text, { limit: limit - groups.length, accepts: choosable(visibility) });
    return [...groups.map((group): Assignee[] => [{ kind: 'group', group }]), ...users.map((user): Assignee[] => [{ kind: 'user', user }])];
  },
};

/** Tells assignees apart, and finds them again: `user:ID`, `group:ID`. */
export function assigneeId(assignee: Assignee): string {
  return assignee.kind === 'user' ? `user:${assignee.user.user_id}` : `group:${assignee.group.group_id}`;
}

/** Each assignee of two fields once, even if named several times. */
export function uniqueAssignees({ to = [], people = [] }: { to?: Assignee[] | undefined; people?: Assignee[] | undefined }): Assignee[] {
  return [...new Map([...to, ...people].map((assignee) => [assigneeId(assignee), assignee])).values()];
}

/** Lists assignees within a sentence: “⁨Rosa⁩ and the group ⁨Kitchen⁩”. */
export function assigneesInWords(assignees: readonly Assignee[]): string {
  return phraseList(assignees.map((assignee) => (assignee.kind === 'user' ? named(publicName(assignee.user)) : `the group ${named(assignee.group.group_name)}`)));
}

/** A person or a group: a group only when its name is meant exactly, or no person fits. */
async function resolveAssignee(typed: string, resolver: InputResolver, index: number): Promise<ResolvedValue<Assignee>> {
  const { directory, visibility, call } = resolver;
  const [, tag, id] = /^(user|group):(.+)/s.exec(typed) ?? [];
  const text = id ?? typed;
  if (tag !== 'user' && parseMention(typed) === undefined) {
    const groups = await directory.groups.names(call);
    const users = await directory.users.names(call);
    const match = groups.match(text, { accepts: visibility.groupByName });
    const isGroup = tag === 'group' || groups.named(text).some(visibility.groupByName) || users.match(text, { accepts: choosable(visibility) }).kind === 'none';
    if (isGroup && (match.kind !== 'none' || tag)) {
      const candidate = ({ group_id, group_name }: Group) => ({ value: `group:${group_id}`, label: group_name });
      const resolved = fromMatch(text, 'group', match, { index, candidate });
      return resolved.kind === 'value' ? valueOf({ kind: 'group', group: resolved.value }) : resolved;
    }
  }
  const resolved = await resolveUser(text, resolver, choosable(visibility), index);
  return resolved.kind === 'value' ? valueOf({ kind: 'user', user: resolved.value }) : resolved;
}
