import type { Campaign, Rule, RuleChange, StandingRule, Validity } from '../../../domain/campaign.ts';
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
  complete: Rule['completeWhen'] | undefined;
  valid: Validity | undefined;
  countsForGood: boolean;
}

/**
 * Reads a change of the rule of a campaign, by the rules for one that starts.
 * @throws {InvalidInputError}
 */
export function readChange(campaign: Campaign, input: ChangeInput, nowMs: number): Omit<RuleChange, 'board'> {
  const { validity: known, standing } = campaign.rule;
  const { complete, valid, countsForGood } = input;
  if (valid !== undefined && countsForGood)
    throw new InvalidInputError('valid', say`A pass counts either for good or for a time. Leave one out.`);
  const validity = countsForGood ? null : (valid ?? known);
  if (standing === null) refuseStanding(campaign, input);
  const { remind, overdue, escalate } = input;
  refuseUndue(campaign, input);
  // For its rules; which of the two due times it has does not matter to them.
  const schedule = readSchedule(
    { within: [dayMs], remind, overdue, escalate, hasLead: false },
    { nowMs, timeZone: campaign.timeZone },
  );
  return {
    ...(complete && { completeWhen: complete }),
    ...((countsForGood || valid) && { validity }),
    ...(standing && changedDays(standing, input, validity)),
    ...(remind && { remindBeforeMs: schedule.remindBeforeMs }),
    ...(overdue && { overdueEveryMs: schedule.overdueEveryMs }),
    ...(escalate && { escalateAfterMs: schedule.escalateAfterMs }),
  };
}

/** Where a pass counts for a shorter time than it was to be renewed before, it is renewed as usual. */
function changedDays(
  { withinDays, renewDays, holidays }: StandingRule,
  { within = [withinDays * dayMs], renew }: ChangeInput,
  validity: Rule['validity'],
): Pick<RuleChange, 'standing'> {
  const changed = readStanding({ within, renew }, { validity, holidays: new Set(holidays) });
  const kept = renewDays > longestRenewal(validity) ? usualRenewDaysOf(validity) : renewDays;
  const wanted = renew === undefined ? kept : (changed?.renewDays ?? kept);
  const days = {
    ...(changed?.withinDays !== withinDays && { withinDays: changed?.withinDays ?? withinDays }),
    ...(wanted !== renewDays && { renewDays: wanted }),
  };
  return Object.keys(days).length === 0 ? {} : { standing: days };
}

function refuseStanding({ quiz }: Campaign, { within, renew }: ChangeInput): void {
  const field = within === undefined ? 'renew' : 'within';
  if ((within ?? renew) === undefined) return;
  throw new InvalidInputError(
    field,
    say`The campaign for ${named(quiz.name)} is one round, with one due time for everyone. For each person’s own, start an ongoing campaign: /quiz-campaign start with within 14d.`,
  );
}

function refuseUndue({ rule, leads }: Campaign, { remind, overdue, escalate }: ChangeInput): void {
  const [field] = Object.entries({ remind, overdue, escalate }).find(([, times]) => times?.length) ?? [];
  if (field !== undefined && rule.standing === null && rule.dueAt === null)
    throw new InvalidInputError(
      field,
      say`Reminders and escalations need a due time. Give it one first: /quiz-campaign extend.`,
    );
  if (escalate?.length && leads.length === 0)
    throw new InvalidInputError(
      'escalate',
      say`Nobody leads this campaign who could get the names. Hand it over first: /quiz-campaign hand-over.`,
    );
}
