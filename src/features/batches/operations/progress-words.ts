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
        ? [`${inFigures(created.done)} of ${inFigures(created.total)} created`]
        : []),
      ...(updated.total > 0 ? [`${inFigures(updated.done)} of ${inFigures(updated.total)} updated`] : []),
      ...(errors > 0 ? [errors === 1 ? '1 row has an error' : `${inFigures(errors)} rows have errors`] : []),
    ];
  }
  const left = state === 'cancelled' ? 0 : total - done - failed - skipped;
  return [
    `${inFigures(done)} of ${inFigures(total)} done`,
    ...(left > 0 ? [`${inFigures(left)} left`] : []),
    ...(failed > 0 ? [`${inFigures(failed)} failed`] : []),
    ...(skipped > 0 ? [`${inFigures(skipped)} left out`] : []),
  ];
}

function inFigures(count: number): string {
  return count.toLocaleString('en');
}
