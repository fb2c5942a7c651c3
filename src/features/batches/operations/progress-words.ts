import { amount, say } from '../../../domain/said.ts';
import type { BatchProgress } from '../../../domain/batch.ts';

/**
 * How far many changes are, the same in the message about them and on the record: “10 of 11 created · 5 rows have errors”. They
 * add up to what the title of the message says.
 */
export function progressCounts({ batch: { state }, total, done, failed, skipped, imported }: BatchProgress): string[] {
  if (imported) {
    const { created, updated, errors } = imported;
    return [
      ...(created.total > 0 || updated.total === 0
        ? [say`${amount(created.done)} of ${amount(created.total)} created`]
        : []),
      ...(updated.total > 0 ? [say`${amount(updated.done)} of ${amount(updated.total)} updated`] : []),
      ...(errors > 0 ? [errors === 1 ? say`1 row has an error` : say`${amount(errors)} rows have errors`] : []),
    ];
  }
  const left = state === 'cancelled' ? 0 : total - done - failed - skipped;
  return [
    say`${amount(done)} of ${amount(total)} done`,
    ...(left > 0 ? [say`${amount(left)} left`] : []),
    ...(failed > 0 ? [say`${amount(failed)} failed`] : []),
    ...(skipped > 0 ? [say`${amount(skipped)} left out`] : []),
  ];
}
