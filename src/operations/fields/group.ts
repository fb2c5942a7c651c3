import type { Target } from '../../domain/approval-request.ts';
import type { Group } from '../../quiz-api/users.ts';
import type { OperationContext, Visibility } from '../context.ts';
import { unquote } from '../typed-text.ts';
import { fromMatch, type FieldBase, type FieldKind, type ResolvedValue } from './field-kind.ts';

/** A group that the person manages. */
export interface GroupField extends FieldBase {
  kind: 'group';
  /** Any group the person may choose by name: the operation shows no members and changes none. */
  byName?: true;
}

export const groupKind: FieldKind<GroupField, Group> = {
  followsFromPlace: false,
  canName: (rights, { byName }) => rights.has('manage_groups') || (byName === true && rights.has('edit_quizzes')),
  split: (typed) => [unquote(typed)],
  resolve: ([text = ''], field, resolver) => findGroup(text, resolver, field),
  identify: ({ group_id }) => [group_id],
  describe: ({ group_name }) => group_name,
  targets: (group) => [groupTarget(group)],
  // The service has no call for a single group.
  refetch: async (group) => group,
  async narrow(text, field, { directory, visibility, limit }) {
    return (await directory.groups.namesAtHand()).search(text, { limit, accepts: acceptedBy(field, visibility) });
  },
};

/** The group with this id or name, as far as the person may choose it. */
async function findGroup(
  typed: string,
  { directory, visibility, call }: Pick<OperationContext, 'directory' | 'visibility' | 'call'>,
  field: Pick<GroupField, 'byName'>,
): Promise<ResolvedValue<Group>> {
  const match = (await directory.groups.names(call)).match(typed, { accepts: acceptedBy(field, visibility) });
  return fromMatch(typed, 'group', match, {
    candidate: ({ group_id, group_name }) => ({ value: group_id, label: group_name }),
  });
}

function acceptedBy({ byName }: Pick<GroupField, 'byName'>, visibility: Visibility): Visibility['group'] {
  return byName ? visibility.groupByName : visibility.group;
}

export function groupTarget({ group_id, group_name }: Group): Target {
  return { kind: 'group', id: group_id, name: group_name, facts: { Name: group_name } };
}
