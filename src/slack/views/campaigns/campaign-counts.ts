import { countMembers, memberState, openMembers } from '../../../obligations/members.ts';
import { whyUnreached } from '../../../domain/campaign-messages.ts';
import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import type { SubmissionOutcome } from '../../../domain/submission-outcome.ts';
import { percent } from '../blocks/amounts.ts';
import { joinMrkdwn, md, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { listedName } from '../blocks/shown-name.ts';

/** How far a campaign is, in numbers of members. */
export interface CampaignCounts {
  total: number;
  /** They have what the campaign asks of them. */
  done: number;
  /** They have not submitted it. */
  missing: number;
  /** They did not pass, and have to try again. */
  failed: number;
  /** Of the missing and the failed: all after the due time, none before. */
  overdue: number;
  /** Where every submission counts: how the results are. */
  results: { passed: number; failed: number };
  marking: number;
  notMe: number;
  excused: number;
}

/** @param now milliseconds since the epoch */
export function campaignCounts(campaign: Campaign, now: number): CampaignCounts {
  const {
    members,
    schedule: { dueAt = Infinity },
  } = campaign;
  const counts = countMembers(campaign, now);
  const failed = openMembers(campaign, now).filter(({ result }) => result !== null).length;
  const withResult = (outcome: SubmissionOutcome) => members.filter(({ result }) => result?.outcome === outcome).length;
  return {
    total: members.length,
    done: counts.complete,
    missing: counts.open - failed,
    failed,
    results: { passed: withResult('passed'), failed: withResult('failed') },
    overdue: now >= dueAt ? counts.open : 0,
    marking: counts.marking,
    notMe: counts['not me'],
    excused: counts.excused,
  };
}

/** Such as `12 of 40 passed (30%)`. The share is of the members who are not excused. */
export function doneWords(
  { completeWhen }: Pick<Campaign, 'completeWhen'>,
  { total, excused, done }: CampaignCounts,
): string {
  const of = total - excused;
  const share = done > 0 ? ` (${percent((100 * done) / of)})` : '';
  return `${done.toLocaleString('en')} of ${of.toLocaleString('en')} ${completeWhen}${share}`;
}

/** The names of the members who still have to take the quiz, in the order of the alphabet, and of those whom no message reaches. */
export function missingNames(campaign: Campaign, now: number): { reached: string[]; unreached: string[] } {
  const isReached = (member: CampaignMember) => whyUnreached(member, campaign) === undefined;
  const { true: reached = [], false: unreached = [] } = Object.groupBy(openMembers(campaign, now), (member) =>
    String(isReached(member)),
  );
  const namesOf = (members: readonly CampaignMember[]) => members.map(({ name }) => name).toSorted(byName);
  return { reached: namesOf(reached), unreached: namesOf(unreached) };
}

/** The names of the members who said that the quiz isn’t for them. */
export function notMeNames(campaign: Campaign, now: number): string[] {
  return campaign.members
    .filter((member) => memberState(member, campaign, now) === 'not me')
    .map(({ name }) => name)
    .toSorted(byName);
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** The first names of a list, and how many more there are. */
export function nameList(
  names: readonly string[],
  { most, count = names.length, showsNames = true }: { most: number; count?: number; showsNames?: boolean },
): Mrkdwn {
  const shown = names.slice(0, most).map((name) => md`${listedName(name, showsNames)}`);
  const left = count - shown.length;
  return joinMrkdwn([...shown, ...(left > 0 ? [md`and ${left.toLocaleString('en')} more`] : [])], ', ');
}
