import { byName } from '../../../domain/record-names.ts';
import type { Campaign, CampaignMember, Obligation, RuleChange, Rule } from '../../../domain/campaign.ts';
import type { CampaignChangePlan, ChangedMember, RuleState } from '../../../domain/campaign-plan.ts';
import { personOf } from '../../../obligations/people.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { approvalFor } from './who-takes-part.ts';
import { inEnglish, say } from '../../../domain/said.ts';
import { durationWords } from '../../../operations/fields/times.ts';
import { missedReminderWords, passCountsWords, reminderWords, withinWords } from '../pages/words.ts';

/** Those first who need something. */
const ruleStates = ['overdue', 'expired', 'due', 'to renew', 'not asked', 'valid'] as const satisfies RuleState[];

/**
 * What a change of the rule of a campaign would make different, for its members as they are now. Changes nothing.
 *
 * @param campaign with the results that the service has
 */
export async function planChange(
  { campaigns, directory, visibility, call, now }: OperationContext,
  campaign: Campaign,
  change: RuleChange,
): Promise<CampaignChangePlan> {
  const at = now();
  const { campaign: after, sooner } = campaigns.withRule(campaign, change);
  const differences = campaign.members.map((member, index) =>
    differenceOf(member, campaign, after.members[index]!, after, at),
  );
  const users = await directory.users.names(call);
  const newlyAsked = differences.filter(isNewlyAsked).flatMap(({ userId }) => users.byId(userId) ?? []);
  return {
    kind: 'campaign-change',
    campaignId: campaign.id,
    quiz: campaign.quiz,
    timeZone: campaign.timeZone,
    change,
    before: campaign.rule,
    after: after.rule,
    states: ruleStates
      .map((state) => ({
        state,
        before: differences.filter(({ was }) => was === state).length,
        after: differences.filter(({ is }) => is === state).length,
      }))
      .filter(({ before, after: then }) => before + then > 0),
    members: differences.toSorted(byNeed),
    sooner: sooner.length,
    firstMessagesAt: sooner.length === 0 ? null : sooner.reduce((first, one) => Math.min(first, one.at), Infinity),
    approval: approvalFor(newlyAsked.map((user) => ({ isTrained: visibility.trains(user) }))),
  };
}

/** Who would have to take the quiz, and does not have to now. */
export function isNewlyAsked({ was, is }: Pick<ChangedMember, 'was' | 'is'>): boolean {
  return isAsked(is) && !isAsked(was);
}

/** Whether somebody would stand differently, or have it due at another time. */
export function isChanged({ was, is, dueWas, dueAt }: ChangedMember): boolean {
  return was !== is || (isAsked(is) && dueWas !== dueAt);
}

function isAsked(state: RuleState): boolean {
  return state !== 'valid' && state !== 'not asked';
}

function differenceOf(
  member: CampaignMember,
  campaign: Campaign,
  changed: CampaignMember,
  after: Campaign,
  at: number,
): ChangedMember {
  const before = personOf(member, campaign, at).obligation;
  const then = personOf(changed, after, at).obligation;
  return {
    userId: member.userId,
    name: member.name,
    was: ruleStateOf(before),
    is: ruleStateOf(then),
    dueWas: before.dueAt,
    dueAt: then.dueAt,
    validUntil: then.validUntil,
  };
}

function ruleStateOf({ state }: Obligation): RuleState {
  switch (state) {
    case 'done':
      return 'valid';
    case 'expiring':
      return 'to renew';
    case 'due':
    case 'overdue':
    case 'expired':
      return state;
    default:
      return 'not asked';
  }
}

function byNeed(one: ChangedMember, other: ChangedMember): number {
  return (
    Number(isChanged(other)) - Number(isChanged(one)) ||
    ruleStates.indexOf(one.is) - ruleStates.indexOf(other.is) ||
    (one.dueAt ?? 0) - (other.dueAt ?? 0) ||
    byName(one.name, other.name)
  );
}

/** The parts that differ between two rules, in words that can follow each other in a sentence, in the order in which a preview has them. */
export function changedParts(before: Rule, after: Rule) {
  return parts.flatMap(({ label, valueOf, wordsOf }) => {
    const is = valueOf(after);
    const was = valueOf(before) ?? is;
    return is === undefined || was === undefined || inEnglish(was) === inEnglish(is)
      ? []
      : [{ label, was, is, words: wordsOf(is) }];
  });
}

interface Part {
  label: string;
  /** In words; undefined where the rule has none. */
  valueOf: (rule: Rule) => string | undefined;
  /** “due: 7 days after joining”. */
  wordsOf: (is: string) => string;
}

const parts: readonly Part[] = [
  {
    label: 'Due',
    valueOf: ({ standing }) => (standing ? withinWords(standing) : undefined),
    wordsOf: (is) => say`due: ${is}`,
  },
  {
    label: 'Done when',
    valueOf: ({ completeWhen }) => (completeWhen === 'passed' ? say`passed` : say`submitted`),
    wordsOf: (is) => say`done when: ${is}`,
  },
  {
    label: 'A pass counts',
    valueOf: ({ validity, standing }) => (validity === null ? say`for good` : passCountsWords(validity, standing)),
    wordsOf: (is) => say`a pass counts: ${is}`,
  },
  {
    label: 'Reminders',
    valueOf: (rule) => reminderWords(rule) ?? say`none`,
    wordsOf: (is) => say`reminders: ${is}`,
  },
  {
    label: 'Escalation',
    valueOf: ({ escalateAfterMs }) =>
      escalateAfterMs === null ? say`none` : say`${durationWords(escalateAfterMs)} after it’s due`,
    wordsOf: (is) => say`escalation: ${is}`,
  },
  {
    label: 'Progress',
    valueOf: ({ board }) => (board === null ? say`in no channel` : say`in a channel`),
    wordsOf: (is) => say`progress: ${is}`,
  },
];

/** What changes, in words: “due: 7 days after joining (now 14 days after joining)”. */
export function changeWords(before: Rule, after: Rule): string {
  return changedParts(before, after)
    .map(({ words, was }) => say`${words} (now ${was})`)
    .join('; ');
}

/** What a change says of reminders that come too late, in sentences. @param now in milliseconds since the epoch */
export function missedByChange({ before, after, members }: CampaignChangePlan, now: number): string | undefined {
  const isSame =
    before.remindBeforeMs.join() === after.remindBeforeMs.join() &&
    before.standing?.withinDays === after.standing?.withinDays;
  if (isSame) return undefined;
  const dueTimes = members.flatMap(({ is, dueAt }) => (isAsked(is) ? (dueAt ?? []) : []));
  return missedReminderWords(after, now, dueTimes);
}
