import type { Mend } from '../support/taken-out.ts';
import type { BatchKind } from './run.ts';

/** With it taken out, the sequences have to find the fault. */
export interface HostileMend extends Mend {
  kind: BatchKind;
  /** What the violation says. */
  finds: string;
}
