import type { BatchProgress, BatchRow, RowOutcome } from '../../domain/batch.ts';
import { plainSentence } from '../../domain/sentence.ts';
import type { OperationContext } from '../context.ts';
import { formatCsv } from '../csv.ts';
import { InvalidInputError } from '../errors.ts';
import { resultFile as importResultFile, rowResult } from '../import/result-file.ts';
import { defineOperation } from '../operation.ts';
import type { OperationResult } from '../operation-result.ts';
import { actions } from '../wording/actions.ts';
import { batchWords } from '../wording/batches.ts';
import { outcomes } from '../wording/outcomes.ts';
import { proposals } from '../wording/proposals.ts';
import { batchPreview } from './batch-preview.ts';
import { rightsFor } from './row-rights.ts';

const fields = { batch: { kind: 'batch', label: 'Change' } } as const;

export const pauseBatch = defineOperation({
  name: 'pause-batch',
  command: '/quiz-admin pause <batch>',
  summary: 'Pause many changes that run in the background',
  access: 'write',
  right: 'staff',
  submit: 'Pause',
  isTyped: false,
  fields,
  action: actions['pause-batch'],
  effect: () => proposals['pause-batch'](),
  async run({ batches, actor }, { batch: { batch } }) {
    if (isOver(batch)) return { kind: 'done', message: batchWords.over(batch.action), isNoChange: true };
    await batches.put(batch.id, { kind: 'pause', by: actor.personId });
    return { kind: 'done', message: outcomes['pause-batch']({ batch: { batch } }) };
  },
});

export const resumeBatch = defineOperation({
  name: 'resume-batch',
  command: '/quiz-admin resume <batch>',
  summary: 'Resume many changes that are paused or stopped',
  access: 'write',
  right: 'staff',
  submit: 'Resume',
  isTyped: false,
  fields,
  action: actions['resume-batch'],
  effect: () => proposals['resume-batch'](),
  async run({ batches, actor }, { batch: { batch } }) {
    if (isOver(batch)) return { kind: 'done', message: batchWords.over(batch.action), isNoChange: true };
    await batches.put(batch.id, { kind: 'resume', by: actor.personId });
    return { kind: 'done', message: outcomes['resume-batch']({ batch: { batch } }) };
  },
});

export const cancelBatch = defineOperation({
  name: 'cancel-batch',
  command: '/quiz-admin cancel <batch>',
  summary: 'Cancel many changes; what is done stays done',
  access: 'write',
  right: 'staff',
  submit: 'Cancel the rest',
  isTyped: false,
  fields,
  action: actions['cancel-batch'],
  effect: () => proposals['cancel-batch'](),
  async run({ batches, actor, now }, { batch: { batch } }) {
    if (isOver(batch)) return { kind: 'done', message: batchWords.over(batch.action), isNoChange: true };
    await batches.put(batch.id, { kind: 'cancel', by: actor.personId, at: now() });
    return { kind: 'done', message: outcomes['cancel-batch']({ batch: { batch } }) };
  },
});

export const batchResult = defineOperation({
  name: 'batch-result',
  command: '/quiz-admin result <batch>',
  summary: 'Get what became of each of many changes as a CSV file',
  access: 'read',
  right: 'staff',
  submit: 'Get result',
  isTyped: false,
  fields,
  async run(context, { batch: { batch } }) {
    const result = await context.batches.result(batch.id);
    if (result === undefined || result.rows.length === 0) throw new InvalidInputError('batch', batchWords.noResult);
    await context.sendFile({
      name: 'result.csv',
      comment: `The result of: ${plainSentence(batch.action)}`,
      content: result.source
        ? importResultFile(
            result.source,
            result.rows.map((row, index) => rowResult(row, result.outcomes[index] ?? { kind: 'waiting' })),
          )
        : resultFile(result.rows, result.outcomes),
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
  const privileged = rows.flatMap((row) =>
    'userId' in row && row.userId && (users.byId(row.userId)?.user_type ?? 'respondent') !== 'respondent'
      ? [row.name]
      : [],
  );
  const lacksRight = rows.flatMap(rightsFor).some((right) => !context.rights.has(right));
  const needsApproval =
    lacksRight ||
    rows.some(({ kind }) => kind === 'suspend') ||
    (privileged.length > 0 && rows.some(({ kind }) => kind === 'reinstate'));
  const plan = {
    kind: 'batch',
    operation: 'undo-batch',
    action: batchWords.undo(batch.action),
    rows,
    approval: needsApproval ? 'privileged' : null,
    privileged,
  } as const;
  return batchPreview(context, plan);
}

/** The row that takes a change back; undefined where nothing does. */
export function inverseOf(row: BatchRow): BatchRow | undefined {
  switch (row.kind) {
    case 'assign':
      return { kind: 'unassign', quizId: row.quizId, from: row.to, id: row.id, name: row.name };
    case 'unassign':
      return { kind: 'assign', quizId: row.quizId, to: row.from, id: row.id, name: row.name };
    case 'suspend':
      return { ...row, kind: 'reinstate' };
    case 'reinstate':
      return { ...row, kind: 'suspend' };
    case 'leave-group':
      return { ...row, kind: 'join-group' };
    case 'join-group':
      return { ...row, kind: 'leave-group' };
    default:
      return undefined;
  }
}

function isOver({ state }: BatchProgress['batch']): boolean {
  return state === 'finished' || state === 'cancelled';
}

const outcomeWords: Readonly<Record<RowOutcome['kind'], string>> = {
  waiting: 'not begun',
  trying: 'not confirmed',
  done: 'done',
  same: 'unchanged',
  failed: 'failed',
  skipped: 'left out',
};

/** What became of each row, as a CSV file. */
export function resultFile(rows: readonly BatchRow[], rowOutcomes: readonly RowOutcome[]): Buffer {
  const lines = rows.map((row, index) => {
    const { kind, error = '' } = rowOutcomes[index] ?? { kind: 'waiting' as const };
    return [row.name, outcomeWords[kind], plainSentence(error)];
  });
  return Buffer.from(formatCsv([['name', 'outcome', 'error'], ...lines]));
}
