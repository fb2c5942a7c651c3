import type { Plan, PlanContent } from '../../domain/plan.ts';
import { InvalidInputError } from '../errors.ts';
import { say } from '../../domain/said.ts';
import type { Target } from '../../domain/approval-request.ts';
import type { OperationContext } from '../context.ts';
import { type ResolvedValue, invalid, valueOf } from '../fields/field-kind.ts';
import type { BatchPlan, BatchRow } from '../../domain/batch.ts';
import type { CampaignPlan, CampaignChangePlan } from '../../domain/campaign-plan.ts';
import { peopleWords } from '../../features/campaigns/operations/campaign-words.ts';
import { visibleCampaigns } from '../fields/campaign.ts';
import { isNewlyAsked, changeWords, changedParts } from '../../features/campaigns/operations/plan-change.ts';

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
interface PlanKind<Content extends PlanContent> {
  /** The operations that start plans, and that show them whole. */
  start: { name: string };
  view: { name: string };
  /** Whether starting it would change nothing. */
  isEmpty(content: Content): boolean;
  describe(content: Content): string;
  targets(content: Content): Target[];
  /** The content as its maker may start it now: with fewer rights than at the preview it can need approval, or be refused. */
  judge(content: Content, context: OperationContext): Promise<ResolvedValue<Content>>;
  /** What its maker reads who starts it again. */
  startedMessage: string;
}

const plannedBatch: PlanKind<BatchPlan> = {
  start: { name: 'run-batch' },
  view: { name: 'show-rows' },
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

const plannedCampaign: PlanKind<CampaignPlan> = {
  start: { name: 'run-campaign' },
  view: { name: 'show-plan' },
  isEmpty: ({ members }) => members.length === 0,
  describe: ({ draft: { quiz }, members }) => `${quiz.name}, ${peopleWords(members.length)}`,
  targets: ({ draft: { quiz } }) => [{ kind: 'quiz', id: quiz.id, name: quiz.name, facts: { Name: quiz.name } }],
  startedMessage: say`This campaign was started already. /quiz-campaign list shows it.`,
  async judge(content, context) {
    if (!context.visibility.quiz({ quiz_id: content.draft.quiz.id }))
      return invalid(say`You can’t see this quiz any more.`);
    return judged(content, content.members, context);
  },
};

const plannedChange: PlanKind<CampaignChangePlan> = {
  start: { name: 'run-rule-change' },
  view: { name: 'show-rule-change' },
  isEmpty: ({ before, after }) => changedParts(before, after).length === 0,
  describe: ({ quiz, before, after }) => `${quiz.name}, ${changeWords(before, after)}`,
  targets: ({ quiz }) => [{ kind: 'quiz', id: quiz.id, name: quiz.name, facts: { Name: quiz.name } }],
  startedMessage: say`This change was made already. /quiz-campaign show has the campaign as it is.`,
  async judge(content, context) {
    const visible = await visibleCampaigns(context);
    if (!visible.some(({ id }) => id === content.campaignId))
      return invalid(say`You can’t see this campaign any more.`);
    return judged(content, content.members.filter(isNewlyAsked), context);
  },
};

/** Whoever does not train all of the people whom it asks needs another person for it. */
async function judged<Content extends CampaignPlan | CampaignChangePlan>(
  content: Content,
  asked: readonly { userId: string }[],
  { directory, visibility, call }: OperationContext,
): Promise<ResolvedValue<Content>> {
  const users = await directory.users.names(call);
  const isTrained = asked.every(({ userId }) => {
    const user = users.byId(userId);
    return user === undefined || visibility.trains(user);
  });
  return valueOf(isTrained ? content : { ...content, approval: 'other people' });
}

type Kinds = { [Kind in PlanContent['kind']]: PlanKind<Extract<PlanContent, { kind: Kind }>> };

export const planKinds: Kinds = { batch: plannedBatch, campaign: plannedCampaign, 'campaign-change': plannedChange };

export function planKindOf(content: Pick<PlanContent, 'kind'>): PlanKind<PlanContent> {
  return planKinds[content.kind];
}
