import { say } from '../../../domain/said.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { goneMessage } from '../../../operations/plans/plan-kind.ts';
import { shownAgain } from '../../../operations/plans/preview.ts';

/** Shows the preview of an import once more, for the person who made it. */
export const reopenPreview = defineOperation({
  name: 'reopen-preview',
  command: '/quiz-admin reopen <plan>',
  summary: 'Show a preview again that you closed',
  title: say`Preview`,
  access: 'read',
  right: 'staff',
  submit: 'Open preview',
  isTyped: false,
  fields: { plan: { kind: 'plan', of: 'batch', label: 'Preview' } },
  async run({ actor }, { plan }) {
    const { id, content, entered, personId } = plan;
    if (personId !== actor.personId || content.kind !== 'batch') throw new InvalidInputError('plan', goneMessage);
    return { ...shownAgain(id, content, entered), imported: content.imported };
  },
});
