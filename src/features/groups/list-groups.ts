import { defineOperation } from '../../operations/operation.ts';

export const listGroups = defineOperation({
  name: 'list-groups',
  command: '/quiz-group list [filter]',
  synonyms: ['ls', 'groups'],
  summary: 'List all groups, or search by name',
  isCommon: true,
  access: 'read',
  right: 'manage_groups',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'Part of a name', maxLength: 250, optional: true } },
  async run({ directory, visibility, call }, { filter = '' }) {
    await directory.groups.fresh(call);
    const names = await directory.groups.names(call);
    return { kind: 'groups', filter, groups: names.search(filter, { limit: Infinity, accepts: visibility.group }) };
  },
});
