import { nameOrId } from '../../domain/short-name.ts';
import type { OperationContext } from '../context.ts';
import { markedName } from '../../directory/names.ts';
import type { PersonWithoutUser } from '../../domain/campaign-plan.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import { mentionsInWords, parseMention, splitList, type Mention } from '../typed-text.ts';
import { assigneesKind } from './assignees.ts';
import { invalid, valueOf, type FieldBase, type FieldKind, type ResolvedValue } from './field-kind.ts';
import { groupTarget } from './group.ts';
import { findMembers, isWithoutUser, membersAtMost } from './mentioned-members.ts';
import { canChooseUsers, choosable, userTarget } from './user.ts';
import { say, amount, listed } from '../../domain/said.ts';

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
  | { kind: 'user'; user: User }
  | { kind: 'group'; group: Group }
  /** A channel or user group of the platform, or a person without a user. */
  | {
      kind: 'members';
      mention: string;
      users: readonly User[];
      withoutUser: readonly PersonWithoutUser[];
      guests: readonly PersonWithoutUser[];
    };

const asAssignees = { kind: 'assignees', label: '' } as const;

export const audienceKind: FieldKind<AudienceField, AudiencePart[]> = {
  followsFromPlace: false,
  canName: canChooseUsers,
  split: splitList,
  async resolve(typed, _field, resolver) {
    const parts: NamedPart[] = [];
    for (const [index, text] of typed.entries()) {
      const mention = parseMention(text);
      const resolved = mention ? await membersPart(text, mention, resolver) : await namedParts(text, resolver, index);
      if (resolved.kind !== 'value') return resolved;
      parts.push(...resolved.value);
    }
    return valueOf(await withPeople(parts, resolver));
  },
  identify: (parts) => parts.map(partId),
  describe: (parts) => listed(parts.map(partName)),
  targets: (parts) =>
    parts.flatMap((part) =>
      part.kind === 'user' ? [userTarget(part.user)] : part.kind === 'group' ? [groupTarget(part.group)] : [],
    ),
  async refetch(parts, context) {
    await context.directory.users.fresh(context.call);
    return withPeople(parts, context);
  },
  async narrow(text, { from }, options) {
    if (from !== 'account') return [];
    const offered = await assigneesKind.narrow(text, asAssignees, options);
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

async function namedParts(
  text: string,
  resolver: OperationContext,
  index: number,
): Promise<ResolvedValue<NamedPart[]>> {
  const resolved = await assigneesKind.resolve([text], asAssignees, resolver);
  return resolved.kind === 'unclear'
    ? { ...resolved, index }
    : resolved.kind === 'value'
      ? valueOf(resolved.value.map((part): NamedPart => part))
      : resolved;
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
  const guests = found.people.filter(({ nobody }) => nobody === 'guest' || nobody === 'stranger');
  return valueOf([
    {
      kind: 'members',
      mention: text,
      users,
      withoutUser: people(found.people.filter(isWithoutUser)),
      guests: people(guests),
    },
  ]);
}
