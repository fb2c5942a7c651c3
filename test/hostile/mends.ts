import { runWithout, takeOutEach, untilSign } from '../support/taken-out.ts';
import { batchMends } from './batch-mends.ts';
import { doorMends } from './door-mends.ts';
import type { HostileMend } from './mend.ts';
import { tenantMends } from './tenant-mends.ts';

export const mends: readonly HostileMend[] = [...batchMends, ...doorMends, ...tenantMends];

/** @returns what the sequences find; undefined where it is not the fault */
export async function firstFinding(mend: HostileMend, count: number): Promise<string | undefined> {
  const said = await runWithout(mend, 'hostile', [String(count), mend.kind, `${untilSign}${mend.finds}`]);
  if (!said.some((line) => line.includes(' sequences with '))) throw new Error(said.join('\n'));
  return said.find((line) => line.includes(`  ${mend.finds}`))?.trim();
}

/**
 * Takes one mend after the other out of a copy of the sources, and prints whether the sequences find the fault.
 *
 * @param only a part of the names of the mends that are taken out
 * @returns whether each was found
 */
export function tryMends(count: number, only = ''): Promise<boolean> {
  return takeOutEach(
    mends.filter(({ name }) => name.includes(only)),
    (mend) => firstFinding(mend, count),
  );
}
