import { fault, right, unknown, type Diagnosis } from '../domain/diagnosis.ts';
import type { CheckResult } from '../domain/finding.ts';

/** The line of the doctor about a check. */
export function diagnosisOf({ check, finding }: CheckResult): Diagnosis {
  if (finding === undefined) return right(check.well);
  return finding.effect === 'unknown' ? unknown(finding.forOperator) : fault(finding.forOperator);
}
