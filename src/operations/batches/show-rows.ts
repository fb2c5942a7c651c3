import type { Plan } from '../../domain/plan.ts';
import { readPage } from '../page-number.ts';
import { defineOperation } from '../operation.ts';
import { InvalidInputError } from '../errors.ts';
import { batchWords } from '../wording/batches.ts';
import { privilegedFirst } from './review-rows.ts';

/** Every row of a preview, for the person who made it and for administrators who decide on it. */
export const showRows = defineOperation({
  name: 'show-rows',
  command: '/quiz-admin preview <plan>',
  summary: 'Show every row in the preview of many changes',
  access: 'read',
  right: 'staff',
  submit: 'Show',
  isTyped: false,
  fields: {
    plan: { kind: 'plan', of: 'batch', label: 'Change' },
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  async run(_, { plan: { id, content }, page }: { plan: Plan; page: string | undefined }) {
    if (content.kind !== 'batch') throw new InvalidInputError('plan', batchWords.otherPlan);
    return { kind: 'planned-rows', id, action: content.action, rows: privilegedFirst(content), page: readPage(page) };
  },
});
