import type { Expectation } from './expectation.ts';
import type { Arguments, OperationName } from './operations.ts';
import type { Sample } from './sample.ts';
import type { Fault } from './service-fixture.ts';

/** A call and its expected outcome. `createdId` is the id that the first call of the case returned. */
export interface Call {
  operation: OperationName;
  given: (sample: Sample, createdId: string) => Arguments;
  expected: (sample: Sample, createdId: string) => Expectation;
}

/** A rule of the contract: a call on a fresh sample account, and the calls that show its effect. */
export interface Case extends Call {
  /** Completes the sentence that starts with the name of the operation. */
  title: string;
  fault?: Fault;
  afterwards?: Call[];
}

export function call(operation: OperationName, given: Call['given'], expected: Call['expected']): Call {
  return { operation, given, expected };
}
