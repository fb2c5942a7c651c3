import { setImmediate as pause } from 'node:timers/promises';
import { hasAddress, type Actor } from '../../directory/identity.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { newUser, type BatchRow, type Change, type ChangeRow } from '../../domain/batch.ts';
import { say } from '../../domain/said.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import type { Operation } from '../../operations/operation.ts';
import type { JudgedRows, RowNow } from '../../operations/services/features.ts';
import type { PlatformWords } from '../../operations/services/platform.ts';
import type { User } from '../../quiz-api/records.ts';
import {
  type GainedRights,
  concernsRights,
  losesAddress,
  userLosingRights,
  type UserProtection,
} from '../rights/user-protection.ts';
import { policyDecision, ruleOf } from '../rights/policy.ts';
import { denialMessage, type Rights, everything } from '../rights/rights.ts';
import {
  digestOfUsers,
  resolveInput,
  resolveStored,
  targetsOf,
  whyNotFound,
  withoutSuggestions,
  type OperationInput,
} from './meaning.ts';

/** Whether a change runs. Messages are sentences of `domain/said.ts`. */
export type Verdict =
  | { kind: 'run' }
  /** Another person has to approve it first. */
  | { kind: 'ask' }
  /** `approver`: the person may ask for it, and this approver may not decide on it. The others: the person can neither do it nor ask for it. */
  | { kind: 'refused'; why: 'rights' | 'own loss' | 'last administrator' | 'approver'; message: string };

/** As whom it is judged, as they are now. */
type Judging = Pick<OperationContext, 'actor' | 'rights'> & { platform: PlatformWords };

/**
 * Judges a change of what the input says now: for a command, a form, a button, an agent, a step of a workflow, the review of a
 * request, the run of an approved one, and each row of a batch. Nothing else asks the policy.
 *
 * @param approver by whose approval of exactly this input it runs; without one it needs the person’s own rights
 */
export function judge(person: Judging, operation: Operation, input: OperationInput, approver?: Judging): Verdict {
  const refused = (why: Extract<Verdict, { kind: 'refused' }>['why'], message: string): Verdict => ({
    kind: 'refused',
    why,
    message,
  });
  const { actor, rights, platform } = person;
  // First, so that an approver who may not decide learns nothing of the requester.
  if (approver && !mayDecide(operation, input, approver.rights))
    return refused('approver', denialMessage(approver.actor, 'administrator', platform));
  const decision = policyDecision(operation, input, rights);
  if (decision === 'refused') return refused('rights', denialMessage(actor, operation.right, platform, operation));
  if (isOwnLoss(operation, input, actor)) return refused('own loss', ownLoss);
  if (isLostToBot(operation, input, actor)) return refused('own loss', unrecognized(platform));
  if (approver === undefined) return { kind: decision === 'at once' ? 'run' : 'ask' };
  return isOwnLoss(operation, input, approver.actor) || isLostToBot(operation, input, approver.actor)
    ? refused('approver', approversLoss)
    : { kind: 'run' };
}

export type JudgeNow = ReturnType<typeof createJudgeNow>;

/**
 * Judges right before a run, when the account must also keep an administrator. Keeps through whom a user gains rights.
 *
 * An administrator alone makes another one at once: nobody is there who could decide.
 */
export function createJudgeNow({
  userProtection,
  gainedRights,
}: {
  userProtection: Pick<UserProtection, 'refusal' | 'isOtherAdministrator'>;
  gainedRights: Pick<GainedRights, 'note'>;
}) {
  return async (
    person: Judging & Pick<OperationContext, 'call'>,
    operation: Operation,
    input: OperationInput,
    { teamId, approver }: { teamId: string; approver?: Judging },
  ): Promise<Verdict> => {
    const { actor, rights, call } = person;
    /** Whether an administrator, who would ask for approval, is the only person who could give it. */
    const isAlone = async () =>
      ruleOf(operation, input) === 'making an administrator' &&
      !actor.limits?.has(operation.name) &&
      rights.has('administrator') &&
      rights.has(operation.right) &&
      !(await userProtection.isOtherAdministrator(actor, call));
    const verdict = judge(person, operation, input, approver);
    if (verdict.kind === 'refused' || (verdict.kind === 'ask' && !(await isAlone()))) return verdict;
    const message = await userProtection.refusal(operation, input, (approver ?? person).actor, call);
    if (message !== undefined) return { kind: 'refused', why: approver ? 'approver' : 'last administrator', message };
    await gainedRights.note(teamId, operation, input, actor);
    return { kind: 'run' };
  };
}

/**
 * Whether a person with these rights may decide on another person's request: administrators with the right, and people who could run it at once.
 *
 * @param input undefined where it cannot be read any more: only administrators decide then
 */
export function mayDecide(operation: Operation, input: OperationInput | undefined, rights: Rights): boolean {
  return (
    rights.has(operation.right) &&
    (rights.has('administrator') || (input !== undefined && policyDecision(operation, input, rights) === 'at once'))
  );
}

export const ownLoss = say`You can’t suspend or delete yourself, or remove your own rights. Another administrator of the quiz account can.`;
const approversLoss = say`This would suspend or delete you, take rights from you, or keep the bot from recognizing you. Another administrator of the quiz account has to decide.`;

const unrecognized = ({ name }: PlatformWords) =>
  say`The bot recognizes you by your ${name} e-mail address, so you can’t take it from your own user. Another administrator of the quiz account can.`;

/** Whether the bot would no longer recognize the person. A user of theirs is in the input as it is now. */
function isLostToBot(operation: Operation, input: OperationInput, { user, emailAddress }: Actor): boolean {
  const change = operation.onUser?.(input);
  const isOwn = user !== undefined && change?.user?.user_id === user.user_id;
  return isOwn && losesAddress(change, emailAddress);
}

/** Whether the operation takes rights, or the way in, from the person themselves. An owner may have an address and no user that the bot can tell. */
function isOwnLoss(operation: Operation, input: OperationInput, { user, emailAddress }: Actor): boolean {
  const target = userLosingRights(operation.onUser?.(input));
  if (target === undefined) return false;
  return user === undefined
    ? emailAddress !== undefined && hasAddress(target, emailAddress)
    : target.user_id === user.user_id;
}

/** Other work has its turn after so many rows. */
const rowsInSlice = 200;

/** The operation without the fields that name the user whom an earlier change of the row creates. */
function withoutNewUser(operation: Operation, { input }: Change): Operation {
  const fields = Object.entries(operation.fields).filter(([name]) => !input[name]?.some(isNewUser));
  return { ...operation, fields: Object.fromEntries(fields) };
}

const isNewUser = (text: string) => text.endsWith(newUser);

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
      const isOfNew = Object.values(change.input).flat().some(isNewUser);
      const found = await resolveStored(withoutNewUser(operation, change), change.input, person);
      // The user is created, whatever they cannot have.
      if (found.kind !== 'read' && !isOfNew) return leftOut(row, whyNotFound(found, operation, row.name));
      const input = found.kind === 'read' ? found.input : {};
      for (const { kind, id, name } of targetsOf(operation, input))
        if (kind === 'quiz' || kind === 'group') things.set(`${kind} ${id}`, { kind, id, name });
      const verdict = judge(person, operation, input);
      if (verdict.kind === 'refused') return leftOut(row, verdict.message);
      asks ||= verdict.kind === 'ask';
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
