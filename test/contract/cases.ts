import type { Call, Case } from './case.ts';
import { groupCases } from './cases/groups.ts';
import { quizCases } from './cases/quizzes.ts';
import { responseCases } from './cases/responses.ts';
import { refusalCases } from './cases/refusals.ts';
import { userCases } from './cases/users.ts';
import type { OperationName } from './operations.ts';

const ownCases = [...quizCases, ...responseCases, ...userCases, ...groupCases];

/** The contract: the results and the refusals of every operation of the specification. */
export const cases: Case[] = [...ownCases, ...refusalCases(successOf)];

/** The first case of each operation is a success. */
function successOf(operation: OperationName): Call {
  const success = ownCases.find((candidate) => candidate.operation === operation);
  if (!success) throw new Error(`The contract has no case for: ${operation}`);
  return success;
}
