import { named } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import type { Fields } from '../../../operations/fields/fields.ts';

/** Until when, and why, somebody is excused. */
export const excuseFields = {
  until: {
    kind: 'text',
    label: 'Until',
    hint: 'For example 1 feb: from then on they’re asked again. Leave empty for good',
    maxLength: 60,
    isTime: true,
    clause: { words: ['until', 'till'], example: '1 feb' },
    optional: true,
  },
  because: {
    kind: 'text',
    label: 'Reason',
    hint: 'The report and the list of members show it',
    maxLength: 500,
    clause: { words: ['because', 'reason', 'reason:'], example: 'on leave', isRest: true },
  },
} as const satisfies Fields;

/** What an excuse would do, in the conditional. @param until as typed; undefined: for good */
export function effectOfExcuse(until: string | undefined): string {
  return until === undefined
    ? say`They would get no more reminders, and count as excused.`
    : say`They would get no reminders until ${named(until)}, and count as excused until then.`;
}
