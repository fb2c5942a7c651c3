import * as z from 'zod';
import type { CallOptions, Transport } from './transport.ts';
import { id, text } from './fields.ts';
import { listOf } from './list-answer.ts';

/** Section 2.5 of the specification. */
export const groupSchema = z.compile(z.object({ group_id: id, group_name: text }));
export type Group = z.output<typeof groupSchema>;

export type Groups = ReturnType<typeof createGroups>;

/** The calls of section 4.4. */
export function createGroups(transport: Transport) {
  return {
    /** All groups of the account. */
    async list(options?: CallOptions): Promise<Group[]> {
      return transport.call({ operation: 'groups.list', method: 'GET', path: '/v1/groups', read: listOf(groupSchema) }, options);
    },
  };
}
