import type { BatchRow } from '../domain/batch.ts';
import { named } from '../domain/sentence.ts';
import type { Directory } from '../directory/directory.ts';
import type { Actor, Identity } from '../directory/identity.ts';
import { denialMessage, rightsOf } from '../governance/rights.ts';
import type { UserProtection } from '../governance/user-protection.ts';
import { ownLoss } from '../governance/user-protection.ts';
import { visibilityOf } from '../governance/visibility.ts';
import { rightsFor } from '../operations/batches/row-rights.ts';
import type { PlatformWords, Right } from '../operations/context.ts';
import { updateUser } from '../operations/update-user.ts';
import { suspendUser } from '../operations/users.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { User } from '../quiz-api/users.ts';
import type { StoredBatch } from './stored-batch.ts';

/** Decides, right before each row, whether the owner of a batch may still have it carried out. */
export interface OwnerCheck {
  /** The rights that the rows need, as far as the owner has them at the start. Another person may have approved the rest. */
  needs(rows: readonly BatchRow[], actor: Actor): readonly Right[];
  /** Why the whole batch must stop, as a sentence; undefined where it may go on. */
  refusal(state: StoredBatch, actor: Actor): string | undefined;
  /** Why this row must not be carried out, as a sentence. */
  rowRefusal(row: BatchRow, state: StoredBatch, actor: Actor, call: CallOptions): Promise<string | undefined>;
  /** The owner, from the lists at hand. */
  actorOf(personId: string, call: CallOptions): Promise<Actor>;
  /** Runs the change of a row while nobody else takes rights from administrators. */
  inTurn<Value>(
    row: BatchRow,
    options: { teamId: string; call: CallOptions },
    work: () => Promise<Value>,
  ): Promise<Value>;
}

export function createOwnerCheck(deps: {
  identity: Identity;
  directory: Directory;
  userProtection: UserProtection;
  platform: PlatformWords;
}): OwnerCheck {
  const { identity, directory, userProtection } = deps;

  async function userOf(row: BatchRow, call: CallOptions): Promise<User | undefined> {
    return 'userId' in row ? (await directory.users.names(call)).byId(row.userId) : undefined;
  }

  return {
    actorOf: (personId, call) => identity.actorOf(personId, { fresh: false, isListed: true, call }),
    needs(rows, actor) {
      const rights = rightsOf(actor);
      return [...new Set<Right>(['staff', ...rows.flatMap(rightsFor)])].filter((right) => rights.has(right));
    },
    refusal({ needs }, actor) {
      const rights = rightsOf(actor);
      const lost = rights.has('staff') ? needs.find((right) => !rights.has(right)) : 'staff';
      return lost && denialMessage(actor, lost, deps.platform);
    },
    async rowRefusal(row, { needs }, actor, call) {
      const visibility = visibilityOf(actor, directory.quizGroups);
      const user = await userOf(row, call);
      if (
        user &&
        needs.includes('manage_users') &&
        (row.kind === 'suspend' || row.kind === 'reinstate' || row.kind === 'update') &&
        !visibility.user(user)
      )
        return `You don’t manage ${named(row.name)} any more.`;
      if (
        (row.kind === 'leave-group' || row.kind === 'join-group') &&
        needs.includes('manage_groups') &&
        !visibility.group({ group_id: row.groupId, group_name: '' })
      )
        return 'You don’t manage this group any more.';
      if (row.kind !== 'suspend' && row.kind !== 'update') return undefined;
      if (user === undefined || user.user_type === 'respondent') return undefined;
      if (row.kind === 'suspend' && user.user_id === actor.user?.user_id) return ownLoss;
      // As the service has them now: the last administrator must not be suspended.
      const fresh = await identity.actorOf(actor.personId, { fresh: true, call });
      return row.kind === 'suspend'
        ? userProtection.refusal(suspendUser, { user }, fresh, call)
        : userProtection.refusal(updateUser, updateInput(row, user), fresh, call);
    },
    async inTurn(row, { teamId, call }, work) {
      if (row.kind === 'create' || row.kind === 'update') return userProtection.inTurn(updateUser, teamId, work);
      const isOfStaff = row.kind === 'suspend' && (await userOf(row, call))?.user_type !== 'respondent';
      return isOfStaff ? userProtection.inTurn(suspendUser, teamId, work) : work();
    },
  };
}

function updateInput(
  { user: { userType, flags }, changes }: Extract<BatchRow, { kind: 'update' }>,
  user: User,
): Parameters<UserProtection['refusal']>[1] {
  const flagInput = (flag: (typeof flags)[number]) => (flags.includes(flag) ? 'true' : 'false');
  return {
    user,
    ...(changes.includes('userType') && { user_type: userType }),
    ...(changes.includes('flags') && {
      edit_quizzes: flagInput('edit_quizzes'),
      manage_users: flagInput('manage_users'),
      manage_groups: flagInput('manage_groups'),
    }),
  };
}
