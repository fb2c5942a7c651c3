import { assigneesKind, type Assignee } from './assignees.ts';
import type { FieldBase, FieldKind } from './field-kind.ts';
import { canChooseUsers } from './user.ts';

/** Any number of people of the workspace, who are users of the account too. */
export interface PeopleField extends FieldBase {
  kind: 'people';
}

export const peopleKind: FieldKind<PeopleField, Assignee[], 'membersOf'> = {
  uses: ['membersOf'],
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
