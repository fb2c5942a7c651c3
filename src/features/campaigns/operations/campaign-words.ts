import type { Campaign, StandingRule, Validity } from '../../../domain/campaign.ts';
import type { CampaignOverlap, CampaignPlan, PlannedManagers } from '../../../domain/campaign-plan.ts';
import { namedList } from '../../../domain/sentence.ts';
import { momentInWords } from '../../../operations/dates/typed-time.ts';
import { durationWords } from '../../../operations/fields/durations.ts';
import { validityWords } from '../../../operations/fields/validity.ts';
import { noManagersWords } from '../../../operations/wording/no-managers.ts';

const dayMs = 24 * 3_600_000;

/** What a rule would have cost last month is worked out for so many days. */
export const lastMonthDays = 30;

/**
 * When reminders go out, in words; empty where there are none.
 *
 * @param since reminders that are planned before do not come, in milliseconds since the epoch
 */
export function reminderWords(
  { standing, schedule: { dueAt, remindBeforeMs, overdueEveryMs } }: Pick<Campaign, 'standing' | 'schedule'>,
  since: number,
): string[] {
  const coming = remindBeforeMs.filter((ms) =>
    standing === undefined ? dueAt !== undefined && dueAt - ms > since : ms < standing.withinDays * dayMs,
  );
  const before =
    coming.length === 0 ? [] : [`${new Intl.ListFormat('en-GB').format(coming.map(durationWords))} before`];
  const after =
    overdueEveryMs === undefined
      ? []
      : [`every ${overdueEveryMs === dayMs ? 'day' : durationWords(overdueEveryMs)} after it’s due`];
  return before.length + after.length === 0 ? [] : [[...before, ...after].join(', and ')];
}

/**
 * Who hears when who is missing, in words: “To 2 leads 3 days after it’s due”, “To each person’s manager, and otherwise to you, …”.
 *
 * @param leadsReader the reader of the words is the only lead
 */
export function escalationWords(
  {
    schedule: { escalateAfterMs },
    otherLeads = [],
    escalatesToManagers,
  }: Pick<Campaign, 'schedule' | 'otherLeads' | 'escalatesToManagers'>,
  leadsReader: boolean,
): string | undefined {
  if (escalateAfterMs === undefined) return undefined;
  const to = leadsReader ? 'you' : otherLeads.length === 0 ? 'the lead' : `${otherLeads.length + 1} leads`;
  const first = escalatesToManagers ? `each person’s manager, or else ${to},` : to;
  return `To ${first} ${durationWords(escalateAfterMs)} after it’s due`;
}

/** How long a pass counts: “for 12 months”, “until 31 Jan, and is to be renewed 30 days before”. */
export function passCountsWords(validity: Validity, standing?: StandingRule): string {
  const words = 'until' in validity ? validityWords(validity) : `for ${validityWords(validity)}`;
  return standing === undefined
    ? words
    : `${words}, and is to be renewed ${durationWords(standing.renewDays * dayMs)} before`;
}

/** When each person has to have taken it, where a campaign stands: “within 14 days of coming in”. */
export function withinWords({ withinDays }: StandingRule): string {
  return `within ${durationWords(withinDays * dayMs)} of coming in`;
}

/** About people whom no message reaches in time, as a sentence (`domain/sentence.ts`). */
export function lateWords(names: readonly string[]): string {
  return `${namedList(names, 3)} can’t be messaged before it’s due.`;
}

/** About another campaign with some of the people, likewise. */
export function overlapWords({ people, dueAt }: CampaignOverlap, setting: { nowMs: number; timeZone: string }): string {
  const due = dueAt === null ? 'without a due time' : `due ${momentInWords(dueAt, setting)}`;
  return `${people === 1 ? '1 person has' : `${peopleWords(people)} have`} to take it for another campaign already, ${due}.`;
}

/** Who gets a quiz first, in words: “1 group and 7 people”; undefined where everybody has it. */
export function lackingWords({ groups, users }: CampaignPlan['assign']): string | undefined {
  const parts = [
    ...(groups.length > 0 ? [groups.length === 1 ? '1 group' : `${groups.length.toLocaleString('en')} groups`] : []),
    ...(users.length > 0 ? [peopleWords(users.length)] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

export function peopleWords(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en')} people`;
}

/** To whom the names of people would go, as sentences (`domain/sentence.ts`). @param leads such as “you” */
export function managersWords(
  { managed, unmanaged, unknown, problem }: PlannedManagers,
  leads: string,
  platform: string,
): string[] {
  if (problem !== undefined)
    return [`The names of people who are late would go to ${leads}. ${noManagersWords(problem, platform)}`];
  const asked = managed + unmanaged;
  if (asked === 0) return [`${platform} didn’t say yet who is whose manager. It’s asked again before names go out.`];
  const of = unknown === 0 ? '' : ` of the first ${asked.toLocaleString('en')}`;
  return [
    managed === 0
      ? `Nobody${of} has a manager in ${platform}, so names would go to ${leads}.`
      : unmanaged === 0
        ? `Everyone${of} has a manager in ${platform}, who would get their name.`
        : `${peopleWords(managed)}${of} ${managed === 1 ? 'has' : 'have'} a manager in ${platform}, who would get their name. The names of ${unmanaged.toLocaleString('en')} would go to ${leads}.`,
  ];
}
