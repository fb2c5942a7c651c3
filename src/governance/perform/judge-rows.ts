import { setImmediate as pause } from 'node:timers/promises';
import { newUser, type BatchRow, type Change, type ChangeRow } from '../../domain/batch.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { JudgedRows, RowNow } from '../../operations/services/batches.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import type { User } from '../../quiz-api/users.ts';
import {
  targetsOf,
  type OperationInput,
  digestOfUsers,
  resolveStored,
  whyNotFound,
  resolveInput,
  withoutSuggestions,
} from './meaning.ts';
import { decide, ownAuthority, mayDecide } from '../rights/admit.ts';
import { concernsRights } from '../rights/user-protection.ts';
import { everything } from '../rights/visibility.ts';
import { say } from '../../domain/said.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';

/** Other work has its turn after so many rows. */
const rowsInSlice = 200;

/** Whether a change is of a user who does not exist before an earlier change of its row. */
function isOfNewUser({ input }: Change): boolean {
  return Object.values(input).some((texts) => texts.some((text) => text.endsWith(newUser)));
}

/** Judges planned rows as the kernel will judge them when they are made, by how things are now. */
export async function judgeRows(rows: readonly BatchRow[], person: OperationContext): Promise<JudgedRows> {
  const things = new Map<string, JudgedRows['things'][number]>();
  const judged: BatchRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % rowsInSlice === rowsInSlice - 1) await pause();
    judged.push(row.kind === 'none' ? row : await judgeRow(row));
  }
  return { rows: judged, things: [...things.values()] };

  async function judgeRow(planned: ChangeRow): Promise<BatchRow> {
    const { needsApproval: _, shown: __, reads: ___, ...row } = planned;
    let asks = false;
    let reads = 0;
    let shown: string | undefined;
    for (const change of row.changes) {
      const operation = operationNamed(change.operation);
      if (operation === undefined) return leftOut(row, say`This version of the bot can’t do this any more.`);
      const isOfNew = isOfNewUser(change);
      const found = await resolveStored(operation, isOfNew ? withoutNewUser(change) : change.input, person);
      // What is left of the input of a new user lacks the user, so only what it names besides is known.
      if (found.kind !== 'read' && !isOfNew) return leftOut(row, whyNotFound(found, operation, row.name, person));
      const input = found.kind === 'read' ? found.input : {};
      for (const { kind, id, name } of targetsOf(operation, input))
        if (kind === 'quiz' || kind === 'group') things.set(`${kind} ${id}`, { kind, id, name });
      const admission = decide({ operation, input, person: person.actor, authority: ownAuthority }, person.platform);
      if ('message' in admission) return leftOut(row, admission.message);
      asks ||= admission.kind === 'ask';
      shown ??= digestOfUsers(operation, input);
      if (concernsRights(operation, input) && row.userId !== undefined) reads += 1;
    }
    return {
      ...row,
      ...(asks && { needsApproval: true }),
      ...(shown !== undefined && { shown }),
      ...(reads > 0 && { reads }),
    };
  }
}

function leftOut({ name, userId }: Pick<ChangeRow, 'name' | 'userId'>, error: string): BatchRow {
  return { kind: 'none', outcome: { kind: 'skipped', error, ...(userId !== undefined && { userId }) }, name };
}

function withoutNewUser({ input }: Change): Change['input'] {
  return Object.fromEntries(Object.entries(input).filter(([, texts]) => !texts.some((text) => text.endsWith(newUser))));
}

/** How things are now for rows that were shown before, whoever asks: with the users of the list, which is read. */
export async function rowsNow(rows: readonly ChangeRow[], context: OperationContext): Promise<RowNow[]> {
  const { directory, call } = context;
  if (rows.some(({ userId }) => userId !== undefined)) await directory.users.fresh(call);
  const users = await directory.users.names(call);
  const found: RowNow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % rowsInSlice === rowsInSlice - 1) await pause();
    found.push(await rowNow(row, users.byId(row.userId ?? ''), { ...context, visibility: everything }));
  }
  return found;
}

async function rowNow(
  { userId, shown, changes }: ChangeRow,
  user: User | undefined,
  everywhere: OperationContext,
): Promise<RowNow> {
  if (userId === undefined) return { kind: 'as shown' };
  if (user === undefined) return { kind: 'gone' };
  const inputs: [Operation, OperationInput][] = [];
  for (const change of changes) {
    const operation = operationNamed(change.operation);
    if (operation === undefined) continue;
    const stored = await resolveStored(operation, change.input, everywhere);
    if (stored.kind === 'read') inputs.push([operation, stored.input]);
  }
  const isDone =
    inputs.length > 0 && inputs.every(([operation, input]) => operation.isDone?.(input, everywhere.directory));
  if (isDone) return { kind: 'done' };
  const problem = inputs.map(problemIn).find((message) => message !== undefined);
  if (problem !== undefined) return { kind: 'refused', message: problem };
  const [first] = inputs;
  const isAsShown = first === undefined || shown === undefined || digestOfUsers(...first) === shown;
  return isAsShown ? { kind: 'as shown' } : { kind: 'changed', user };
}

/** Why the operation does not take the input as things are now; undefined where it does. */
function problemIn([operation, input]: [Operation, OperationInput]): string | undefined {
  try {
    operation.check?.(input);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidInputError) return error.message;
    throw error;
  }
}

/**
 * The requests that the person asked or may decide on, by the lists in the directory. The others are none of their business:
 * a request tells who is to be changed, and why.
 */
export async function requestsFor(
  requests: readonly ApprovalRequest[],
  context: OperationContext,
): Promise<ApprovalRequest[]> {
  const isTheirs = await Promise.all(requests.map(async (request) => isFor(request, context)));
  return requests.filter((_, index) => isTheirs[index]);
}

async function isFor(
  { operation: name, input, requesterId }: ApprovalRequest,
  context: OperationContext,
): Promise<boolean> {
  const operation = operationNamed(name);
  if (requesterId === context.actor.personId) return true;
  if (operation === undefined || !context.rights.has(operation.right)) return false;
  const directory = withoutSuggestions(context.directory);
  const resolved = await resolveInput(operation, input, { ...context, directory });
  // What is out of a trainer's sight looks like what is gone, or too new for the lists.
  return resolved.kind === 'read'
    ? mayDecide(operation, resolved.input, context.rights)
    : context.rights.has('administrator');
}
