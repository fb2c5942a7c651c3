import { dayMs } from '../../../domain/durations.ts';
import type { Campaign, Rule, StandingRule, Validity, Obligation } from '../../../domain/campaign.ts';
import type { CampaignOverlap, CampaignPlan, PlannedManagers } from '../../../domain/campaign-plan.ts';
import {
  namedList,
  amount,
  countOf,
  listed,
  say,
  channelMention,
  joinSaid,
  mention,
  sentences,
  shortName,
  capitalized,
} from '../../../domain/said.ts';
import { type PeopleGroup, type Person, hasFailed, type Groups } from '../../../obligations/people.ts';
import { momentInWords } from '../../../operations/dates/typed-time.ts';
import { durationWords, validityWords } from '../../../operations/fields/times.ts';
import { noManagersWords, roughDuration } from '../../../operations/wording/words.ts';
import { shownQuizName, listedName } from '../../../operations/wording/shown-name.ts';
import { backgroundDurationMs } from '../../../quiz-api/budget/rate-windows.ts';
import { formStep, modalStep, runStep, type Fact, type Step } from '../../../operations/page.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { parseMention } from '../../../operations/typed-text.ts';
import { percent } from '../../../operations/wording/result-words.ts';
import { moment } from '../../../time/date-words.ts';

/** Who started a campaign, and who answers for it where that is somebody else. @param started when, in words */
export function responsibleWords({ startedBy, ownerId }: Campaign, started: string): string[] {
  const start = say`Started by ${mention(startedBy)} ${started}`;
  return ownerId === startedBy ? [start] : [start, say`${mention(ownerId)} answers for it`];
}

/**
 * When reminders go out, in words; undefined where there are none.
 *
 * @param since reminders that are planned before do not come, in milliseconds since the epoch; undefined: all as they are set
 */
export function reminderWords(rule: Rule, since?: number): string | undefined {
  const { remindBeforeMs, overdueEveryMs } = rule;
  const coming = since === undefined ? remindBeforeMs : remindBeforeMs.filter((ms) => comes(ms, rule, since));
  const times = listed(coming.map(durationWords));
  if (overdueEveryMs === null) return coming.length === 0 ? undefined : say`${times} before`;
  if (overdueEveryMs === dayMs)
    return coming.length === 0 ? say`every day after it’s due` : say`${times} before, and every day after it’s due`;
  const every = durationWords(overdueEveryMs);
  return coming.length === 0
    ? say`every ${every} after it’s due`
    : say`${times} before, and every ${every} after it’s due`;
}

/** Whether a reminder so long before the due time can come. Where passes are renewed, people are asked that long before. */
function comes(ms: number, { standing, validity, dueAt }: Rule, since: number): boolean {
  if (standing === null) return dueAt !== null && dueAt - ms > since;
  return ms < Math.max(standing.withinDays, validity === null ? 0 : standing.renewDays) * dayMs;
}

/**
 * Why reminders that somebody asked for do not come, in sentences; undefined where they do.
 *
 * @param dueTimes of those who have to take the quiz
 */
export function missedReminderWords(rule: Rule, since: number, dueTimes: readonly number[]): string | undefined {
  const { standing, remindBeforeMs } = rule;
  const missed = remindBeforeMs.filter((ms) => !comes(ms, rule, since));
  const times = listed(missed.map(durationWords));
  const first = remindBeforeMs.find((ms) => !missed.includes(ms));
  const late = standing === null || first === undefined ? 0 : dueTimes.filter((at) => at - first <= since).length;
  const words = sentences([
    missed.length > 0 &&
      (standing === null
        ? say`No reminder comes ${times} before it’s due: that’s over already.`
        : say`No reminder comes ${times} before it’s due: nobody has that long.`),
    first !== undefined &&
      late > 0 &&
      say`For ${peopleWords(late)}, no reminder comes ${durationWords(first)} before it’s due: that’s over already.`,
  ]);
  return words === '' ? undefined : words;
}

/**
 * Who hears when who is missing, in words: “To 2 leads 3 days after it’s due”, “To each person’s manager, and otherwise to you, …”.
 *
 * @param to the leads, in words, where they are known: the reader, or others by their names
 */
export function escalationWords(
  { rule: { escalateAfterMs, toManagers }, leads }: Pick<Campaign, 'rule' | 'leads'>,
  to?: 'you' | { names: string },
): string | undefined {
  if (escalateAfterMs === null) return undefined;
  const after = durationWords(escalateAfterMs);
  if (typeof to === 'object')
    return toManagers
      ? say`To each person’s manager, or else ${to.names}, ${after} after it’s due`
      : say`To ${to.names} ${after} after it’s due`;
  if (to === 'you')
    return toManagers
      ? say`To each person’s manager, or else you, ${after} after it’s due`
      : say`To you ${after} after it’s due`;
  if (leads.length <= 1)
    return toManagers
      ? say`To each person’s manager, or else the lead, ${after} after it’s due`
      : say`To the lead ${after} after it’s due`;
  const count = leads.length;
  return toManagers
    ? say`To each person’s manager, or else ${count} leads, ${after} after it’s due`
    : say`To ${count} leads ${after} after it’s due`;
}

/** How long a pass counts: “for 12 months”, “until 31 Jan, and is to be renewed 30 days before”. */
export function passCountsWords(validity: Validity, standing: StandingRule | null): string {
  const words = validityWords(validity);
  if (standing === null) return 'until' in validity ? words : say`for ${words}`;
  const ahead = durationWords(standing.renewDays * dayMs);
  return 'until' in validity
    ? say`${words}, and is to be renewed ${ahead} before`
    : say`for ${words}, and is to be renewed ${ahead} before`;
}

/** When each person has to have taken it, where a campaign stands: “14 days after joining”. */
export function withinWords({ withinDays }: StandingRule): string {
  return say`${durationWords(withinDays * dayMs)} after joining`;
}

/** About people whom no message reaches in time, as a sentence (`domain/said.ts`). */
export function lateWords(names: readonly string[]): string {
  return say`${namedList(names, 3)} can’t be messaged before it’s due.`;
}

/** About another campaign with some of the people, likewise. */
export function overlapWords(
  { people, dueAt, isFirst }: CampaignOverlap,
  setting: { nowMs: number; timeZone: string },
): string {
  const who = peopleWords(people);
  if (dueAt === null)
    return say`${who} ${people === 1 ? 'has' : 'have'} to take it for another campaign already, without a due time.`;
  const due = momentInWords(dueAt, setting);
  return isFirst
    ? say`${who} ${people === 1 ? 'has' : 'have'} to take it for another campaign already, due ${due} or later.`
    : say`${who} ${people === 1 ? 'has' : 'have'} to take it for another campaign already, due ${due}.`;
}

/** Who gets a quiz first, in words: “1 group and 7 people”; undefined where everybody has it. */
export function lackingWords({ groups, users }: CampaignPlan['assign']): string | undefined {
  if (groups.length === 0 && users.length === 0) return undefined;
  return listed([
    ...(groups.length > 0 ? [countOf(groups.length, 'group', 'groups')] : []),
    ...(users.length > 0 ? [peopleWords(users.length)] : []),
  ]);
}

/** How long it takes until everybody in a campaign has its quiz, such as “a minute”: a request for each. */
export function assigningDuration({ groups, users }: CampaignPlan['assign']): string {
  return roughDuration(backgroundDurationMs(groups.length + users.length));
}

/** The same as a sentence; false where all have it. */
export function assigningWords(assign: CampaignPlan['assign']): string | false {
  return (
    assign.groups.length + assign.users.length > 0 &&
    say`Everyone who has to take it will have the quiz in ${assigningDuration(assign)}.`
  );
}

export function quizNames(campaigns: readonly Pick<Campaign, 'quiz'>[]): string {
  return namedList([...new Set(campaigns.map(({ quiz }) => quiz.name))]);
}

export function peopleWords(count: number): string {
  return countOf(count, 'person', 'people');
}

/** To whom the names of people would go, in sentences (`domain/said.ts`). @param to “to you”, or “to” and the names of the leads */
export function managersWords(
  { managed, unmanaged, unknown, problem }: PlannedManagers,
  to: string,
  platform: string,
): string {
  if (problem !== undefined)
    return sentences([say`The names of people who are late would go ${to}.`, noManagersWords(problem, platform)]);
  const asked = managed + unmanaged;
  if (asked === 0) return say`${platform} didn’t say yet who is whose manager. It’s asked again before names go out.`;
  const [isPart, first] = [unknown > 0, amount(asked)];
  if (managed === 0)
    return isPart
      ? say`Nobody of the first ${first} has a manager in ${platform}, so names would go ${to}.`
      : say`Nobody has a manager in ${platform}, so names would go ${to}.`;
  if (unmanaged === 0)
    return isPart
      ? say`Everyone of the first ${first} has a manager in ${platform}, who would get their name.`
      : say`Everyone has a manager in ${platform}, who would get their name.`;
  const who = peopleWords(managed);
  return sentences([
    isPart
      ? say`${who} of the first ${first} ${managed === 1 ? 'has' : 'have'} a manager in ${platform}, who would get their name.`
      : say`${who} ${managed === 1 ? 'has' : 'have'} a manager in ${platform}, who would get their name.`,
    say`The names of ${amount(unmanaged)} would go ${to}.`,
  ]);
}

/**
 * Why no message reaches a person, as it follows “not reached:” and a name.
 *
 * @param code of `domain/campaign-messages.ts`
 * @param platform its name
 */
export function unreachedWords(code: string, platform: string): string {
  switch (code) {
    case 'no_person':
      return say`nobody in ${platform} has their address`;
    case 'no_quiz':
      return say`the quiz couldn’t be assigned to them`;
    case 'another_user':
      return say`in ${platform}, their address is another user’s`;
    case 'no_user':
      return say`they aren’t in the quiz account any more`;
    case 'suspended':
      return say`they are suspended`;
    case 'turned_off':
      return say`they turned messages off`;
    case 'user_disabled':
    case 'user_not_found':
    case 'user_not_visible':
      return say`they aren’t in ${platform} any more`;
    default:
      return say`${platform} doesn’t take messages to them (${code})`;
  }
}

/**
 * An obligation in a few words, such as `overdue since 3 May`. A pass counts until the end of a day, so it is valid until the moment
 * before.
 *
 * @param dayOf the day of a moment in milliseconds since the epoch
 */
export function obligationWords(
  { state, dueAt, validUntil, excusedUntil }: Obligation,
  dayOf: (moment: number) => string,
): string {
  const dueDay = dueAt === undefined ? undefined : dayOf(dueAt);
  const lastDay = validUntil === undefined ? undefined : dayOf(validUntil - 1);
  switch (state) {
    case 'overdue':
      return dueDay === undefined ? '' : say`overdue since ${dueDay}`;
    case 'expired':
      return lastDay === undefined ? '' : say`expired ${lastDay}`;
    case 'due':
      return dueDay === undefined ? say`to take` : say`due ${dueDay}`;
    case 'expiring':
      return lastDay === undefined ? '' : say`renew by ${lastDay}`;
    case 'done':
      return lastDay === undefined ? say`done` : say`valid until ${lastDay}`;
    case 'excused':
      return excusedUntil === undefined ? say`excused` : say`excused until ${dayOf(excusedUntil)}`;
    case 'marking':
      return say`to be marked`;
    case 'not me':
      return say`says it isn’t for them`;
    case 'not yet due':
      return say`not yet due`;
    case 'not required':
      return say`not required`;
  }
}

const icons = {
  overdue: '⏰',
  due: '⏳',
  failed: '❌',
  expiring: '🔁',
  'out of reach': '📵',
  done: '✅',
  excused: '➖',
  marking: '📝',
  'not me': '🙋',
  'not yet due': '🕓',
  'not required': '👋',
} as const satisfies Record<PeopleGroup, string>;

/** The group of a person, as a sign. */
export function iconOf({ group, obligation }: Pick<Person, 'group' | 'obligation'>): string {
  return group === 'overdue' && obligation.state === 'expired' ? '⌛' : icons[group];
}

/** What somebody has to do about a quiz, in a line of its own. */
export function obligationLine(
  quiz: { name: string },
  person: Pick<Person, 'group' | 'obligation'>,
  dayOf: (moment: number) => string,
): string {
  return say`${iconOf(person)} *${shownQuizName(quiz.name)}* · ${obligationWords(person.obligation, dayOf)}`;
}

/** What people do to a campaign from its messages. */
const steps = {
  remind: (input) => runStep(say`Remind now`, { name: 'remind-campaign' }, input),
  extend: (input) => formStep(say`Extend…`, { name: 'extend-campaign' }, input),
  keepIn: (input) => runStep(say`Keep in`, { name: 'include-campaign' }, input),
  accept: (input) => runStep(say`Accept`, { name: 'hand-over-campaign' }, input),
  takeOver: (input) => runStep(say`Take over`, { name: 'hand-over-campaign' }, input),
  excuse: (input) => formStep(say`Excuse…`, { name: 'excuse-campaign' }, input),
  add: (input) => formStep(say`Add people…`, { name: 'add-to-campaign' }, input),
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
export function campaignSteps(campaignId: string, names: readonly (keyof typeof steps)[], input: TextInput = {}) {
  return names.map((name) => steps[name]({ campaign: [campaignId], ...input }));
}

/** The first names of a list, and how many more there are. */
export function nameList(
  people: readonly (string | { name: string })[],
  { most, count = people.length }: { most: number; count?: number },
): string {
  const names = people.slice(0, most).map((person) => (typeof person === 'string' ? person : person.name));
  const shown = names.map((name) => say`${listedName(name, true)}`);
  const left = count - shown.length;
  return joinSaid([...shown, left > 0 && say`and ${amount(left)} more`], ', ');
}

const partsAtMost = 10;

/** Parts of an audience outside the account: channels as mentions, user groups by their names. */
export function partList(parts: readonly string[]): string {
  const shown = parts.slice(0, partsAtMost).map((part) => {
    const known = parseMention(part);
    if (known?.kind === 'channel') return channelMention(known.id);
    return known?.name === undefined ? say`a user group` : say`@${shortName(known.name)}`;
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
