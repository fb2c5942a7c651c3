import type { Target } from '../../domain/approval-request.ts';
import type { PlanContent } from '../../domain/plan.ts';
import type { OperationContext } from '../context.ts';
import type { ResolvedValue } from '../fields/field-kind.ts';

/** What sets the plans of one kind of content apart before they are started. */
export interface PlanKind<Content extends PlanContent> {
  /** Whether starting it would change nothing. */
  isEmpty(content: Content): boolean;
  describe(content: Content): string;
  targets(content: Content): Target[];
  /** The content as its maker may start it now: with fewer rights than at the preview it can need approval, or be refused. */
  judge(content: Content, context: OperationContext<'judge' | 'campaigns'>): Promise<ResolvedValue<Content>>;
  /** What its maker reads who starts it again. */
  startedMessage: string;
}
