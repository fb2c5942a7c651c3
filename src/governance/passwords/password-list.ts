import { createUser } from '../../features/users/create-user.ts';
import { resetPassword } from '../../features/users/state.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { BatchResult } from '../../operations/services/features.ts';
import type { User } from '../../quiz-api/records.ts';
import { createContext, operationTimeoutMs, type OperationContextDependencies } from '../perform/operation-context.ts';
import type { Failure, RunOperation } from '../perform/carry-out.ts';
import { denialMessage } from '../rights/rights.ts';
import { keepsRights, ownTtlMs, type PasswordGrant, type ShownPassword } from './grants.ts';
import { say } from '../../domain/said.ts';

/** `left`: users who come after; `last`: the row of the last user here. `problem`: why there are not more of them. */
export type PasswordList =
  | { kind: 'list'; shown: readonly ShownUser[]; last: number; left: number; problem?: string }
  | { kind: 'printed' }
  | { kind: 'refused' | 'failed'; message: string };

/** `after`: the row of the user who was shown last; -1 for the first, or for the list that was shown. `isPrinted`: it is not needed again. */
interface WantedList {
  teamId: string;
  personId: string;
  batchId: string;
  after: number;
  isPrinted?: boolean | undefined;
}

type ShownUser = Omit<Extract<ShownPassword, { kind: 'shown' }>, 'kind'>;

/** Of a list. Each costs two requests, and the person waits for them. */
const listedAtMost = 15;
/** A list can be opened again for so long, unless its person has printed it. */
const seenAgainForMs = 3_600_000;

/** Sets a password where the person may see it. @throws the error of the service */
export type SetFor = (
  context: OperationContext,
  of: { teamId: string; userId: string },
  maySee: (user: User) => Promise<boolean>,
) => Promise<ShownPassword>;

/** Puts on the record that a password was shown, or why not. */
export type RecordShown = (
  shown: ShownPassword,
  target: User | undefined,
  origin: { teamId: string; by: string; correlationId: string },
) => Promise<void>;

/**
 * Sets fresh passwords for some of the users whom an import of the person created and no message reached, for the person to print.
 * In memory alone, it keeps what it has shown: opened again, a list sets nothing and puts nothing on the record. Never rejects.
 */
export function createShowList(
  deps: OperationContextDependencies & { runOperation: RunOperation; newCorrelationId: () => string },
  { setFor, recordShown }: { setFor: SetFor; recordShown: RecordShown },
): (wanted: WantedList) => Promise<PasswordList> {
  /** By batch, whose person alone gets here. */
  const lists = new Map<string, { users: readonly ShownUser[]; last: number; until: number }>();

  return async ({ teamId, personId, batchId, after, isPrinted = false }) => {
    for (const [each, { until }] of lists) if (until <= deps.now()) lists.delete(each);
    const key = `${teamId}:${batchId}`;
    const correlationId = deps.newCorrelationId();
    const shown: ShownUser[] = [];
    const ran = await deps.runOperation<PasswordList>(resetPassword, correlationId, async () => {
      const { batches } = deps.ofWorkspace(teamId);
      const result = await batches.result(batchId);
      const { startedAt = 0 } = (await batches.progress(batchId))?.batch ?? {};
      if (result?.ownerId !== personId) return { kind: 'refused', message: notYourImport };
      if (deps.now() - startedAt > ownTtlMs) return { kind: 'refused', message: tooLate };
      const kept = lists.get(key);
      if (isPrinted) {
        lists.delete(key);
        return { kind: 'printed' };
      }
      const from = after === -1 ? (kept?.last ?? -1) : after;
      const waiting = withoutPassword(result).filter(({ row }) => row > from);
      const call = { deadline: deps.now() + operationTimeoutMs };
      const actor = await deps.identity.actorOf(personId, { fresh: true, call });
      const context = createContext(deps, actor, { teamId, call });
      if (!context.rights.has(createUser.right))
        return { kind: 'refused', message: denialMessage(actor, createUser.right, deps.platform) };
      if (after === -1 && kept) return { kind: 'list', shown: kept.users, last: kept.last, left: waiting.length };
      if (waiting.length === 0 && result.outcomes.some(({ isPasswordShown }) => isPasswordShown))
        return { kind: 'refused', message: shownBefore };
      let last = after;
      let problem: string | undefined;
      for (const { row, userId, granted } of waiting.slice(0, listedAtMost)) {
        let target: User | undefined;
        const one = await deps.runOperation<ShownPassword>(resetPassword, correlationId, () =>
          setFor(context, { teamId, userId }, async (user) => {
            target = user;
            return keepsRights(user, granted);
          }),
        );
        const came = asShown(one, notShown);
        await recordShown(came, target, { teamId, by: personId, correlationId });
        if (came.kind === 'shown') {
          const { kind: _, ...user } = came;
          shown.push(user);
          await batches.put(batchId, { kind: 'password shown', row });
        } else problem = came.message;
        // What the service refuses for one, such as a user who is gone, says nothing of the others.
        if (came.kind === 'failed' && deps.now() > call.deadline - leastMs) break;
        last = row;
      }
      const left = waiting.filter(({ row }) => row > last).length;
      if (shown.length > 0) {
        const users = [...(kept?.users ?? []), ...shown];
        lists.set(key, { users, last, until: kept?.until ?? deps.now() + seenAgainForMs });
      }
      return { kind: 'list', shown, last, left, ...(problem !== undefined && { problem }) };
    });
    if (ran.kind === 'list' || ran.kind === 'printed' || ran.kind === 'refused') return ran;
    return { kind: 'failed', message: 'message' in ran ? ran.message : notShown };
  };
}

/** What came of setting a password. @param otherwise the message of a failure that has none */
export function asShown(ran: ShownPassword | Failure, otherwise: string): ShownPassword {
  if (ran.kind === 'shown' || ran.kind === 'refused') return ran;
  return { kind: 'failed', message: 'message' in ran ? ran.message : otherwise };
}

/** Less time than another user takes, in milliseconds. */
const leastMs = 3_000;
const notShown = say`The passwords can’t be shown now. Try again.`;
const shownBefore = say`The list could be opened again for an hour, until it was printed. Set other passwords with \`/quiz-user reset-password\`.`;
const notYourImport = say`Only the person who started this import can see its passwords.`;
const tooLate = say`This import is more than 14 days old. Set passwords with \`/quiz-user reset-password\`.`;

/** The users whom a batch created and no message about their password reached, with the rights that it gave them. */
function withoutPassword({ rows, outcomes }: BatchResult): { row: number; userId: string; granted: PasswordGrant }[] {
  return rows.flatMap((row, at) => {
    const { userId, isWithoutPassword } = outcomes[at] ?? { kind: 'waiting' };
    if (row.kind === 'none' || row.userId !== undefined || userId === undefined || !isWithoutPassword) return [];
    const [{ input }] = row.changes;
    const granted = {
      isNew: true,
      type: input['user_type']?.[0] ?? '',
      flags: input['flags'] ?? [],
      expiresAt: 0,
    };
    return [{ row: at, userId, granted }];
  });
}
