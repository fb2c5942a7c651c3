import { type Call, type Case, answer, nobody, type Refusal, refusal } from './expectation.ts';
import { quizCases } from './cases/quizzes.ts';
import { responseCases } from './cases/responses.ts';
import { userCases } from './cases/users.ts';
import { type OperationName, operationNames, operations, pathParameters } from './operations.ts';
import { group } from './resources.ts';
import type { Fault } from './service-fixture.ts';

/** Specification, section 4.4. */
const groupCases: Case[] = [
  {
    operation: 'Get all groups',
    title: 'returns all groups in the order of creation',
    given: () => ({}),
    expected: ({ groupId }) =>
      answer(
        ['Kitchen', 'Warehouse', 'Front desk', 'Night shift'].map((name) =>
          group({ group_id: groupId(name), group_name: name }),
        ),
      ),
  },
];

const refusals: [Fault, Refusal][] = [
  ['no key', 'forbidden'],
  ['a wrong key', 'forbidden'],
  ['no SSL', 'SSL required'],
  ['an exhausted rate limit', 'rate limit exceeded'],
  ['a broken database', 'server error'],
];

const over1MiB = 'x'.repeat(1024 * 1024);

/** The refusals that all operations share: sections 5, 7 and 8 of the specification. */
function refusalCases(): Case[] {
  return operationNames.flatMap((operation) => {
    const { given } = successOf(operation);
    const { parameters } = operations[operation];
    const ids = [...pathParameters(operations[operation]), ...parameters.filter((name) => name.endsWith('_id'))];
    const [firstParameter] = parameters;
    return [
      ...refusals.map(([fault, kind]): Case => ({
        operation,
        title: `is refused with ${fault}`,
        fault,
        given,
        expected: () => refusal(kind),
      })),
      ...ids.map((id): Case => ({
        operation,
        title: `refuses an unknown ${id}`,
        given: (sample, createdId) => ({ ...given(sample, createdId), [id]: 'no/such?id=%2e' }),
        expected: () => refusal('not found'),
      })),
      ...parameters
        .filter((name) => name.endsWith('_id'))
        .map((id): Case => ({
          operation,
          title: `requires a ${id}`,
          given: (sample, createdId) => ({ ...given(sample, createdId), [id]: '' }),
          expected: () => refusal('unprocessable'),
        })),
      ...(firstParameter === undefined ? [] : [firstParameter]).map((parameter): Case => ({
        operation,
        title: 'refuses a body over 1 MiB',
        given: (sample, createdId) => ({ ...given(sample, createdId), [parameter]: over1MiB }),
        expected: () => (operation === 'Find a user' ? nobody('bad request') : refusal('bad request')),
      })),
    ];
  });
}

const ownCases = [...quizCases, ...responseCases, ...userCases, ...groupCases];

/** The contract: the results and the refusals of every operation of the specification. */
export const cases: Case[] = [...ownCases, ...refusalCases()];

/** The first case of each operation is a success. */
function successOf(operation: OperationName): Call {
  const success = ownCases.find((candidate) => candidate.operation === operation);
  if (!success) throw new Error(`The contract has no case for: ${operation}`);
  return success;
}
