import type { Campaign } from '../../../domain/campaign.ts';
import { amount, channelMention, joinSaid, say } from '../../../domain/said.ts';
import { shortName } from '../../../domain/short-name.ts';
import type { SubmissionOutcome } from '../../../domain/submission-outcome.ts';
import { countPeople, inState, peopleOf, resultOf } from '../../../obligations/people.ts';
import { formStep, modalStep, runStep } from '../../../operations/next-step.ts';
import type { Step } from '../../../operations/page.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { parseMention } from '../../../operations/typed-text.ts';
import { percent } from '../../../operations/wording/result-words.ts';
import { listedName } from '../../../operations/wording/shown-name.ts';

/** What people do to a campaign from its messages. */
const steps = {
  remind: (input) => runStep(say`Remind now`, { name: 'remind-campaign' }, input),
  extend: (input) => formStep(say`Extend…`, { name: 'extend-campaign' }, input),
  keepIn: (input) => runStep(say`Keep in`, { name: 'include-campaign' }, input),
  accept: (input) => runStep(say`Accept`, { name: 'hand-over-campaign' }, input),
  takeOver: (input) => runStep(say`Take over`, { name: 'hand-over-campaign' }, input),
  excuse: (input) => formStep(say`Excuse…`, { name: 'excuse-campaign' }, input),
  end: (input) => runStep(say`End`, { name: 'end-campaign' }, input),
  review: (input) => runStep(say`Review…`, { name: 'take-in' }, input),
  all: (input) => modalStep(say`View all`, { name: 'show-campaign' }, input),
  report: (input) => runStep(say`Report`, { name: 'report-campaign' }, input),
} as const satisfies Record<string, (input: TextInput) => Step>;

/**
 * Buttons that change a campaign or show it. Everybody in the channel sees them; rights are checked at the press.
 *
 * @param input of the operation, besides the campaign
 */
export function campaignSteps(
  campaignId: string,
  names: readonly (keyof typeof steps)[],
  input: TextInput = {},
): Step[] {
  return names.map((name) => steps[name]({ campaign: [campaignId], ...input }));
}

/** The first names of a list, and how many more there are. */
export function nameList(
  people: readonly (string | { name: string })[],
  { most, count = people.length, showsNames = true }: { most: number; count?: number; showsNames?: boolean },
): string {
  const names = people.slice(0, most).map((person) => (typeof person === 'string' ? person : person.name));
  const shown = names.map((name) => say`${listedName(name, showsNames)}`);
  const left = count - shown.length;
  return joinSaid([...shown, ...(left > 0 ? [say`and ${amount(left)} more`] : [])], ', ');
}

const partsAtMost = 10;

/** Parts of an audience outside the account: channels as mentions, user groups by their names. */
export function partList(parts: readonly string[]): string {
  const shown = parts.slice(0, partsAtMost).map((part) => {
    const mention = parseMention(part);
    if (mention?.kind === 'channel') return channelMention(mention.id);
    return mention?.name === undefined ? say`a user group` : say`@${shortName(mention.name)}`;
  });
  return joinSaid(shown, ', ');
}

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

/** @param now milliseconds since the epoch */
export function campaignCounts(campaign: Campaign, now: number): CampaignCounts {
  const people = peopleOf(campaign, now);
  const { standing, dueAt } = campaign.rule;
  const counts = countPeople(people);
  const total = people.length - counts['not required'];
  const late = inState(people, 'overdue', 'expired').length;
  // Their pass still counts.
  const expiring = inState(people, 'expiring').length;
  const results = people.map(({ member }) => resultOf(member, campaign));
  const failed = standing ? 0 : people.filter(({ state }, place) => state === 'open' && results[place] !== null).length;
  const withResult = (outcome: SubmissionOutcome) => results.filter((result) => result?.outcome === outcome).length;
  return {
    total,
    done: counts.complete + expiring,
    missing: counts.open - failed - expiring,
    failed,
    results: { passed: withResult('passed'), failed: withResult('failed') },
    overdue: standing ? late : now >= (dueAt ?? Infinity) ? counts.open : 0,
    marking: counts.marking,
    notMe: counts['not me'],
    excused: counts.excused,
  };
}

/** Such as `12 of 40 passed (30%)`. The share is of the members who are not excused. */
export function doneWords(campaign: Pick<Campaign, 'rule'>, counts: CampaignCounts): string {
  const { total, excused, done } = counts;
  const share = done > 0 ? ` (${percent((100 * done) / (total - excused))})` : '';
  return `${progressWords(campaign, counts)}${share}`;
}

/** Such as `12 of 40 passed`; where the campaign stands, `12 of 40 valid`. */
export function progressWords(
  { rule: { completeWhen, standing } }: Pick<Campaign, 'rule'>,
  { total, excused, done }: CampaignCounts,
): string {
  const [count, all] = [amount(done), amount(total - excused)];
  if (standing) return say`${count} of ${all} valid`;
  return completeWhen === 'passed' ? say`${count} of ${all} passed` : say`${count} of ${all} submitted`;
}
