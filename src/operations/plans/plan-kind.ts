import type { Plan, PlanContent } from '../../domain/plan.ts';
import { InvalidInputError } from '../errors.ts';
import { say } from '../../domain/said.ts';
import type { Target } from '../../domain/approval-request.ts';
import type { OperationContext } from '../context.ts';
import type { ResolvedValue } from '../fields/field-kind.ts';

/** So long after it was made, a plan can be started. */
export const startableMs = 14 * 24 * 60 * 60_000;

/** Of a plan that cannot be started any more, or is another person’s. */
export const goneMessage = say`This preview is too old, or it was started already. Type the command again for a new one.`;

/** @throws {InvalidInputError} where the plan is too old to be started. A request that waits for approval can still be decided. */
export function refuseOld({ createdAt }: Pick<Plan, 'createdAt'>, now: number): undefined {
  if (now - createdAt > startableMs)
    throw new InvalidInputError(
      'plan',
      say`This preview is more than 14 days old, and a lot may have changed. Press “Change…” or type the command again for a new one.`,
    );
}

/** What sets the plans of one kind of content apart before they are started. */
export interface PlanKind<Content extends PlanContent> {
  /** Whether starting it would change nothing. */
  isEmpty(content: Content): boolean;
  describe(content: Content): string;
  targets(content: Content): Target[];
  /** The content as its maker may start it now: with fewer rights than at the preview it can need approval, or be refused. */
  judge(content: Content, context: OperationContext): Promise<ResolvedValue<Content>>;
  /** What its maker reads who starts it again. */
  startedMessage: string;
}
