import { amount, asSaid, countOf, named, plainSentence, say } from '../../../domain/said.ts';
import {
  nameOfRow,
  type BatchPlan,
  type BatchProgress,
  type BatchRow,
  type ChangeRow,
  type RowOutcome,
} from '../../../domain/batch.ts';
import { hasAddress } from '../../../directory/identity.ts';
import type { User } from '../../../quiz-api/records.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { aType } from '../../../operations/wording/words.ts';
import { outgoingTable } from '../../../operations/table-file.ts';
import type { BatchService, RowNow } from '../../../operations/services/features.ts';
import type { FileTable } from '../../../operations/services/files.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { importResult, rowResult, outcomeWords } from '../../imports/user-rows.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { made, unchanged, type DoneResult, type OperationResult } from '../../../operations/page.ts';
import { inverseOf, judgedPlan, previewOf, shownPlan } from '../../../operations/define-plan.ts';
import { goneMessage } from '../../../operations/fields/kept.ts';
import { suspendUser } from '../../users/state.ts';
import { batchWords } from './batch-words.ts';

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

/** A request stores these lines; everything else is behind “View all”. */
const linesAtMost = 60;

/** The rows for which a plan needs approval, a sentence each, without addresses. */
export function privilegedRows({ rows, privileged = [] }: Pick<BatchPlan, 'rows' | 'privileged'>): string[] {
  const ofStaff = new Set(privileged);
  return shortened(
    rows.flatMap((row) => (isPrivileged(row, ofStaff) ? [`${named(nameOfRow(row))}: ${row.words}`] : [])),
  );
}

/** The rows with those first for which the plan needs approval. */
export function privilegedFirst({ rows, privileged = [] }: BatchPlan): readonly BatchRow[] {
  const ofStaff = new Set(privileged);
  const rank = (row: BatchRow) => (isPrivileged(row, ofStaff) ? 0 : row.kind === 'none' ? 2 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

function isPrivileged(row: BatchRow, ofStaff: ReadonlySet<string>): row is ChangeRow {
  return row.kind === 'change' && (row.needsApproval === true || ofStaff.has(nameOfRow(row)));
}

/**
 * What has changed in the quiz account since the plan was made, as far as it changes what the rows do; a sentence each.
 * Reads the lists of the account, however many rows there are.
 */
export async function changesSince(
  plan: Pick<BatchPlan, 'rows' | 'things'>,
  context: OperationContext,
): Promise<string[]> {
  const changed = plan.rows.filter((row) => row.kind === 'change');
  if (changed.length === 0) return [];
  const now = await context.rowsNow(changed);
  const users = await context.directory.users.names(context.call);
  const ofUsers = changed.flatMap((row, at) => changeOf(row, now[at]!, (address) => users.named(address)) ?? []);
  return shortened([...(await lostThings(plan, context)), ...ofUsers]);
}

/** As many sentences as are shown, and how many more there are. */
export function shortened(lines: readonly string[]): string[] {
  const left = lines.length - linesAtMost;
  return [...lines.slice(0, linesAtMost), ...(left > 0 ? [say`…and ${amount(left)} more.`] : [])];
}

/** Quizzes and groups of the rows that are gone, or have another name now. */
async function lostThings(
  { things = [], rows }: Pick<BatchPlan, 'rows' | 'things'>,
  { directory, call }: Pick<OperationContext, 'directory' | 'call'>,
): Promise<string[]> {
  for (const kind of new Set(things.map((thing) => thing.kind))) await listOf(kind).fresh(call);
  const lines = await Promise.all(
    things.map(async ({ kind, id, name }) => {
      const now = await nameOf(kind, id);
      if (now === name) return [];
      if (now !== undefined)
        return [
          kind === 'quiz'
            ? say`The quiz ${named(name)} is called ${named(now)} now.`
            : say`The group ${named(name)} is called ${named(now)} now.`,
        ];
      const count = rows.filter((row) => names(row, id)).length;
      const changes = countOf(count, 'change', 'changes');
      return [
        kind === 'quiz'
          ? say`The quiz ${named(name)} isn’t in the quiz account any more: ${changes} would fail.`
          : say`The group ${named(name)} isn’t in the quiz account any more: ${changes} would fail.`,
      ];
    }),
  );
  return lines.flat();

  function listOf(kind: 'quiz' | 'group') {
    return kind === 'quiz' ? directory.quizzes : directory.groups;
  }

  async function nameOf(kind: 'quiz' | 'group', id: string): Promise<string | undefined> {
    if (kind === 'quiz') return (await directory.quizzes.names(call)).byId(id)?.name;
    return (await directory.groups.names(call)).byId(id)?.group_name;
  }
}

/** Whether an input of the row has this ID, on its own or as that of an assignee. */
function names(row: BatchRow, id: string): boolean {
  if (row.kind === 'none') return false;
  return row.changes.some(({ input }) =>
    Object.values(input).some((texts) => texts.includes(id) || texts.includes(`group:${id}`)),
  );
}

function changeOf(row: ChangeRow, now: RowNow, holdersOf: (address: string) => readonly User[]): string | undefined {
  const name = named(nameOfRow(row));
  switch (now.kind) {
    case 'gone':
      return say`${name} isn’t in the quiz account any more.`;
    case 'done':
      return say`Nothing would change for ${name} any more.`;
    case 'changed': {
      if (now.user.user_type === 'respondent')
        return row.needsApproval ? say`${name} has changed, and would be left out.` : say`${name} has changed.`;
      const type = aType(now.user.user_type);
      return row.needsApproval ? say`${name} is ${type} now, and would be left out.` : say`${name} is ${type} now.`;
    }
    case 'refused':
      return say`${name} would be left out: ${now.message}`;
    case 'as shown':
      return isTaken(row, holdersOf) ? say`${name} wouldn’t be created: another user has the address now.` : undefined;
  }
}

/** Whether the row would create a user with an address that another user has. */
function isTaken(
  { userId, changes: [{ input }] }: ChangeRow,
  holdersOf: (address: string) => readonly User[],
): boolean {
  if (userId !== undefined) return false;
  const addresses = [...(input['user_name'] ?? []), ...(input['email_address'] ?? [])];
  return addresses.some((address) => holdersOf(address).some((user) => hasAddress(user, address)));
}
