import { asSaid, say, plainSentence } from '../../../domain/said.ts';
import {
  nameOfRow,
  type BatchProgress,
  type BatchRow,
  type ChangeRow,
  type RowOutcome,
} from '../../../domain/batch.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { outgoingTable } from '../../../operations/table-file.ts';
import type { BatchService } from '../../../operations/services/features.ts';
import type { FileTable } from '../../../operations/services/files.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { importResult, rowResult, outcomeWords } from '../../imports/user-rows.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { made, unchanged, type DoneResult, type OperationResult } from '../../../operations/page.ts';
import { inverseOf, judgedPlan, previewOf, shownPlan } from '../../../operations/define-plan.ts';
import { goneMessage } from '../../../operations/fields/kept.ts';
import { suspendUser } from '../../users/state.ts';
import { batchWords } from './batch-words.ts';
import { changesSince, privilegedRows } from './review-rows.ts';

const fields = { batch: { kind: 'batch', label: 'Change' } } as const;

/** An operation on a change that is not over yet. */
function controlling({
  action,
  effect,
  done,
  event,
  ...its
}: Pick<Operation<typeof fields>, 'name' | 'command' | 'summary' | 'submit' | 'review' | 'rules'> & {
  action: (change: string) => string;
  effect: string;
  done: (change: string) => string;
  event: (context: OperationContext) => Parameters<BatchService['put']>[1];
}): Operation {
  const message = (batch: BatchProgress): DoneResult => made(done(batch.batch.action));
  return defineOperation({
    ...its,
    access: 'write',
    right: 'staff',
    isTyped: false,
    fields,
    action: ({ batch: { batch } }) => action(batch.action),
    effect: () => effect,
    done: ({ batch }) => message(batch),
    async run(context, { batch: progress }) {
      const { id, state, action: change } = progress.batch;
      if (state === 'finished' || state === 'cancelled') return unchanged(batchWords.over(change));
      await context.batches.put(id, event(context));
      return message(progress);
    },
  });
}

export const pauseBatch = controlling({
  name: 'pause-batch',
  command: '/quiz-admin pause <batch>',
  summary: 'Pause many changes that run in the background',
  submit: 'Pause',
  action: (change) => say`pause the change to ${change}`,
  effect: say`It would make no more changes until someone resumes it.`,
  done: (change) => say`Paused the change to ${change}.`,
  event: ({ actor }) => ({ kind: 'pause', by: actor.personId }),
});

export const resumeBatch = controlling({
  name: 'resume-batch',
  command: '/quiz-admin resume <batch>',
  summary: 'Resume many changes that are paused or stopped',
  rules: [
    { name: 'resuming many changes whose approval has expired', when: ({ batch }) => batch.needsNewApproval === true },
  ],
  submit: 'Resume',
  action: (change) => say`resume the change to ${change}`,
  effect: say`The bot would make the changes that are left.`,
  done: (change) => say`Resumed the change to ${change}.`,
  async review(context, { batch: { batch } }) {
    const { rows = [], outcomes: known = [] } = (await context.batches.result(batch.id)) ?? {};
    const left = rows.filter((_, at) => known[at]?.kind === 'waiting' || known[at]?.kind === 'trying');
    return { privileged: privilegedRows({ rows: left }), changes: await changesSince({ rows: left }, context) };
  },
  event: ({ actor, approval, now }) => ({
    kind: 'resume',
    by: actor.personId,
    at: now(),
    approval,
  }),
});

export const cancelBatch = controlling({
  name: 'cancel-batch',
  command: '/quiz-admin cancel <batch>',
  summary: 'Cancel many changes; what is done stays done',
  submit: 'Cancel the rest',
  action: (change) => say`cancel the change to ${change}`,
  effect: say`The bot would never make the changes that are left.`,
  done: (change) => say`Cancelled the change to ${change}. What is done stays done.`,
  event: ({ actor, now }) => ({ kind: 'cancel', by: actor.personId, at: now() }),
});

export const batchResult = defineOperation({
  name: 'batch-result',
  command: '/quiz-admin result <batch>',
  summary: 'Get what became of each of many changes as an Excel file',
  title: say`Result`,
  access: 'read',
  right: 'staff',
  submit: 'Get result',
  isTyped: false,
  fields,
  async run(context, { batch: { batch } }) {
    const result = await context.batches.result(batch.id);
    if (result === undefined || result.rows.length === 0) throw new InvalidInputError('batch', batchWords.noResult);
    const isForeign = batch.ownerId !== context.actor.personId;
    if (result.source && isForeign && !context.rights.has('manage_users'))
      throw new InvalidInputError('batch', batchWords.resultHasAddresses);
    await context.sendFile({
      name: say`Result`,
      comment: say`The result of: ${plainSentence(batch.action)}`,
      content: outgoingTable(
        context,
        result.source
          ? importResult(
              result.source,
              result.rows.map((row, index) => rowResult(row, result.outcomes[index] ?? { kind: 'waiting' })),
            )
          : resultTable(result.rows, result.outcomes),
      ),
    });
    return made(batchWords.resultSent);
  },
});

export const undoBatch = defineOperation({
  name: 'undo-batch',
  command: '/quiz-admin undo <batch>',
  summary: 'Undo many changes; shows what would happen first',
  access: 'read',
  right: 'staff',
  submit: 'Undo',
  isTyped: false,
  fields,
  async run(context, { batch }) {
    return undoPlan(context, batch);
  },
});

async function undoPlan(context: OperationContext, { batch }: BatchProgress): Promise<OperationResult> {
  const { batches, directory, call } = context;
  const result = await batches.result(batch.id);
  const rows = (result?.rows ?? [])
    .flatMap((row, index) => (result?.outcomes[index]?.kind === 'done' ? (inverseOf(row) ?? []) : []))
    .toReversed();
  if (rows.length === 0) throw new InvalidInputError('batch', batchWords.nothingToUndo);
  const users = await directory.users.names(call);
  const isOfStaff = ({ userId = '' }: ChangeRow) => (users.byId(userId)?.user_type ?? 'respondent') !== 'respondent';
  const plan = await judgedPlan(context, {
    operation: 'undo-batch',
    ...batchWords.undo(batch.action),
    rows,
    privileged: rows.filter(isOfStaff).map(nameOfRow),
    // As for suspending a group.
    needsApproval: rows.some(({ changes }) => changes.some(({ operation }) => operation === suspendUser.name)),
  });
  return previewOf(context, plan, undefined);
}

/** What became of each row. */
export function resultTable(rows: readonly BatchRow[], rowOutcomes: readonly RowOutcome[]): FileTable {
  const titles = [say`Name`, say`Outcome`, say`Error`];
  return {
    columns: titles.map((title) => ({ title, kind: 'text' })),
    parts: [
      rows.map((row, index) => {
        const { kind, error = '' } = rowOutcomes[index] ?? { kind: 'waiting' as const };
        return [row.name, outcomeWords[kind], asSaid(error)];
      }),
    ],
  };
}

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
  async run(context, { plan }) {
    if (plan.personId !== context.actor.personId) throw new InvalidInputError('plan', goneMessage);
    return shownPlan(context, plan);
  },
});
