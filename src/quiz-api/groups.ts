import * as z from 'zod';
import { id, text } from './fields.ts';
import type { ReadList } from './read-list.ts';
import type { CallOptions } from './transport.ts';

/** Section 2.5 of the specification. */
export const groupSchema = z.compile(z.object({ group_id: id, group_name: text }));
export type Group = z.output<typeof groupSchema>;

export type Groups = ReturnType<typeof createGroups>;

/** The calls of section 4.4. */
export function createGroups({ readList }: { readList: ReadList }) {
  return {
    /**
     * All groups of the account.
     *
     * @param known returns the group that the caller has already, if it is equal
     */
    async list(options?: CallOptions, known: (group: Group) => Group | undefined = () => undefined): Promise<Group[]> {
      const keep = (group: Group) => known(group) ?? group;
      return readList(
        { operation: 'groups.list', path: '/v1/groups', list: 'groups', schema: groupSchema, keep },
        options,
      );
    },
  };
}
