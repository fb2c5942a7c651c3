import { amount, countOf, say, named } from '../../../domain/said.ts';
import { hasAddress } from '../../../directory/identity.ts';
import { nameOfRow, type BatchPlan, type BatchRow, type ChangeRow } from '../../../domain/batch.ts';
import type { User } from '../../../quiz-api/records.ts';
import type { OperationContext } from '../../../operations/context.ts';
import type { RowNow } from '../../../operations/services/features.ts';
import { aType } from '../../../operations/wording/words.ts';

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
