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
    /** All groups of the account. */
    async list(options?: CallOptions): Promise<Group[]> {
      return readList({ operation: 'groups.list', path: '/v1/groups', list: 'groups', schema: groupSchema }, options);
    },
  };
}
