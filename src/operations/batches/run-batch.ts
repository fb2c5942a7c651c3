import type { BatchPlan } from '../../domain/batch.ts';
import type { Plan } from '../../domain/plan.ts';
import { InvalidInputError } from '../errors.ts';
import { refuseOld } from '../fields/plan.ts';
import { defineOperation } from '../operation.ts';
import { actions } from '../wording/actions.ts';
import { batchWords } from '../wording/batches.ts';
import { outcomes } from '../wording/outcomes.ts';
import { proposals } from '../wording/proposals.ts';
import { changesSince, privilegedRows } from './review-rows.ts';
import { rightsFor } from './row-rights.ts';

export const runBatch = defineOperation({
  name: 'run-batch',
  command: '/quiz-admin run <plan>',
  summary: 'Start many changes as their preview shows them',
  access: 'write',
  right: 'staff',
  submit: 'Start',
  isTyped: false,
  makesNew: true,
  fields: { plan: { kind: 'plan', of: 'batch', label: 'Change' } },
  action: actions['run-batch'],
  effect: (_, input) => proposals['run-batch'](input),
  plan: (context, { plan }) => refuseOld(plan, context.now()),
  async review(context, { plan }) {
    const content = batchIn(plan);
    return { privileged: privilegedRows(content), changes: await changesSince(content, context) };
  },
  async warn(context, { plan }) {
    const changes = await changesSince(batchIn(plan), context);
    return changes.length === 0 ? undefined : batchWords.changedSince(changes);
  },
  async run({ plans, batches, rights }, { plan }) {
    const content = batchIn(plan);
    // After an approval, these are the reviewer’s rights.
    if (!content.rows.flatMap(rightsFor).every((right) => rights.has(right)))
      throw new InvalidInputError('plan', batchWords.noRights);
    if (!(await plans.take(plan.id))) throw new InvalidInputError('plan', batchWords.startedBefore);
    await batches.start(content, plan.personId);
    return { kind: 'done', message: outcomes['run-batch']({ plan }), isStarted: true };
  },
});

function batchIn({ content }: Plan): BatchPlan {
  if (content.kind !== 'batch') throw new InvalidInputError('plan', batchWords.otherPlan);
  return content;
}
