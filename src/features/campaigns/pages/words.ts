import type { Campaign } from '../../../domain/campaign.ts';
import { amount, channelMention, joinSaid, say } from '../../../domain/said.ts';
import { shortName } from '../../../domain/short-name.ts';
import { hasFailed, type Groups, type Person } from '../../../obligations/people.ts';
import { formStep, modalStep, runStep } from '../../../operations/next-step.ts';
import type { Fact, Step } from '../../../operations/page.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { parseMention } from '../../../operations/typed-text.ts';
import { percent } from '../../../operations/wording/result-words.ts';
import { listedName } from '../../../operations/wording/shown-name.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { moment } from '../../../time/date-words.ts';
import { withinWords } from '../operations/campaign-words.ts';

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

/** How many have what a campaign asks of them, of all who are not excused. A pass that is to be renewed still counts. */
export function progressOf(groups: Groups): { done: number; of: number } {
  const all = Object.values(groups).reduce((sum, { length }) => sum + length, 0);
  return {
    done: groups.done.length + groups.expiring.length,
    of: all - groups.excused.length - groups['not required'].length,
  };
}

/** Such as `12 of 40 passed (30%)`. */
export function doneWords(campaign: Pick<Campaign, 'rule'>, groups: Groups): string {
  const { done, of } = progressOf(groups);
  const share = done > 0 ? ` (${percent((100 * done) / of)})` : '';
  return `${progressWords(campaign, groups)}${share}`;
}

/** Such as `12 of 40 passed`; where the campaign stands, `12 of 40 valid`. */
export function progressWords({ rule: { completeWhen, standing } }: Pick<Campaign, 'rule'>, groups: Groups): string {
  const { done, of } = progressOf(groups);
  const [count, all] = [amount(done), amount(of)];
  if (standing) return say`${count} of ${all} valid`;
  return completeWhen === 'passed' ? say`${count} of ${all} passed` : say`${count} of ${all} submitted`;
}

/** What it came to for those who were asked at the end: they took it and did not pass, or did not take it. */
export function endOf(campaign: Campaign, { due, failed: notPassed, overdue }: Groups) {
  const tookIt = ({ member, obligation }: Person) => hasFailed(member, obligation, campaign);
  const open = [...due, ...notPassed, ...overdue];
  return { failed: open.filter(tookIt), missing: open.filter((one) => !tookIt(one)) };
}

const soonMs = 30 * 24 * 60 * 60_000;

/** How many people are in each group. @param now in milliseconds since the epoch */
export function groupFacts(campaign: Campaign, groups: Groups, now: number): Fact[] {
  const { overdue, due, done, expiring } = groups;
  const { endedAt, rule } = campaign;
  const { standing, completeWhen } = rule;
  const { failed, missing } = endedAt === null ? { failed: groups.failed, missing: [] } : endOf(campaign, groups);
  const isEnding = ({ obligation: { validUntil = Infinity } }: Person) => validUntil - now <= soonMs;
  const asked: Fact[] = standing
    ? [
        [say`Valid`, amount(done.length + expiring.length)],
        [say`Due now`, amount(due.length)],
        [say`Overdue`, amount(overdue.length)],
        [say`Expiring within 30 days`, amount([...done, ...expiring].filter(isEnding).length)],
      ]
    : [
        endedAt === null
          ? [overdue.length > 0 ? say`Overdue` : say`Missing`, amount(overdue.length + due.length)]
          : [completeWhen === 'passed' ? say`Didn’t take it` : say`Didn’t submit it`, amount(missing.length)],
        [say`Not passed`, anyOf(failed)],
      ];
  return [
    ...asked,
    [say`Can’t be reached`, anyOf(groups['out of reach'])],
    [say`Waiting to be marked`, anyOf(groups.marking)],
    [say`Say it isn’t for them`, anyOf(groups['not me'])],
    [say`Excused`, anyOf(groups.excused)],
  ];
}

/** Where there are none, that is no fact. */
const anyOf = ({ length }: readonly Person[]): string | undefined => (length > 0 ? amount(length) : undefined);

export function dueFact({ rule: { standing, dueAt } }: Campaign, now: number): Fact {
  if (standing) return [say`Each is due`, capitalized(withinWords(standing))];
  if (dueAt === null) return [say`Due`, say`No due time`];
  return [now < dueAt ? say`Due` : say`Was due`, moment(dueAt)];
}
