import { hasAddress } from '../../directory/identity.ts';
import type { BatchPlan, BatchRow } from '../../domain/batch.ts';
import { named } from '../../domain/sentence.ts';
import type { User } from '../../quiz-api/users.ts';
import type { OperationContext } from '../context.ts';
import { needsApproval } from '../import/needs-approval.ts';
import { rowChange } from '../wording/batches.ts';
import { aType } from '../wording/words.ts';

/** A request stores these lines; everything else is behind “View all”. */
const linesAtMost = 60;

/** The rows for which a plan needs approval, a sentence each, without addresses. */
export function privilegedRows({ rows, privileged = [] }: Pick<BatchPlan, 'rows' | 'privileged'>): string[] {
  const ofStaff = new Set(privileged);
  const lines = rows.filter((row) => isPrivileged(row, ofStaff)).map((row) => `${named(row.name)}: ${rowChange(row)}`);
  return shortened(lines);
}

/** The rows with those first for which the plan needs approval. */
export function privilegedFirst({ rows, privileged = [] }: BatchPlan): readonly BatchRow[] {
  const ofStaff = new Set(privileged);
  const rank = (row: BatchRow) => (isPrivileged(row, ofStaff) ? 0 : row.kind === 'none' ? 2 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

function isPrivileged(row: BatchRow, ofStaff: ReadonlySet<string>): boolean {
  return needsApproval(row) || ((row.kind === 'suspend' || row.kind === 'reinstate') && ofStaff.has(row.name));
}

/**
 * What has changed in the quiz account since the plan was made, as far as it changes what the rows do; a sentence each.
 * Reads the lists of the account, however many rows there are.
 */
export async function changesSince(
  plan: BatchPlan,
  context: Pick<OperationContext, 'directory' | 'call'>,
): Promise<string[]> {
  return shortened([...(await lostThings(plan.rows, context)), ...(await changedUsers(plan, context))]);
}

function shortened(lines: readonly string[]): string[] {
  const left = lines.length - linesAtMost;
  return [...lines.slice(0, linesAtMost), ...(left > 0 ? [`…and ${left.toLocaleString('en')} more.`] : [])];
}

/** Quizzes and groups of the rows that are gone, or have another name now. */
async function lostThings(
  rows: readonly BatchRow[],
  { directory, call }: Pick<OperationContext, 'directory' | 'call'>,
): Promise<string[]> {
  const things = new Map<string, { list: 'quizzes' | 'groups'; id: string; name: string; rows: number }>();
  for (const row of rows) {
    for (const thing of thingsOf(row)) {
      const known = things.get(`${thing.list} ${thing.id}`);
      things.set(`${thing.list} ${thing.id}`, {
        ...thing,
        name: known?.name || thing.name,
        rows: (known?.rows ?? 0) + 1,
      });
    }
  }
  const lists = new Set([...things.values()].map(({ list }) => list));
  for (const list of lists) await directory[list].fresh(call);
  const lines: string[] = [];
  for (const { list, id, name, rows: count } of things.values()) {
    const now =
      list === 'quizzes'
        ? (await directory.quizzes.names(call)).byId(id)?.name
        : (await directory.groups.names(call)).byId(id)?.group_name;
    const noun = list === 'quizzes' ? 'The quiz' : 'The group';
    const known = name === '' ? noun : `${noun} ${named(name)}`;
    if (now === undefined)
      lines.push(
        `${known} isn’t in the quiz account any more: ${count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`} would fail.`,
      );
    else if (name !== '' && now !== name) lines.push(`${known} is called ${named(now)} now.`);
  }
  return lines;
}

type Thing = { list: 'quizzes' | 'groups'; id: string; name: string };

function thingsOf(row: BatchRow): Thing[] {
  switch (row.kind) {
    case 'assign':
      return [
        { list: 'quizzes', id: row.quizId, name: row.quizName ?? '' },
        ...(row.to === 'group' ? [{ list: 'groups' as const, id: row.id, name: row.name }] : []),
      ];
    case 'unassign':
      return [
        { list: 'quizzes', id: row.quizId, name: '' },
        ...(row.from === 'group' ? [{ list: 'groups' as const, id: row.id, name: row.name }] : []),
      ];
    case 'join-group':
    case 'leave-group':
      return [{ list: 'groups', id: row.groupId, name: '' }];
    case 'create':
    case 'update':
      return [
        ...row.user.groups.map((group) => ({ list: 'groups' as const, ...group })),
        ...row.user.quizzes.map((quiz) => ({ list: 'quizzes' as const, ...quiz })),
      ];
    default:
      return [];
  }
}

async function changedUsers(
  { rows, privileged = [] }: BatchPlan,
  { directory, call }: Pick<OperationContext, 'directory' | 'call'>,
): Promise<string[]> {
  if (rows.every((row) => row.kind === 'none')) return [];
  await directory.users.fresh(call);
  const users = await directory.users.names(call);
  const ofStaff = new Set(privileged);
  return rows.flatMap((row) => {
    const change =
      row.kind === 'create'
        ? takenSince(row, (address) => users.named(address))
        : changeOf(row, users.byId(userIdOf(row) ?? ''), ofStaff);
    return change === undefined ? [] : [`${named(row.name)} ${change}`];
  });
}

function takenSince(
  { user: { userName, emailAddress } }: Extract<BatchRow, { kind: 'create' }>,
  holdersOf: (address: string) => readonly User[],
): string | undefined {
  const isTaken = [userName, emailAddress].some(
    (address) => address !== '' && holdersOf(address).some((user) => hasAddress(user, address)),
  );
  return isTaken ? 'wouldn’t be created: another user has the address now.' : undefined;
}

function changeOf(row: BatchRow, user: User | undefined, ofStaff: ReadonlySet<string>): string | undefined {
  if (userIdOf(row) === undefined) return undefined;
  if (user === undefined) return 'isn’t in the quiz account any more.';
  if (row.kind === 'suspend' && user.suspended) return 'is suspended already.';
  if (row.kind === 'reinstate' && !user.suspended) return 'isn’t suspended any more.';
  if ((row.kind === 'suspend' || row.kind === 'reinstate') && user.user_type !== 'respondent' && !ofStaff.has(row.name))
    return `is ${aType(user.user_type)} now.`;
  if (row.kind === 'update' && !row.changes.includes('userType') && user.user_type !== row.user.userType)
    return `is ${aType(user.user_type)} now.`;
  return undefined;
}

function userIdOf(row: BatchRow): string | undefined {
  if (row.kind === 'assign') return row.to === 'user' ? row.id : undefined;
  if (row.kind === 'unassign') return row.from === 'user' ? row.id : undefined;
  return 'userId' in row ? row.userId : undefined;
}
