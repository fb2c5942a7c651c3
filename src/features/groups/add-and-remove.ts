import { markedName, namedUser, publicName } from '../../directory/names.ts';
import { named, namedList } from '../../domain/sentence.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import { joins, leaves, memberRows, planMembers, type MemberChange } from '../batches/operations/plan-members.ts';
import { changeEach, changesAtMost } from '../../operations/change-each.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { UsersField } from '../../operations/fields/users.ts';
import { runStep } from '../../operations/next-step.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import type { Step } from '../../operations/page.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import { groupsWithout, isIn } from '../users/belonging.ts';
import { say, amount } from '../../domain/said.ts';

interface Membership {
  user: User[];
  group: Group;
}

const membershipFields = {
  user: { kind: 'users', label: 'Users', byName: true },
  group: { kind: 'group', label: 'Group' },
} as const satisfies { user: UsersField; group: object };

export const addToGroup = defineOperation({
  name: 'add-to-group',
  command: '/quiz-group add <user> to <group>',
  summary: 'Add users to a group, separated by commas',
  title: say`Add to a group`,
  isCommon: true,
  buttons: {
    group: [
      {
        label: 'Add people…',
        in: ['list', 'page'],
        position: 2,
        opens: 'form',
        input: ({ group_id }) => ({ group: [group_id] }),
      },
    ],
  },
  access: 'write',
  right: 'manage_groups',
  submit: 'Add users',
  fields: membershipFields,
  action: ({ user: users, group }) => say`add ${namesOf(users)} to the group ${named(group.group_name)}`,
  effect: () => say`They would have every quiz that is assigned to the group.`,
  isDone: ({ user: users, group }) => users.every((user) => isIn(user, [group])),
  done: (input) =>
    added({ ...input, user: input.user.map((user) => ({ ...user, groups: groupsWithout(user, input.group) })) }),
  noChange: wasIn,
  alreadySo: (count) => say`${amount(count)} ${count === 1 ? 'is' : 'are'} in the group already`,
  plan: (context, input) => planMany(context, input, true),
  rows: async (_, input) => memberRows(input, memberChange(true)),
  async run(context, input) {
    const { user: users, group } = await withUsersNow(context, input, (user) => isIn(user, [input.group]));
    const { succeeded, problems, note } = await changeEach(
      users.filter((user) => !isIn(user, [group])),
      {
        couldNot: (user) => say`Couldn’t add ${namedUser(user, publicName)}`,
        findChanged: async (unclear) => whoIsIn(context, group, unclear, true),
        isStopping: context.isStopping,
        isOneOfMany: context.isOneOfMany,
        async change(user) {
          await context.api.users.assignGroup(user.user_id, group.group_id, context.call);
          context.directory.users.edit(user.user_id, (known) => ({
            ...known,
            groups: [...groupsWithout(known, group), group],
          }));
        },
      },
    );
    return succeeded.length > 0
      ? withNote(added({ user: users, group }, problems, succeeded), note)
      : { kind: 'done', message: wasIn(input), isNoChange: true };
  },
});

/** @param input as it was before */
function added(
  { user: users, group }: Membership,
  problems: readonly string[] = [],
  changed = users.filter((user) => !isIn(user, [group])),
): DoneResult {
  const already = users.filter((user) => isIn(user, [group]));
  const rest =
    already.length === 0 ? '' : ` ${say`${namesOf(already)} ${already.length === 1 ? 'was' : 'were'} in it already.`}`;
  return {
    kind: 'done',
    message: say`Added ${namesOf(changed)} to the group ${named(group.group_name)}.` + rest,
    problems,
    next: [undoStep(removeFromGroup, changed, group)],
  };
}

function wasIn({ user: users, group }: Membership): string {
  return say`${namesOf(users)} ${users.length === 1 ? 'was' : 'were'} in the group ${named(group.group_name)} already. Nothing changed.`;
}

export const removeFromGroup = defineOperation({
  name: 'remove-from-group',
  command: '/quiz-group remove <user> from <group>',
  synonyms: ['delete', 'take'],
  summary: 'Remove users from a group, separated by commas',
  title: say`Remove from a group`,
  access: 'write',
  right: 'manage_groups',
  submit: 'Remove users',
  fields: membershipFields,
  action: ({ user: users, group }) => say`remove ${namesOf(users)} from the group ${named(group.group_name)}`,
  effect: () => say`They would lose the quizzes that they have only through the group.`,
  isDone: ({ user: users, group }) => users.every((user) => !isIn(user, [group])),
  done: (input) =>
    removed({
      ...input,
      user: input.user.map((user) => ({ ...user, groups: [...groupsWithout(user, input.group), input.group] })),
    }),
  noChange: wasNotIn,
  alreadySo: (count) => say`${amount(count)} ${count === 1 ? 'isn’t' : 'aren’t'} in the group`,
  plan: (context, input) => planMany(context, input, false),
  rows: async (_, input) => memberRows(input, memberChange(false)),
  async run(context, input) {
    const { user: users, group } = await withUsersNow(context, input, (user) => !isIn(user, [input.group]));
    const { succeeded, problems, note } = await changeEach(
      users.filter((user) => isIn(user, [group])),
      {
        couldNot: (user) => say`Couldn’t remove ${namedUser(user, publicName)}`,
        findChanged: async (unclear) => whoIsIn(context, group, unclear, false),
        isStopping: context.isStopping,
        isOneOfMany: context.isOneOfMany,
        async change(user) {
          await context.api.users.unassignGroup(user.user_id, group.group_id, context.call);
          context.directory.users.edit(user.user_id, (known) => ({ ...known, groups: groupsWithout(known, group) }));
        },
      },
    );
    return succeeded.length > 0
      ? withNote(removed({ user: users, group }, problems, succeeded), note)
      : { kind: 'done', message: wasNotIn(input), isNoChange: true };
  },
});

/** @param input as it was before */
function removed(
  { user: users, group }: Membership,
  problems: readonly string[] = [],
  changed = users.filter((user) => isIn(user, [group])),
): DoneResult {
  const already = users.filter((user) => !isIn(user, [group]));
  const rest =
    already.length === 0 ? '' : ` ${say`${namesOf(already)} ${already.length === 1 ? 'wasn’t' : 'weren’t'} in it.`}`;
  return {
    kind: 'done',
    message: say`Removed ${namesOf(changed)} from the group ${named(group.group_name)}.` + rest,
    problems,
    next: [undoStep(addToGroup, changed, group)],
  };
}

function wasNotIn({ user: users, group }: Membership): string {
  return say`${namesOf(users)} ${users.length === 1 ? 'wasn’t' : 'weren’t'} in the group ${named(group.group_name)}. Nothing changed.`;
}

function withNote(result: DoneResult, note: string): DoneResult {
  return { ...result, message: result.message + note };
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

function planMany(
  context: OperationContext,
  input: Membership,
  isAdded: boolean,
): ReturnType<typeof planMembers> | undefined {
  if (input.user.length <= changesAtMost) return undefined;
  return planMembers(context, input, memberChange(isAdded));
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
