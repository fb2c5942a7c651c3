import { listedName } from '../../../operations/wording/shown-name.ts';
import { percent } from '../../../operations/wording/result-words.ts';
import { countMembers, memberState, obligationsOf, stateOf } from '../../../obligations/members.ts';
import type { Obligation } from '../../../obligations/obligation.ts';
import { inState, obligedMembers } from '../../../obligations/standing.ts';
import { amount, say, joinSaid } from '../../../domain/said.ts';
import { whyUnreached } from '../../../domain/campaign-messages.ts';
import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import type { SubmissionOutcome } from '../../../domain/submission-outcome.ts';

/** How far a campaign is, in numbers of members. */
export interface CampaignCounts {
  total: number;
  /** They have what the campaign asks of them. */
  done: number;
  /** They have not submitted it. */
  missing: number;
  /** They did not pass, and have to try again. */
  failed: number;
  /** Of the missing and the failed: all after the due time, none before; where the campaign stands, by each one’s own. */
  overdue: number;
  /** Where every submission counts: how the results are. */
  results: { passed: number; failed: number };
  marking: number;
  notMe: number;
  excused: number;
}

/** @param now milliseconds since the epoch @param obligations of all members */
export function campaignCounts(
  campaign: Campaign,
  now: number,
  obligations = obligationsOf(campaign, now),
): CampaignCounts {
  const {
    members,
    schedule: { dueAt = Infinity },
  } = campaign;
  const counts = countMembers(campaign, now, obligations);
  const total = members.length - counts['not required'];
  const obliged = campaign.standing ? obligedMembers(campaign, now) : [];
  const late = inState(obliged, 'overdue', 'expired').length;
  // Their pass still counts.
  const expiring = inState(obliged, 'expiring').length;
  const hasFailed = ({ result }: CampaignMember, place: number) =>
    result !== null && stateOf(obligations[place]!) === 'open';
  const failed = campaign.standing ? 0 : members.filter(hasFailed).length;
  const withResult = (outcome: SubmissionOutcome) => members.filter(({ result }) => result?.outcome === outcome).length;
  return {
    total,
    done: counts.complete + expiring,
    missing: counts.open - failed - expiring,
    failed,
    results: { passed: withResult('passed'), failed: withResult('failed') },
    overdue: campaign.standing ? late : now >= dueAt ? counts.open : 0,
    marking: counts.marking,
    notMe: counts['not me'],
    excused: counts.excused,
  };
}

/** Such as `12 of 40 passed (30%)`. The share is of the members who are not excused. */
export function doneWords(campaign: Pick<Campaign, 'completeWhen' | 'standing'>, counts: CampaignCounts): string {
  const { total, excused, done } = counts;
  const share = done > 0 ? ` (${percent((100 * done) / (total - excused))})` : '';
  return `${progressWords(campaign, counts)}${share}`;
}

/** Such as `12 of 40 passed`; where the campaign stands, `12 of 40 valid`. */
export function progressWords(
  { completeWhen, standing }: Pick<Campaign, 'completeWhen' | 'standing'>,
  { total, excused, done }: CampaignCounts,
): string {
  const [count, all] = [amount(done), amount(total - excused)];
  if (standing) return say`${count} of ${all} valid`;
  return completeWhen === 'passed' ? say`${count} of ${all} passed` : say`${count} of ${all} submitted`;
}

/** The first names of many members, in the order of the alphabet, and how many they are. */
export interface FirstNames {
  names: readonly string[];
  count: number;
}

/** The members who still have to take the quiz, and those of them whom no message reaches. @param most names of each */
export function missingNames(
  campaign: Campaign,
  obligations: readonly Obligation[],
  most: number,
): { reached: FirstNames; unreached: FirstNames } {
  const missing = campaign.members.filter((_, place) => {
    const obligation = obligations[place]!;
    return stateOf(obligation) === 'open' && obligation.state !== 'expiring';
  });
  const isReached = (member: CampaignMember) => whyUnreached(member, campaign) === undefined;
  const { true: reached = [], false: unreached = [] } = Object.groupBy(missing, (member) => String(isReached(member)));
  return { reached: firstNames(reached, most), unreached: firstNames(unreached, most) };
}

/** The names of the members who said that the quiz isn’t for them. */
export function notMeNames(campaign: Campaign, now: number): string[] {
  return campaign.members
    .filter((member) => memberState(member, campaign, now) === 'not me')
    .map(({ name }) => name)
    .toSorted(byName);
}

/** Thousands are not sorted for the few that a board shows. */
function firstNames(members: readonly CampaignMember[], most: number): FirstNames {
  const names: string[] = [];
  for (const { name } of members) {
    const last = names[most - 1];
    if (last !== undefined && byName(name, last) >= 0) continue;
    const place = names.findLastIndex((known) => byName(known, name) <= 0) + 1;
    names.splice(place, 0, name);
    names.length = Math.min(names.length, most);
  }
  return { names, count: members.length };
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** The first names of a list, and how many more there are. */
export function nameList(
  names: readonly string[],
  { most, count = names.length, showsNames = true }: { most: number; count?: number; showsNames?: boolean },
): string {
  const shown = names.slice(0, most).map((name) => say`${listedName(name, showsNames)}`);
  const left = count - shown.length;
  return joinSaid([...shown, ...(left > 0 ? [say`and ${amount(left)} more`] : [])], ', ');
}
