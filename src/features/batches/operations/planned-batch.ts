import { say } from '../../../domain/said.ts';
import type { BatchPlan, BatchRow } from '../../../domain/batch.ts';
import { invalid, valueOf } from '../../../operations/fields/field-kind.ts';
import { goneMessage, type PlanKind } from '../../../operations/plans/plan-kind.ts';

export const plannedBatch: PlanKind<BatchPlan> = {
  isEmpty: ({ rows }) => rows.every(({ kind }) => kind === 'none'),
  describe: ({ action }) => action,
  targets: () => [],
  startedMessage: say`This was started already. Your direct messages with the bot show how far it is.`,
  async judge(content, { judge }) {
    const now = await judge(content.rows);
    const refused = now.rows.find((row, at) => row.kind === 'none' && content.rows[at]?.kind === 'change');
    if (refused?.kind === 'none' && now.rows.every(({ kind }) => kind === 'none'))
      return invalid(refused.outcome.error ?? goneMessage);
    // A person who has changed since the preview is left out when their turn comes: the others need no approval.
    const asksNow = content.rows.some((row, at) => asksAsShown(row, now.rows[at]!));
    return valueOf(asksNow ? { ...content, approval: 'privileged' } : content);
  },
};

function asksAsShown(before: BatchRow, now: BatchRow): boolean {
  return before.kind === 'change' && now.kind === 'change' && now.needsApproval === true && now.shown === before.shown;
}
