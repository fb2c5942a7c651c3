import type { Case } from '../case.ts';
import { answer } from '../expectation.ts';
import { group } from '../resources.ts';

/** Specification, section 4.4. */
export const groupCases: Case[] = [
  {
    operation: 'Get all groups',
    title: 'returns all groups in the order of creation',
    given: () => ({}),
    expected: ({ groupId }) =>
      answer(
        ['Kitchen', 'Warehouse', 'Front desk', 'Night shift'].map((name) =>
          group({ group_id: groupId(name), group_name: name }),
        ),
      ),
  },
];
