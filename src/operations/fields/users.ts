import { markedName } from '../../directory/names.ts';
import { matrixOf, needsSomething } from '../../obligations/matrix.ts';
import type { User } from '../../quiz-api/users.ts';
import { splitPeopleAtAnd } from '../other-words/meanings.ts';
import { splitPeople } from '../typed-text.ts';
import { visibleRunning } from './campaign.ts';
import { valueOf, type FieldBase, type FieldKind, type NarrowOptions } from './field-kind.ts';
import { acceptedBy, userKind, userTarget, resolveUser, canChooseUsers } from './user.ts';
import { listed } from '../../domain/said.ts';
import { assigneesKind, type Assignee } from './assignees.ts';

/** Any number of users; `byName` as in `UserField`. */
export interface UsersField extends FieldBase {
  kind: 'users';
  byName?: true;
  /** Until something is typed, the picker offers the people who have to do something in a campaign that the person sees. */
  inCampaigns?: true;
}

export const usersKind: FieldKind<UsersField, User[]> = {
  followsFromPlace: false,
  canName: (rights, field) => userKind.canName(rights, { ...field, kind: 'user' }),
  split: splitPeople,
  async resolve(typed, field, resolver) {
    const users = new Map<string, User>();
    const accepts = acceptedBy(field, resolver.visibility);
    for (const [index, text] of typed.entries()) {
      const resolved = await resolveUser(text, resolver, accepts, index);
      const parts = resolved.kind === 'value' ? [] : await resolveParts(text);
      if (resolved.kind !== 'value' && parts.length === 0) return resolved;
      for (const user of resolved.kind === 'value' ? [resolved.value] : parts) users.set(user.user_id, user);
    }
    return valueOf([...users.values()]);

    /** The users of “Rosa und Ravi”; none where one of them is not understood, or nothing parts them. */
    async function resolveParts(text: string): Promise<User[]> {
      const names = splitPeopleAtAnd(text);
      const found: User[] = [];
      for (const [index, name] of names.length < 2 || names.length > partsAtMost ? [] : names.entries()) {
        const resolved = await resolveUser(name, resolver, accepts, index);
        if (resolved.kind !== 'value') return [];
        found.push(resolved.value);
      }
      return found;
    }
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

/** Who has to do something in a campaign that the person sees, those first who need it most. */
async function peopleToAsk(options: NarrowOptions): Promise<User[]> {
  const names = await options.directory.users.namesAtHand();
  const { rows } = matrixOf(await visibleRunning(options), options.now());
  return rows
    .filter(({ cells }) => cells.some((cell) => cell && needsSomething(cell)))
    .flatMap(({ userId }) => names.byId(userId) ?? [])
    .filter(options.visibility.userByName);
}

/** Any number of people of the workspace, who are users of the account too. */
export interface PeopleField extends FieldBase {
  kind: 'people';
}

export const peopleKind: FieldKind<PeopleField, Assignee[]> = {
  followsFromPlace: false,
  canName: canChooseUsers,
  split: (typed) => assigneesKind.split(typed, asAssignees),
  resolve: (typed, _field, resolver) => assigneesKind.resolve(typed, asAssignees, resolver),
  identify: assigneesKind.identify,
  describe: (people) => assigneesKind.describe(people, asAssignees),
  targets: assigneesKind.targets,
  refetch: assigneesKind.refetch,
  // The platform has a picker of its own.
  narrow: async () => [],
};

const asAssignees = { kind: 'assignees', label: '' } as const;
