import type { Call, Case } from '../case.ts';
import { type Refusal, refusal } from '../expectation.ts';
import { type OperationName, operationNames, operations, pathParameters } from '../operations.ts';
import type { Trouble } from '../stage.ts';

const refusals: [Trouble, Refusal][] = [
  ['no key', 'forbidden'],
  ['a wrong key', 'forbidden'],
  ['no SSL', 'SSL required'],
  ['the limit spent', 'rate limit exceeded'],
  ['a broken database', 'server error'],
];

const over1MiB = 'x'.repeat(1024 * 1024);

/**
 * What every operation refuses alike: the specification's sections 5, 7 and 8. Each is tried with a
 * call that would succeed otherwise.
 *
 * @param successOf a call of the operation that succeeds
 */
export function troubleCases(successOf: (operation: OperationName) => Call): Case[] {
  return operationNames.flatMap((operation) => {
    const { given } = successOf(operation);
    const { parameters } = operations[operation];
    const ids = [...pathParameters(operations[operation]), ...parameters.filter((name) => name.endsWith('_id'))];
    const [firstParameter] = parameters;
    return [
      ...refusals.map(([trouble, kind]): Case => ({
        operation,
        title: `is refused with ${trouble}`,
        trouble,
        given,
        expected: () => refusal(kind),
      })),
      ...ids.map((id): Case => ({
        operation,
        title: `refuses a ${id} that is not there`,
        given: (sample, made) => ({ ...given(sample, made), [id]: 'no/such?id=%2e' }),
        expected: () => refusal('not found'),
      })),
      ...parameters.filter((name) => name.endsWith('_id')).map((id): Case => ({
        operation,
        title: `needs a ${id}`,
        given: (sample, made) => ({ ...given(sample, made), [id]: '' }),
        expected: () => refusal('unprocessable'),
      })),
      ...(firstParameter === undefined ? [] : [firstParameter]).map((parameter): Case => ({
        operation,
        title: 'refuses a body over 1 MiB',
        given: (sample, made) => ({ ...given(sample, made), [parameter]: over1MiB }),
        expected: () => refusal('bad request'),
      })),
    ];
  });
}
