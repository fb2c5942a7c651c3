import type { Log } from '../../observability/log.ts';
import type { DoneResult, OperationResult } from '../../operations/operation-result.ts';

/** Stores that users are to be told about a quiz. `by`: the person of the platform who assigned it. */
export type PutAssigned = (teamId: string, by: string, assigned: NonNullable<DoneResult['assigned']>) => Promise<void>;

/** Has the users told who got a quiz through an operation. `personId`: the person who ran or requested it. Never rejects: the change is made. */
export type TellAssigned = (result: OperationResult, by: { teamId: string; personId: string }) => Promise<void>;

export function createTellAssigned({ putAssigned, log }: { putAssigned: PutAssigned; log: Log }): TellAssigned {
  return async (result, { teamId, personId }) => {
    if (result.kind !== 'done' || result.assigned === undefined || result.assigned.users.length === 0) return;
    await putAssigned(teamId, personId, result.assigned).catch((error: unknown) => {
      log.error({ error, quiz: result.assigned?.quizId }, 'users who got a quiz could not be told');
    });
  };
}
