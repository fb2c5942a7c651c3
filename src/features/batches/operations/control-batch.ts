import { asSaid, say } from '../../../domain/said.ts';
import {
  nameOfRow,
  type BatchProgress,
  type BatchRow,
  type ChangeRow,
  type RowOutcome,
} from '../../../domain/batch.ts';
import { plainSentence } from '../../../domain/sentence.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { outgoingTable } from '../../../operations/table-file.ts';
import type { FileTable } from '../../../operations/services/files.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { importResult, rowResult } from '../../imports/result-file.ts';
import { defineOperation } from '../../../operations/operation.ts';
import type { DoneResult, OperationResult } from '../../../operations/operation-result.ts';
import { inverseOf, judgedPlan } from '../../../operations/planned-rows.ts';
import { previewOf } from '../../../operations/plans/preview.ts';
import { suspendUser } from '../../users/suspend-and-reinstate.ts';
import { batchWords } from './batch-words.ts';
import { changesSince, privilegedRows } from './review-rows.ts';

const fields = { batch: { kind: 'batch', label: 'Change' } } as const;

interface Chosen {
  batch: BatchProgress;
}

export const pauseBatch = defineOperation({
  name: 'pause-batch',
  command: '/quiz-admin pause <batch>',
  summary: 'Pause many changes that run in the background',
  access: 'write',
  right: 'staff',
  submit: 'Pause',
  isTyped: false,
  uses: ['batches'],
  fields,
  action: ({ batch: { batch } }) => say`pause the change to ${batch.action}`,
  effect: () => say`It would make no more changes until someone resumes it.`,
  done: paused,
  async run({ batches, actor }, input) {
    const { batch } = input.batch;
    if (isOver(batch)) return { kind: 'done', message: batchWords.over(batch.action), isNoChange: true };
    await batches.put(batch.id, { kind: 'pause', by: actor.personId });
    return paused(input);
  },
});

function paused({ batch: { batch } }: Chosen): DoneResult {
  return { kind: 'done', message: say`Paused the change to ${batch.action}.` };
}

export const resumeBatch = defineOperation({
  name: 'resume-batch',
  command: '/quiz-admin resume <batch>',
  summary: 'Resume many changes that are paused or stopped',
  access: 'write',
  right: 'staff',
  submit: 'Resume',
  isTyped: false,
  uses: ['batches', 'rowsNow'],
  fields,
  action: ({ batch: { batch } }) => say`resume the change to ${batch.action}`,
  effect: () => say`The bot would make the changes that are left.`,
  done: resumed,
  async review(context, { batch: { batch } }) {
    const { rows = [], outcomes: known = [] } = (await context.batches.result(batch.id)) ?? {};
    const left = rows.filter((_, at) => known[at]?.kind === 'waiting' || known[at]?.kind === 'trying');
    return { privileged: privilegedRows({ rows: left }), changes: await changesSince({ rows: left }, context) };
  },
  async run({ batches, actor, approval, now }, input) {
    const { batch } = input.batch;
    if (isOver(batch)) return { kind: 'done', message: batchWords.over(batch.action), isNoChange: true };
    await batches.put(batch.id, { kind: 'resume', by: actor.personId, at: now(), ...(approval && { approval }) });
    return resumed(input);
  },
});

function resumed({ batch: { batch } }: Chosen): DoneResult {
  return { kind: 'done', message: say`Resumed the change to ${batch.action}.` };
}

export const cancelBatch = defineOperation({
  name: 'cancel-batch',
  command: '/quiz-admin cancel <batch>',
  summary: 'Cancel many changes; what is done stays done',
  access: 'write',
  right: 'staff',
  submit: 'Cancel the rest',
  isTyped: false,
  uses: ['batches'],
  fields,
  action: ({ batch: { batch } }) => say`cancel the change to ${batch.action}`,
  effect: () => say`The bot would never make the changes that are left.`,
  done: cancelled,
  async run({ batches, actor, now }, input) {
    const { batch } = input.batch;
    if (isOver(batch)) return { kind: 'done', message: batchWords.over(batch.action), isNoChange: true };
    await batches.put(batch.id, { kind: 'cancel', by: actor.personId, at: now() });
    return cancelled(input);
  },
});

function cancelled({ batch: { batch } }: Chosen): DoneResult {
  return { kind: 'done', message: say`Cancelled the change to ${batch.action}. What is done stays done.` };
}

export const batchResult = defineOperation({
  name: 'batch-result',
  command: '/quiz-admin result <batch>',
  summary: 'Get what became of each of many changes as an Excel file',
  title: say`Result`,
  access: 'read',
  right: 'staff',
  submit: 'Get result',
  isTyped: false,
  uses: ['batches', 'sendFile'],
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
    return { kind: 'done', message: batchWords.resultSent };
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
  uses: ['batches', 'judge', 'plans'],
  fields,
  async run(context, { batch }) {
    return undoPlan(context, batch);
  },
});

async function undoPlan(
  context: OperationContext<'batches' | 'judge' | 'plans'>,
  { batch }: BatchProgress,
): Promise<OperationResult> {
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
    action: batchWords.undo(batch.action),
    rows,
    privileged: rows.filter(isOfStaff).map(nameOfRow),
    // As for suspending a group.
    needsApproval: rows.some(({ changes }) => changes.some(({ operation }) => operation === suspendUser.name)),
  });
  return previewOf(context, plan, undefined);
}

function isOver({ state }: BatchProgress['batch']): boolean {
  return state === 'finished' || state === 'cancelled';
}

const outcomeWords: Readonly<Record<RowOutcome['kind'], string>> = {
  waiting: say`not begun`,
  trying: say`not confirmed`,
  done: say`done`,
  same: say`unchanged`,
  failed: say`failed`,
  skipped: say`left out`,
};

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
