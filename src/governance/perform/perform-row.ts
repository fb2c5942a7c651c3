import { newUser, type BatchApproval, type Change, type ChangeRow } from '../../domain/batch.ts';
import { InvigilatorError } from '../../domain/errors.ts';
import type { Actor } from '../../directory/identity.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import type { Operation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/page.ts';
import { batchWords } from '../../features/batches/operations/batch-words.ts';
import { unlessGone } from '../../quiz-api/errors.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import {
  digestOfUsers,
  meaningNow,
  resolveStored,
  whyNotFound,
  type OperationInput,
  type StoredInput,
} from './meaning.ts';
import type { JudgeNow } from './judge.ts';
import { createContext, type OperationContextDependencies } from './operation-context.ts';
import { canHave } from '../rights/policy.ts';
import { denialMessage } from '../rights/rights.ts';
import { resultOnRecord, type Meant, type Origin, type RecordOperation } from '../audit/record.ts';
import { lookUp, type CarryOut } from './carry-out.ts';
import { concernsRights, type UserProtection } from '../rights/user-protection.ts';
import { say } from '../../domain/said.ts';

/** The turn of one change of a batch. */
export interface RowTurn {
  teamId: string;
  batchId: string;
  /** The person by whose rights it is made. */
  ownerId: string;
  /** As in `Batch`. */
  approvedBy: string | undefined;
  approval: BatchApproval | undefined;
  /** When the batch was started or resumed, in milliseconds since the epoch: what was read before does not count. */
  since: number;
  row: ChangeRow;
  /** One of the row’s. */
  change: Change;
  /** The user whom an earlier change of the row created. */
  newUserId: string | undefined;
  call: CallOptions;
}

/** What came of it. Messages are sentences of `domain/said.ts`. */
export type Performed =
  | { kind: 'made'; result: DoneResult }
  /** `isOfOwner`: the owner may not run the operation at all any more. */
  | { kind: 'not made'; message: string; isOfOwner?: true; needsApproval?: true }
  /** It needs approval, and the one that it had has expired. */
  | { kind: 'expired' };

/** What is known of people counts for so long, except for changes of rights. Changes through the bot count at once. */
const knownForMs = 60_000;

export type PerformRow = ReturnType<typeof createPerformRow>;

/** Makes the changes of batches as the kernel makes every other change: who is it, may they now, what is meant, look, record. */
export function createPerformRow(
  deps: OperationContextDependencies & {
    judgeNow: JudgeNow;
    userProtection: Pick<UserProtection, 'inTurn'>;
    carryOut: CarryOut;
    record: RecordOperation;
  },
) {
  const { identity, now } = deps;
  // A row whose turn has come is made: its batch begins no other when the bot stops.
  const whileStopping = { ...deps, isStopping: undefined };
  /** When the platform and the service were asked about people, by their IDs: an answer can be late, and is from then. */
  const askedAt = new Map<string, number>();

  /** The person as they are now, as far as the bot knows. */
  async function personNow(personId: string, { since, call }: RowTurn, maxAgeMs: number): Promise<Actor> {
    const at = askedAt.get(personId) ?? -Infinity;
    if (at >= since && now() - at < maxAgeMs) return identity.actorOf(personId, { fresh: false, isListed: true, call });
    const asked = now();
    const actor = await identity.actorOf(personId, { fresh: true, call });
    askedAt.set(personId, asked);
    return actor;
  }

  /** The new user of a row may be chosen in its later changes by whoever had them created. */
  function contextOf(actor: Actor, { teamId, call, newUserId }: RowTurn, approval?: BatchApproval): OperationContext {
    const context = createContext(whileStopping, actor, { teamId, call, approval, isOneOfMany: true });
    if (newUserId === undefined) return context;
    const { visibility } = context;
    const userByName: typeof visibility.userByName = (user) =>
      user.user_id === newUserId || visibility.userByName(user);
    return { ...context, visibility: { ...visibility, userByName } };
  }

  /** @param onMeant called with what the change means, before it is made */
  async function make(
    turn: RowTurn,
    operation: Operation,
    onMeant: (input: OperationInput) => void,
  ): Promise<Performed> {
    const { row, teamId, ownerId, approval } = turn;
    const owner = await personNow(ownerId, turn, maxAgeOf(operation, turn));
    const context = contextOf(owner, turn);
    const isOwnersRight = context.rights.has(operation.right);
    if (!isOwnersRight && (approval === undefined || !canHave(operation, context.rights)))
      return {
        kind: 'not made',
        message: denialMessage(owner, operation.right, deps.platform, operation),
        isOfOwner: true,
      };
    const found = await resolveNow(operation, turn, context);
    if (found.kind !== 'read') return notMade(whyNotFound(found, operation, row.name));
    const { input } = found;
    onMeant(input);
    operation.check?.(input);

    const own = await deps.judgeNow(context, operation, input, { teamId });
    if (own.kind === 'refused') return notMade(own.message);
    if (own.kind === 'run') return { kind: 'made', result: await run(operation, input, context) };
    if (approval === undefined) return unapproved(batchWords.needsApproval);
    if (now() >= approval.expiresAt) return { kind: 'expired' };
    if (row.userId !== undefined && row.shown !== digestOfUsers(operation, input))
      return unapproved(batchWords.changedUser);
    const approver = contextOf(await personNow(approval.by, turn, maxAgeOf(operation, turn)), turn, approval);
    const approved = await deps.judgeNow(context, operation, input, { teamId, approver });
    if (approved.kind !== 'run') return unapproved(batchWords.approverLost);
    return { kind: 'made', result: await run(operation, input, approver) };
  }

  /** What the change means now. Users whose rights it concerns are read before, and the owner must still be able to choose them. */
  async function resolveNow(operation: Operation, turn: RowTurn, context: OperationContext): Promise<StoredInput> {
    const known = await resolveTurn(operation, turn, context);
    if (known.kind !== 'read' || !concernsRights(operation, known.input)) return known;
    return meaningNow(operation, known.input, context);
  }

  /** The input, also where it names what another instance has made: the lists of this one can be older than the batch. */
  async function resolveTurn(operation: Operation, turn: RowTurn, context: OperationContext): Promise<StoredInput> {
    const known = await resolveStored(operation, inputOf(turn), context);
    if (known.kind !== 'gone') return known;
    await readUnknown(turn, context);
    return resolveStored(operation, inputOf(turn), context);
  }

  async function readUnknown(
    { newUserId, row: { userId = newUserId }, since, call }: RowTurn,
    { api, directory: { users, quizzes, groups } }: OperationContext,
  ): Promise<void> {
    if (userId !== undefined && (await users.names(call)).byId(userId) === undefined)
      await users.read(userId, () => api.users.get(userId, call).catch(unlessGone));
    await Promise.all([quizzes, groups].map(async (list) => list.fresh(call, now() - since)));
  }

  async function run(operation: Operation, input: OperationInput, context: OperationContext) {
    const result = await deps.carryOut({ operation, context, input });
    if (result.kind !== 'done') throw new RowError(`${operation.name} gave a row ${result.kind}`);
    return result;
  }

  const originOf = ({ teamId, ownerId, approvedBy, batchId }: RowTurn): Origin => ({
    teamId,
    ...(approvedBy === undefined ? { by: ownerId } : { approvedBy }),
    through: 'batch',
    batch: batchId,
  });

  /** What the change means for the record, whoever may see it. */
  async function meantIn(turn: RowTurn): Promise<Meant> {
    const operation = operationIn(turn);
    const found = await resolveTurn(operation, turn, lookingContext(turn));
    return { operation, input: 'input' in found ? found.input : undefined };
  }

  /** To look, not to change: whoever asks, an input means the same. */
  function lookingContext(turn: RowTurn): OperationContext {
    const anybody = { personId: turn.ownerId, isOwner: true, user: undefined, nobody: undefined };
    return contextOf(anybody, turn);
  }

  return {
    /** @throws where the service does not answer, or refuses the change */
    async make(turn: RowTurn): Promise<Performed> {
      const operation = operationIn(turn);
      let input: OperationInput | undefined;
      const onMeant = (meant: OperationInput) => (input = meant);
      const performed = await deps.userProtection.inTurn(operation, turn.teamId, async (calls) =>
        make({ ...turn, call: { ...turn.call, ...calls } }, operation, onMeant),
      );
      const meant = { operation, input: input ?? (await meantIn(turn)).input };
      if (performed.kind === 'not made')
        await deps.record(originOf(turn), meant, { action: 'refused', message: performed.message });
      if (performed.kind === 'made')
        await deps.record(originOf(turn), meant, { action: 'done', ...resultOnRecord(performed.result) });
      return performed;
    },
    /** Whether a change whose answer was lost is made; undefined where it is not. Records it where it is. */
    async lookUp(turn: RowTurn): Promise<DoneResult | undefined> {
      const { operation, input } = await meantIn(turn);
      if (input === undefined) return undefined;
      const made = await lookUp({ operation, context: lookingContext(turn), input });
      if (made) await deps.record(originOf(turn), { operation, input }, { action: 'done', ...resultOnRecord(made) });
      return made;
    },
    /** Puts a failure of the change on the record. */
    async recordFailure(turn: RowTurn, message: string): Promise<void> {
      await deps.record(originOf(turn), await meantIn(turn), { action: 'failed', message });
    },
  };
}

function operationIn({ change }: RowTurn): Operation {
  const operation = operationNamed(change.operation);
  if (operation === undefined) throw new InvalidInputError('', say`This version of the bot can’t do this any more.`);
  return operation;
}

function inputOf({ change: { input }, newUserId = '' }: RowTurn): Change['input'] {
  return Object.fromEntries(
    Object.entries(input).map(([field, texts]) => [field, texts.map((text) => text.replace(newUser, newUserId))]),
  );
}

function maxAgeOf(operation: Operation, { change: { input } }: RowTurn): number {
  const userType = input['user_type']?.[0];
  const isRight = concernsRights(operation, { user_type: userType ?? '', flags: [...(input['flags'] ?? [])] });
  return isRight ? 0 : knownForMs;
}

function unapproved(message: string): Performed {
  return { kind: 'not made', message, needsApproval: true };
}

function notMade(message: string): Performed {
  return { kind: 'not made', message };
}

/** An operation that cannot be a row. */
class RowError extends InvigilatorError {
  readonly code = 'row';
}
