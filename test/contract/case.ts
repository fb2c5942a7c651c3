import type { Expectation } from './expectation.ts';
import type { Arguments, OperationName } from './operations.ts';
import type { Sample } from './sample.ts';
import type { Trouble } from './stage.ts';

/** One call and what it comes to. `made` is the id that the case's first call gave. */
export interface Call {
  operation: OperationName;
  given: (sample: Sample, made: string) => Arguments;
  expected: (sample: Sample, made: string) => Expectation;
}

/** A sentence of the contract: a call on a fresh sample account, and the calls that show what it did. */
export interface Case extends Call {
  /** Goes on from the operation's name. */
  title: string;
  trouble?: Trouble;
  afterwards?: Call[];
}

export function call(operation: OperationName, given: Call['given'], expected: Call['expected']): Call {
  return { operation, given, expected };
}
