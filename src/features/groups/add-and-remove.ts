import { markedName, namedUser, publicName } from '../../directory/names.ts';
import { named, namedList, say } from '../../domain/said.ts';
import type { Group, User } from '../../quiz-api/records.ts';
import { joins, leaves, memberRows, planMembers, type MemberChange } from '../batches/operations/plan-many.ts';
import { changeEach, changesAtMost } from '../../operations/change-each.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { UsersField } from '../../operations/fields/people.ts';
import type { GroupField } from '../../operations/fields/things.ts';
import { runStep, unchanged, type Step, type DoneResult } from '../../operations/page.ts';
import { defineOpposites, type Operation } from '../../operations/operation.ts';
import { groupsWithout, isIn } from '../../directory/quiz-groups.ts';

interface Membership {
  user: User[];
  group: Group;
}

const addButton = { label: 'Add people…', in: ['list', 'page'], position: 2, opens: 'form' } as const;

export const [addToGroup, removeFromGroup] = defineOpposites<{ user: UsersField; group: GroupField }>((isMember) => {
  const isSo = (user: User, group: Group) => isIn(user, [group]) === isMember;
  const groupsOf = (user: User, group: Group, has: boolean) => [...groupsWithout(user, group), ...(has ? [group] : [])];
  const noChange = ({ user: users, group }: Membership) =>
    isMember
      ? say`${namesOf(users)} ${users.length === 1 ? 'was' : 'were'} in the group ${named(group.group_name)} already. Nothing changed.`
      : say`${namesOf(users)} ${users.length === 1 ? 'wasn’t' : 'weren’t'} in the group ${named(group.group_name)}. Nothing changed.`;
  return {
    name: isMember ? 'add-to-group' : 'remove-from-group',
    command: isMember ? '/quiz-group add <user> to <group>' : '/quiz-group remove <user> from <group>',
    ...(!isMember && { synonyms: ['delete', 'take'] }),
    summary: isMember ? 'Add users to a group, separated by commas' : 'Remove users from a group, separated by commas',
    title: isMember ? say`Add to a group` : say`Remove from a group`,
    ...(isMember && { isCommon: true, buttons: { group: [addButton] } }),
    access: 'write',
    right: 'manage_groups',
    submit: isMember ? 'Add users' : 'Remove users',
    fields: { user: { kind: 'users', label: 'Users', byName: true }, group: { kind: 'group', label: 'Group' } },
    action: ({ user: users, group }) =>
      isMember
        ? say`add ${namesOf(users)} to the group ${named(group.group_name)}`
        : say`remove ${namesOf(users)} from the group ${named(group.group_name)}`,
    effect: () =>
      isMember
        ? say`They would have every quiz that is assigned to the group.`
        : say`They would lose the quizzes that they have only through the group.`,
    noChange,
    isDone: ({ user: users, group }) => users.every((user) => isSo(user, group)),
    done: ({ user: users, group }) =>
      changed({ user: users.map((user) => ({ ...user, groups: groupsOf(user, group, !isMember) })), group }, isMember),
    plan: (context, input) =>
      input.user.length > changesAtMost ? planMembers(context, input, memberChange(isMember)) : undefined,
    rows: async (_, input) => memberRows(input, memberChange(isMember)),
    async run(context, input) {
      const { api, call, directory } = context;
      const { user: users, group } = await withUsersNow(context, input, (user) => isSo(user, input.group));
      const { succeeded, problems, note } = await changeEach(
        users.filter((user) => !isSo(user, group)),
        {
          couldNot: (user) =>
            isMember
              ? say`Couldn’t add ${namedUser(user, publicName)}`
              : say`Couldn’t remove ${namedUser(user, publicName)}`,
          findChanged: async (unclear) => whoIsIn(context, group, unclear, isMember),
          isStopping: context.isStopping,
          isOneOfMany: context.isOneOfMany,
          async change({ user_id: userId }) {
            const { assignGroup, unassignGroup } = api.users;
            await (isMember ? assignGroup : unassignGroup)(userId, group.group_id, call);
            directory.users.edit(userId, (known) => ({ ...known, groups: groupsOf(known, group, isMember) }));
          },
        },
      );
      if (succeeded.length === 0) return unchanged(noChange(input));
      const result = changed({ user: users, group }, isMember, succeeded);
      return { ...result, message: result.message + note, problems };
    },
  };
});

/** @param input as it was before */
function changed(
  { user: users, group }: Membership,
  isMember: boolean,
  moved = users.filter((user) => isIn(user, [group]) !== isMember),
): DoneResult {
  const rest = users.filter((user) => isIn(user, [group]) === isMember);
  const [names, of, isOne] = [namesOf(rest), named(group.group_name), rest.length === 1];
  const said = isMember
    ? say`Added ${namesOf(moved)} to the group ${of}.`
    : say`Removed ${namesOf(moved)} from the group ${of}.`;
  const left = isMember
    ? say`${names} ${isOne ? 'was' : 'were'} in it already.`
    : say`${names} ${isOne ? 'wasn’t' : 'weren’t'} in it.`;
  return {
    kind: 'done',
    message: rest.length === 0 ? said : `${said} ${left}`,
    problems: [],
    next: [undoStep(isMember ? removeFromGroup : addToGroup, moved, group)],
  };
}

/** The users who are in the group by what the service says now, or who are not. */
async function whoIsIn(
  { api, directory, call }: OperationContext,
  group: Group,
  users: readonly User[],
  isMember: boolean,
): Promise<Set<User>> {
  const [first, ...others] = users;
  if (others.length > 0) await directory.users.refresh(call);
  else if (first) await directory.users.read(first.user_id, () => api.users.get(first.user_id, call));
  const now = await directory.users.names(call);
  return new Set(users.filter((user) => isIn(now.byId(user.user_id) ?? user, [group]) === isMember));
}

function memberChange(isAdded: boolean): MemberChange {
  const [joining, leaving] = [joins(addToGroup), leaves(removeFromGroup)];
  const [change, undo] = isAdded ? [joining, leaving] : [leaving, joining];
  return { change, undo, isAdded };
}

function undoStep(operation: Operation, users: readonly User[], { group_id }: Group): Step {
  return runStep(say`Undo`, operation, { user: users.map(({ user_id }) => user_id), group: [group_id] });
}

function namesOf(users: readonly User[]): string {
  return namedList(users.map(markedName));
}

/** The users as the service has them, where some would be left out because nothing seems to change for them. */
async function withUsersNow(
  { directory, call }: OperationContext,
  { user: users, group }: Membership,
  seemsDone: (user: User) => boolean,
): Promise<Membership> {
  if (!users.some(seemsDone)) return { user: users, group };
  await directory.users.fresh(call);
  const now = await directory.users.names(call);
  return { user: users.map((user) => now.byId(user.user_id) ?? user), group };
}
