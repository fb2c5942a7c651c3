import type { ChangePreview } from '../domain/approval-request.ts';
import type { Entered, Plan, PlanContent } from '../domain/plan.ts';
import { say } from '../domain/said.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError, readPage } from './text-input.ts';
import { goneMessage, planKinds, type NamedPlan } from './fields/kept.ts';
import { formStep, modalStep, pagedPart, replaceStep } from './page.ts';
import type { DoneResult, Preview, Page, Step } from './page.ts';
import { defineOperation, type Operation, type RuleName } from './operation.ts';
import type { ClosedReason } from './services/platform.ts';
import { publicName } from '../directory/names.ts';
import type { BatchPlan, BatchRow, Change, ChangeRow } from '../domain/batch.ts';
import { backgroundDurationMs } from '../quiz-api/budget/rate-windows.ts';
import type { User } from '../quiz-api/records.ts';

/** So long after it was made, a plan can be started. */
export const startableMs = 14 * 24 * 60 * 60_000;

/** @throws {InvalidInputError} where the plan is too old to be started. A request that waits for approval can still be decided. */
export function refuseOld({ createdAt }: Pick<Plan, 'createdAt'>, now: number): undefined {
  if (now - createdAt > startableMs)
    throw new InvalidInputError(
      'plan',
      say`This preview is more than 14 days old, and a lot may have changed. Press “Change…” or type the command again for a new one.`,
    );
}

/** How a plan stands now that it is to be started. Sentences of `domain/said.ts`. */
export interface PlanNow extends Required<Pick<ChangePreview, 'privileged' | 'changes'>> {
  /** What can go wrong. */
  warning?: string | undefined;
  /** Why another person cannot approve the start. */
  obstacle?: string | undefined;
}

/** What a preview shows besides its plan. */
export interface Shown {
  /** Of the plan. */
  id: string;
  /** False where nothing would change. */
  canStart: boolean;
  entered: Entered | undefined;
  warning?: string | undefined;
  /** Why the bot cannot post in the channel of a board. */
  boardClosed?: ClosedReason | undefined;
  /** Of the reader. */
  timeZone: string;
  /** What the platform is called. */
  platform: string;
}

/** All that is known of plans of one kind of content: how they are shown, judged and started. */
interface PlanKind<Content extends PlanContent = PlanContent>
  extends NamedPlan<Content>, Pick<Operation, 'name' | 'command' | 'summary'> {
  title: string;
  kind: Content['kind'];
  /** What the plan is called in a form. */
  label: string;
  /** As of an operation, by the content of the plan. */
  rules: readonly { name: RuleName; when?(content: Content): boolean }[];
  /** What it would do, with its buttons (`planSteps`). */
  page(content: Content, shown: Shown): Page;
  /** Everything in it, a line each. */
  whole(content: Content): { heading: string; lines: readonly string[] };
  action(content: Content): string;
  effect(content: Content, createdAt: number): string;
  /** What its maker reads, where the content says it all. */
  done?(content: Content): DoneResult;
  /** Reads from the service what the plan depends on. `isDecision`: another person decides by it. */
  now(context: OperationContext, content: Content, how: { isDecision: boolean }): Promise<PlanNow>;
  /** @param by the maker of the plan: after an approval, the context is the reviewer’s */
  start(context: OperationContext, content: Content, by: string): Promise<DoneResult>;
}

function planKindOf({ kind }: Pick<PlanContent, 'kind'>): PlanKind {
  return planKinds.get(kind) as PlanKind;
}

/**
 * Makes a kind of plan known, with the operation that starts one, once: at once, after the person has read what has changed since
 * the preview, or after another person has. Each kind has such an operation of its own, since what it does needs rights of its own.
 */
export function definePlan<Content extends PlanContent>(its: PlanKind<Content>): Operation {
  const { kind, name, command, summary, title, right, label, rules, action, effect, done, now, start } = its;
  planKinds.set(kind, its);
  /** @throws {InvalidInputError} where it is the plan of something else */
  const contentOf = ({ content }: Plan) => {
    if (content.kind !== kind) throw new InvalidInputError('plan', goneMessage);
    return content as Content;
  };
  return defineOperation({
    name,
    command,
    summary,
    title,
    right,
    access: 'write',
    rules: rules.map((rule) => ({
      name: rule.name,
      ...(rule.when && { when: ({ plan }: { plan: Plan }) => rule.when!(contentOf(plan)) }),
    })),
    submit: 'Start',
    isTyped: false,
    makesNew: true,
    fields: { plan: { kind: 'plan', of: kind, label } },
    action: ({ plan }) => action(contentOf(plan)),
    effect: (_, { plan }) => effect(contentOf(plan), plan.createdAt),
    ...(done && { done: ({ plan }: { plan: Plan }) => done(contentOf(plan)) }),
    plan(context, { plan }) {
      // Administrators can name the plans that they decide on.
      if (plan.personId !== context.actor.personId) throw new InvalidInputError('plan', goneMessage);
      return refuseOld(plan, context.now());
    },
    async review(context, { plan }) {
      const { privileged, changes, warning, obstacle } = await now(context, contentOf(plan), { isDecision: true });
      if (obstacle !== undefined) throw new InvalidInputError('plan', obstacle);
      return { privileged, changes: [...(warning === undefined ? [] : [warning]), ...changes] };
    },
    async warn(context, { plan }) {
      const { changes, warning } = await now(context, contentOf(plan), { isDecision: false });
      const since =
        changes.length > 0 ? say`Since this preview was made: ${changes.join(' ')} Start anyway?` : undefined;
      return [warning, since].filter((sentence) => sentence !== undefined).join(' ') || undefined;
    },
    async run(context, { plan }) {
      const content = contentOf(plan);
      if (!(await context.plans.take(plan.id))) throw new InvalidInputError('plan', its.startedMessage);
      return start(context, content, plan.personId);
    },
  });
}

/** Shows a plan whole, for the person who made it and for administrators who decide on it. */
export const showPlan = defineOperation({
  name: 'show-plan',
  formerly: ['show-rows', 'show-rule-change'],
  command: '/quiz-admin preview <plan>',
  summary: 'Show everyone in a preview',
  title: say`Preview`,
  access: 'read',
  right: 'staff',
  submit: 'Show',
  isTyped: false,
  fields: {
    plan: { kind: 'plan', label: 'Preview' },
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  run: async (_, { plan: { id, content }, page }) => ({ kind: 'page', ...wholePlanPage(id, content, readPage(page)) }),
});

/** @param wanted the number of a page, from 1 */
export function wholePlanPage(id: string, content: PlanContent, wanted: number): Page {
  const { heading, lines } = planKindOf(content).whole(content);
  const part = pagedPart(showPlan, { plan: [id] }, { items: lines, wanted, line: (line) => line });
  return { heading, parts: [part] };
}

/** Stores what was worked out and shows it, also where nothing would change: “Change…” opens what was entered. */
export async function previewOf(
  context: Pick<OperationContext, 'plans' | 'actor' | 'timeZone' | 'platform'>,
  plan: PlanContent,
  entered: Entered | undefined,
  details: Pick<Shown, 'warning' | 'boardClosed'> = {},
): Promise<Preview> {
  const { plans, actor } = context;
  const id = await plans.add({ personId: actor.personId, content: plan, entered });
  return shownPlan(context, { id, content: plan, entered }, details);
}

/** The preview of a stored plan, as it was shown. */
export function shownPlan(
  { timeZone, platform }: Pick<OperationContext, 'timeZone' | 'platform'>,
  { id, content: plan, entered }: Pick<Plan, 'id' | 'content' | 'entered'>,
  details: Pick<Shown, 'warning' | 'boardClosed'> = {},
): Preview {
  const { isEmpty, page } = planKindOf(plan);
  const canStart = !isEmpty(plan);
  const shown = { id, canStart, entered, timeZone, platform: platform.name, ...details };
  return { kind: 'preview', id, plan, canStart, page: page(plan, shown) };
}

/**
 * The buttons that start, change and show a plan. What needs approval asks for the reason at once. **Change…** names the plan alone: the
 * input of many people is longer than a button holds.
 */
export function planSteps(
  plan: PlanContent,
  { id, canStart, entered }: Pick<Shown, 'id' | 'canStart' | 'entered'>,
  { startText = say`Start`, isViewed = true, isMain }: { startText?: string; isViewed?: boolean; isMain?: true } = {},
): Step[] {
  const input = { plan: [id] };
  const starting =
    plan.approval === null
      ? { ...replaceStep(startText, planKindOf(plan), input), isMain }
      : formStep(say`Request approval…`, planKindOf(plan), input);
  return [
    ...(canStart ? [{ ...starting, style: 'primary' } as const] : []),
    ...(canStart && isViewed ? [modalStep(say`View all`, showPlan, input)] : []),
    ...(entered === undefined ? [] : [formStep(say`Change…`, { name: entered.operation }, input)]),
  ];
}

/** A row that runs one operation. */
export function rowOf(operation: string, input: Change['input'], row: Omit<ChangeRow, 'kind' | 'changes'>): ChangeRow {
  return { kind: 'change', ...row, changes: [{ operation, input }] };
}

/** The row that takes a change back; undefined where nothing does. */
export function inverseOf(row: BatchRow): ChangeRow | undefined {
  if (row.kind === 'none' || row.undo === undefined) return undefined;
  const [{ operation, input }] = row.changes;
  const undo = { operation, words: row.words };
  const { name, userId } = row;
  return rowOf(row.undo.operation, input, { name, words: row.undo.words, undo, ...(userId && { userId }) });
}

/** A row of a user for whom nothing changes. */
export function sameRow(user: User): BatchRow {
  return { kind: 'none', outcome: { kind: 'same', userId: user.user_id }, name: publicName(user) };
}

/** A row that is left out. `error` says why, as a sentence of `domain/said.ts`. */
export function skippedRow(name: string, error: string): BatchRow {
  return { kind: 'none', outcome: { kind: 'skipped', error }, name };
}

/** The requests that a row costs where the service answers clearly. */
function requestsOf(row: BatchRow): number {
  return row.kind === 'none' ? 0 : row.changes.length + (row.reads ?? 0);
}

/** How long the rows take in the background, in milliseconds, while nobody uses the bot. */
export function durationOf(rows: readonly BatchRow[]): number {
  return backgroundDurationMs(rows.reduce((sum, row) => sum + requestsOf(row), 0));
}

/** A plan before its rows are judged. `needsApproval`: whoever starts it. */
type DraftPlan = Omit<BatchPlan, 'kind' | 'approval' | 'things'> & { needsApproval?: boolean };

/** Judges the rows of a plan: what the person may not do is left out, and what needs approval makes the plan need one. */
export async function judgedPlan(
  { judge }: Pick<OperationContext, 'judge'>,
  { needsApproval = false, ...draft }: DraftPlan,
): Promise<BatchPlan> {
  const { rows, things } = await judge(draft.rows);
  const isPrivileged = needsApproval || rows.some((row) => row.kind === 'change' && row.needsApproval);
  return { kind: 'batch', ...draft, rows, things, approval: isPrivileged ? 'privileged' : null };
}
