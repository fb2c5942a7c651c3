import type { Campaign, RuleChange, Validity } from '../../../domain/campaign.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { named } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { readSchedule, readStanding, usualRenewDaysOf, longestRenewal } from './schedule-input.ts';

const dayMs = 24 * 3_600_000;

/** What a person entered to change a rule; times in milliseconds. Undefined: as it is. */
export interface ChangeInput {
  within: readonly number[] | undefined;
  renew: readonly number[] | undefined;
  remind: readonly number[] | undefined;
  overdue: readonly number[] | undefined;
  escalate: readonly number[] | undefined;
  complete: Campaign['completeWhen'] | undefined;
  valid: Validity | undefined;
  countsForGood: boolean;
}

/**
 * Reads a change of the rule of a campaign, by the rules for one that starts.
 * @throws {InvalidInputError}
 */
export function readChange(campaign: Campaign, input: ChangeInput, nowMs: number): Omit<RuleChange, 'board'> {
  const { validity: known, standing } = campaign;
  const { complete, valid, countsForGood } = input;
  if (valid !== undefined && countsForGood)
    throw new InvalidInputError('valid', say`A pass counts either for good or for a time. Leave one out.`);
  const validity = countsForGood ? undefined : (valid ?? known);
  const days = standing === undefined ? undefined : changedDays(campaign, input, validity);
  if (standing === undefined) refuseStanding(campaign, input);
  const { remind, overdue, escalate } = input;
  refuseUndue(campaign, input);
  // For its rules; which of the two due times it has does not matter to them.
  const schedule = readSchedule(
    { due: undefined, within: [dayMs], renew: undefined, remind, overdue, escalate, hasLead: false },
    { nowMs, timeZone: campaign.lead.timeZone },
  );
  return {
    ...(complete && { completeWhen: complete }),
    ...(countsForGood ? { validity: null } : valid && { validity: valid }),
    ...days,
    ...(remind && { remindBeforeMs: schedule.remindBeforeMs }),
    ...(overdue && { overdueEveryMs: schedule.overdueEveryMs ?? null }),
    ...(escalate && { escalateAfterMs: schedule.escalateAfterMs ?? null }),
  };
}

/** Where a pass counts for a shorter time than it was to be renewed before, it is renewed as usual. */
function changedDays(
  { standing }: Campaign,
  { within, renew }: ChangeInput,
  validity: Validity | undefined,
): Pick<RuleChange, 'withinDays' | 'renewDays'> {
  const { withinDays, renewDays, holidays } = standing!;
  const changed = readStanding(
    { due: undefined, within: within ?? [withinDays * dayMs], renew },
    { validity, holidays: new Set(holidays) },
  );
  if (changed === undefined) return {};
  const kept = renewDays > longestRenewal(validity) ? usualRenewDaysOf(validity) : renewDays;
  const wanted = renew === undefined ? kept : changed.renewDays;
  return {
    ...(changed.withinDays !== withinDays && { withinDays: changed.withinDays }),
    ...(wanted !== renewDays && { renewDays: wanted }),
  };
}

function refuseStanding({ quiz }: Campaign, { within, renew }: ChangeInput): void {
  const field = within === undefined ? 'renew' : 'within';
  if ((within ?? renew) === undefined) return;
  throw new InvalidInputError(
    field,
    say`The campaign for ${named(quiz.name)} is one round, with one due time for everyone. For each person’s own, start one that stands: /quiz-campaign start with within 14d.`,
  );
}

function refuseUndue({ standing, schedule, lead }: Campaign, { remind, overdue, escalate }: ChangeInput): void {
  const [field] = Object.entries({ remind, overdue, escalate }).find(([, times]) => times?.length) ?? [];
  if (field !== undefined && standing === undefined && schedule.dueAt === undefined)
    throw new InvalidInputError(
      field,
      say`Reminders and escalations need a due time. Give it one first: /quiz-campaign extend.`,
    );
  if (escalate?.length && lead.userId === '')
    throw new InvalidInputError(
      'escalate',
      say`Nobody leads this campaign who could get the names. Hand it over first: /quiz-campaign hand-over.`,
    );
}
