import type { Rule } from '../../../domain/campaign.ts';
import type { CampaignPlan, PlannedMember } from '../../../domain/campaign-plan.ts';
import { markedPerson, say } from '../../../domain/said.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { isOpen } from '../../../obligations/people.ts';
import { dayInWords, momentInWords } from '../../../operations/dates/typed-time.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import { nextWorkingMoment, turnOfDay, type Holidays } from '../../../time/working-hours.ts';

type FirstMessages = Pick<
  CampaignPlan,
  'firstMessagesAt' | 'firstMessagesUntil' | 'firstMessagesNow' | 'firstMessagesLocal' | 'clocksDiffer'
> &
  Pick<CampaignPlan, 'laterNames' | 'lateNames'>;

/** Whom messages of a campaign are for, on the clock of its lead. */
interface Told {
  draft: { rule: Pick<Rule, 'endsAt'>; timeZone: string };
  members: readonly Omit<PlannedMember, 'groups'>[];
}

/**
 * When the messages of a campaign come that are due now: at the next working moment of each person, and on the day after
 * where a campaign wrote to them already, unless it is due by then. Assigning and do-not-disturb can delay them.
 *
 * @param setting.noticedAt as in `CampaignService`
 */
export function firstMessagesOf(
  { draft: { rule, timeZone: leadZone }, members }: Told,
  { nowMs, holidays, noticedAt }: { nowMs: number; holidays: Holidays; noticedAt: ReadonlyMap<string, number> },
): FirstMessages {
  const workingNow = new Map<string, number>();
  const firsts = members
    .filter(isWrittenTo)
    .map((member) => {
      const { timeZone } = member;
      const soonest = workingNow.get(timeZone) ?? nextWorkingMoment(nowMs, timeZone, holidays);
      workingNow.set(timeZone, soonest);
      // What waits for the same morning comes together.
      const lastAt = soonest > nowMs ? undefined : noticedAt.get(member.userId);
      const dueAt = member.obligation.dueAt ?? Infinity;
      const at = turnOfDay(soonest, { lastAt, dueAt, timeZone, holidays });
      return { member, at, isLater: at > soonest };
    })
    .filter(({ at }) => at < (rule.endsAt ?? Infinity));
  const namesOf = (some: readonly { member: Told['members'][number] }[]) =>
    some.map(({ member }) => markedPerson(member.userId, member.name));
  return {
    ...momentsOf(
      firsts.map(({ member, at }) => [at, member.timeZone]),
      nowMs,
      leadZone,
    ),
    laterNames: namesOf(firsts.filter(({ isLater }) => isLater)),
    lateNames: namesOf(firsts.filter(({ member, at }) => at >= (member.obligation.dueAt ?? Infinity))),
  };
}

/** Whether somebody gets a first message when the campaign starts. */
export function isWrittenTo({ personId, obligation }: Omit<PlannedMember, 'groups'>): boolean {
  return personId !== null && isOpen(obligation);
}

/** The moments, and whether the clocks of people show one time then, where they differ from the lead’s. */
function momentsOf(firsts: readonly (readonly [at: number, timeZone: string])[], nowMs: number, leadZone: string) {
  const alike = [...new Map(firsts.map((first) => [first.join(' '), first])).values()];
  if (alike.length === 0) return { firstMessagesAt: null };
  const times = alike.map(([at]) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const shown = alike.map(([at, timeZone]) => wallClock(timeZone).shownAt(at));
  const differ = alike.some(([at], index) => shown[index] !== wallClock(leadZone).shownAt(at));
  return {
    firstMessagesAt: first,
    firstMessagesUntil: last > first ? last : undefined,
    firstMessagesNow: first <= nowMs || undefined,
    clocksDiffer: differ || undefined,
    firstMessagesLocal:
      differ && shown.every((time) => time === shown[0]) ? new Date(shown[0]!).toISOString().slice(0, 16) : undefined,
  };
}

/** Those that are due now: other campaigns may have written to the people since a preview. */
export async function messagesDueNow(
  { campaigns, holidays, now }: OperationContext,
  plan: Told,
): Promise<FirstMessages> {
  const noticedAt = await campaigns.noticedAt(plan.members.map(({ userId }) => userId));
  return firstMessagesOf(plan, { nowMs: now(), holidays, noticedAt });
}

/**
 * When the first messages go out, as words within a sentence (`domain/said.ts`): “tomorrow, 9:00 in each person’s time
 * zone”. Undefined where nobody gets one.
 *
 * @param setting.timeZone that of the reader, where their own clock can’t be shown
 */
export function firstMessagesWords(
  {
    firstMessagesAt: first,
    firstMessagesUntil: last,
    firstMessagesNow,
    firstMessagesLocal,
    clocksDiffer,
  }: Omit<FirstMessages, 'laterNames' | 'lateNames'>,
  setting: { nowMs: number; timeZone: string },
): string | undefined {
  if (first === null) return undefined;
  if (firstMessagesNow && last === undefined) return say`now`;
  if (firstMessagesLocal !== undefined)
    return say`${localWords(firstMessagesLocal, setting)} in each person’s time zone`;
  if (last === undefined) return momentInWords(first, setting);
  if (!clocksDiffer)
    return firstMessagesNow
      ? say`from now to ${momentInWords(last, setting)}`
      : say`from ${momentInWords(first, setting)} to ${momentInWords(last, setting)}`;
  // Somebody’s morning is midnight on the clock of the reader.
  const to = dayInWords(last, setting);
  return firstMessagesNow
    ? say`from now to ${to}, in each person’s working hours`
    : say`from ${dayInWords(first, setting)} to ${to}, in each person’s working hours`;
}

/** @param local such as `2026-11-24T09:00` */
function localWords(local: string, setting: { nowMs: number; timeZone: string }): string {
  const [day = '', time = ''] = local.split('T');
  // Noon is on the same day for readers whose clock is a little off.
  const noon = wallClock(setting.timeZone).firstMomentOf(Date.parse(`${day}T12:00Z`));
  return `${dayInWords(noon, setting)}, ${time.replace(/^0/, '')}`;
}
