import type { Announcement } from '../../../domain/announcement.ts';
import type { BatchProgress } from '../../../domain/batch.ts';
import { whyUnreached } from '../../../domain/campaign-messages.ts';
import type { Campaign, CampaignMember, StandingRule } from '../../../domain/campaign.ts';
import { amount, asSaid, countOf, joinSaid, mention, say } from '../../../domain/said.ts';
import { shortName } from '../../../domain/short-name.ts';
import { forecastOf } from '../../../obligations/forecast.ts';
import {
  inState,
  memberAsOf,
  peopleOf,
  personOf,
  resultOf,
  validOverWeeks,
  type Person,
} from '../../../obligations/people.ts';
import type { Chart, Fact, Page, Texts } from '../../../operations/page.ts';
import { progressBar } from '../../../operations/wording/result-words.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { dateInWords, day, moment } from '../../../time/date-words.ts';
import { startOfNextDay } from '../../../time/working-hours.ts';
import { withinWords } from '../operations/campaign-words.ts';
import { campaignCounts, campaignSteps, doneWords, nameList, type CampaignCounts } from './words.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

/** How many names stand in a line: of those who still have to take it, of the unreached, and of those who say that it isn’t for them. */
const openNamesAtMost = 40;
const unreachedNamesAtMost = 10;
const notMeNamesAtMost = 10;

/** How far a campaign is, for its channel. */
export function campaignBoardPage({ campaign, assigning, now }: Of<'campaign-board'>): Page {
  const { id, quiz, endedAt } = campaign;
  const { standing } = campaign.rule;
  const people = peopleOf(campaign, now);
  const counts = campaignCounts(campaign, now);
  const isOver = endedAt !== null;
  return {
    heading: joinSaid([headingOf(campaign), progressLine(campaign, counts)], '\n'),
    notification: say`${isOver ? '🏁' : '📋'} ${shownQuizName(quiz.name)}: ${doneWords(campaign, counts)}`,
    parts: [
      {
        lines: [!isOver && pausedLine(campaign), forecastLine(campaign, now), punctualLine(campaign, people, now)],
        facts: standing ? standingFacts(people, standing, now) : factsOf(campaign, counts, now),
        notes: [!isOver && assigningNote(assigning)],
      },
      { chart: standing ? validByWeek(campaign, now) : doneOverDays(campaign, people, now) },
      // At the end, the final post names the missing people.
      {
        lines: isOver ? [] : standing ? standingLines(campaign, people) : peopleLines(campaign, counts, people),
      },
    ],
    steps: campaignSteps(
      id,
      isOver
        ? ['all', 'report']
        : // Where each person has a due time of their own, there is none to move.
          standing
          ? ['remind', 'excuse', 'end', 'all']
          : ['remind', 'extend', 'excuse', 'end', 'all'],
    ),
    notes: [startWords(campaign)],
  };
}

function headingOf({ quiz, endedAt }: Campaign): string {
  const name = say`*${shownQuizName(quiz.name)}*`;
  return endedAt === null ? say`📋 Campaign for ${name}` : say`🏁 The campaign for ${name} is over.`;
}

/** Why nobody gets messages for now. */
function pausedLine({ obstacle }: Campaign): string | undefined {
  if (obstacle === null) return undefined;
  const { status, by } = obstacle;
  const since = moment(obstacle.since);
  return by === null
    ? say`⏸️ Paused: the quiz is ${status === 'closed' ? 'closed' : 'not open'} since ${since}, so nobody gets messages.`
    : say`⏸️ Paused: the quiz is ${status === 'closed' ? 'closed' : 'not open'} by ${mention(by)} since ${since}, so nobody gets messages.`;
}

function progressLine(campaign: Campaign, counts: CampaignCounts): string {
  const { done, total, excused } = counts;
  const of = total - excused;
  return say`${progressBar(of === 0 ? 1 : done / of)} *${doneWords(campaign, counts)}*`;
}

/** How many will have done it by the due time; after it, `punctualLine` says how many had. */
function forecastLine(campaign: Campaign, now: number): string | undefined {
  const forecast = forecastOf(campaign, now);
  const { dueAt } = campaign.rule;
  if (forecast === undefined || dueAt === null) return undefined;
  const { low, expected, high } = forecast;
  const [of, dueDay] = [amount(forecast.of), day(dueAt, 'weekday')];
  if (low === high)
    return low === forecast.of
      ? say`📈 At today’s pace, all ${of} by ${dueDay}.`
      : say`📈 At today’s pace, about ${amount(expected)} of ${of} by ${dueDay}.`;
  return say`📈 At today’s pace, about ${amount(expected)} of ${of} by ${dueDay}, most likely ${amount(low)} to ${amount(high)}.`;
}

/** What it came to: of those who are done, how many were so by the due time. */
function punctualLine(campaign: Campaign, people: readonly Person[], now: number): string | undefined {
  const { dueAt, standing } = campaign.rule;
  if (standing !== null || dueAt === null || now < dueAt) return undefined;
  const done = people.filter(({ state }) => state === 'complete').map(({ member }) => member);
  const punctual = done.filter(
    (member) => personOf(memberAsOf(member, dueAt), campaign, dueAt).state === 'complete',
  ).length;
  if (done.length === 0) return undefined;
  return punctual === done.length
    ? say`🎯 All of them by the due time.`
    : say`🎯 ${amount(punctual)} of them by the due time, ${amount(done.length - punctual)} later.`;
}

function startWords({ ownerId, startedAt, endedAt }: Campaign): string {
  const start = say`Started by ${mention(ownerId)} ${moment(startedAt)}`;
  return endedAt === null ? start : joinSaid([start, say`Ended ${moment(endedAt)}`], ' · ');
}

/** A result is a fact only where the quiz is graded, and where the line above does not say it. */
function factsOf(
  { rule: { completeWhen, dueAt }, endedAt }: Campaign,
  { excused, results, failed, missing, overdue, marking, notMe }: CampaignCounts,
  now: number,
): Fact[] {
  return [
    [overdue > 0 && endedAt === null ? say`Overdue` : say`Missing`, amount(missing)],
    [say`Not passed`, anyOf(failed)],
    dueAt === null ? [say`Due`, say`No due time`] : [now < dueAt ? say`Due` : say`Was due`, moment(dueAt)],
    [
      say`Results`,
      completeWhen === 'submitted' && results.passed + results.failed > 0
        ? say`${amount(results.passed)} passed, ${amount(results.failed)} didn’t`
        : undefined,
    ],
    [say`Waiting to be marked`, anyOf(marking)],
    [say`Say it isn’t for them`, anyOf(notMe)],
    [say`Excused`, anyOf(excused)],
  ];
}

/** Where there are none, that is no fact. */
const anyOf = (count: number): string | undefined => (count > 0 ? amount(count) : undefined);

function assigningNote(assigning: BatchProgress | undefined): string | undefined {
  if (assigning === undefined) return undefined;
  const { done, total, failed, readyAt, problem } = assigning;
  const { state } = assigning.batch;
  const failures = failed > 0 ? [say`${amount(failed)} couldn’t be assigned.`] : [];
  if (state === 'finished') return failures[0] && say`⚠️ ${failures[0]}`;
  if (state === 'running')
    return joinSaid(
      [
        readyAt === undefined
          ? say`⏳ Assigning the quiz: ${amount(done)} of ${amount(total)}.`
          : say`⏳ Assigning the quiz: ${amount(done)} of ${amount(total)}, done ${moment(readyAt)}.`,
        ...failures,
      ],
      ' ',
    );
  const why = problem === undefined ? [] : [asSaid(shortName(problem))];
  return joinSaid(
    [say`⏸️ Assigning the quiz has stopped at ${amount(done)} of ${amount(total)}.`, ...why, ...failures],
    ' ',
  );
}

function peopleLines(campaign: Campaign, { overdue, notMe }: CampaignCounts, people: readonly Person[]): Texts {
  const showsNames = campaign.rule.board?.showsNames ?? true;
  const { reached, unreached } = missingNames(people, openNamesAtMost);
  const open = nameList(reached.names, { most: openNamesAtMost, count: reached.count, showsNames });
  const silent = nameList(unreached.names, { most: unreachedNamesAtMost, count: unreached.count, showsNames });
  const notTheirs = inState(people, 'not me')
    .map(({ member }) => member.name)
    .toSorted(byName);
  return [
    reached.count > 0 && (overdue > 0 ? say`⏰ *Overdue:* ${open}` : say`⏳ *Still to take it:* ${open}`),
    unreached.count > 0 && say`📵 *Can’t be reached by message:* ${silent}`,
    notMe > 0 && say`🙋 *Say it isn’t for them:* ${nameList(notTheirs, { most: notMeNamesAtMost, showsNames })}`,
  ];
}

/** Names of each state. */
const namesInState = 20;
const soonMs = 30 * 24 * 60 * 60_000;

/** In which state the people are of a campaign that stands. */
function standingFacts(people: readonly Person[], standing: StandingRule, now: number): Fact[] {
  const valid = inState(people, 'done', 'expiring');
  const ending = valid.filter(({ obligation }) => (obligation.validUntil ?? Infinity) - now <= soonMs);
  return [
    [say`Valid`, amount(valid.length)],
    [say`Due now`, amount(inState(people, 'due').length)],
    [say`Overdue`, amount(inState(people, 'overdue', 'expired').length)],
    [say`Expiring within 30 days`, amount(ending.length)],
    [say`Waiting to be marked`, anyOf(inState(people, 'marking').length)],
    [say`Say it isn’t for them`, anyOf(inState(people, 'not me').length)],
    [say`Excused`, anyOf(inState(people, 'excused').length)],
    [say`Each is due`, capitalized(withinWords(standing))],
  ];
}

/** Who needs something, the most urgent first, each with their time. */
function standingLines(campaign: Campaign, people: readonly Person[]): Texts {
  const showsNames = campaign.rule.board?.showsNames ?? true;
  const asked = inState(people, 'due', 'overdue', 'expired', 'expiring');
  const unreached = asked.filter(({ member }) => whyUnreached(member) !== undefined);
  const line = (label: string, some: readonly Person[], at?: (one: Person) => number | undefined) =>
    some.length > 0 && say`${label} ${names(some, at)}`;
  const dueAt = ({ obligation }: Person) => obligation.dueAt;
  return [
    line(say`⏰ *Overdue, due since:*`, inState(people, 'overdue', 'expired'), dueAt),
    line(say`⏳ *Due:*`, inState(people, 'due'), dueAt),
    line(say`🔁 *To be renewed, valid until:*`, inState(people, 'expiring'), lastDay),
    line(say`📵 *Can’t be reached by message:*`, unreached),
    line(say`🙋 *Say it isn’t for them:*`, inState(people, 'not me')),
  ];

  function names(some: readonly Person[], at: (one: Person) => number | undefined = () => undefined): string {
    const shown = some
      .toSorted((a, b) => (at(a) ?? 0) - (at(b) ?? 0) || byName(a.member.name, b.member.name))
      .slice(0, namesInState)
      .map((one) => {
        const time = at(one);
        const name = listedName(one.member.name, showsNames);
        return time === undefined ? say`${name}` : say`${name} (${day(time)})`;
      });
    const left = some.length - shown.length;
    return joinSaid([...shown, ...(left > 0 ? [say`and ${amount(left)} more`] : [])], ', ');
  }
}

/** A pass counts until the end of a day. */
function lastDay({ obligation: { validUntil } }: Person): number | undefined {
  return validUntil === undefined ? undefined : validUntil - 1;
}

/** The outcome of a campaign, for its channel. */
export function campaignEndPage({ campaign, now }: Of<'campaign-end'>): Page {
  const { id, obstacle } = campaign;
  const { completeWhen, board } = campaign.rule;
  const counts = campaignCounts(campaign, now);
  const { reached, unreached } = missingNames(peopleOf(campaign, now), openNamesAtMost);
  const names = ({ names: some, count }: FirstNames) =>
    nameList(some, { most: openNamesAtMost, count, showsNames: board?.showsNames ?? true });
  const late = names({ names: [...reached.names, ...unreached.names], count: reached.count + unreached.count });
  const quiz = say`*${shownQuizName(campaign.quiz.name)}*`;
  const over =
    obstacle?.status === 'gone'
      ? say`🏁 The campaign for ${quiz} is over, since the quiz was deleted.`
      : say`🏁 The campaign for ${quiz} is over.`;
  const sentences = [resultWords(campaign, counts), ...otherWords(counts)].map((sentence) => say`${sentence}`);
  return {
    heading: joinSaid([over, ...sentences], ' '),
    parts: [
      {
        lines: [
          counts.missing + counts.failed > 0 &&
            (completeWhen === 'passed' ? say`❌ *Didn’t pass:* ${late}` : say`❌ *Didn’t submit it:* ${late}`),
          unreached.count > 0 && say`📵 *No message reached:* ${names(unreached)}`,
        ],
      },
    ],
    steps: campaignSteps(id, ['report', 'all']),
  };
}

/** Of those who had to take it: who did, and who didn’t. */
function resultWords(
  { rule: { completeWhen } }: Pick<Campaign, 'rule'>,
  { total, excused, done, missing, failed }: CampaignCounts,
): string {
  const of = countOf(total - excused, 'person', 'people');
  const open = missing + failed;
  const toPass = completeWhen === 'passed';
  if (total === excused) return say`Nobody had to take it.`;
  if (done === total - excused) return toPass ? say`Everyone passed: ${of}.` : say`Everyone submitted it: ${of}.`;
  if (done === 0 && open > 0)
    return toPass ? say`${amount(open)} of ${of} didn’t pass.` : say`${amount(open)} of ${of} didn’t submit it.`;
  if (open === 0) return toPass ? say`${amount(done)} of ${of} passed.` : say`${amount(done)} of ${of} submitted it.`;
  return toPass
    ? say`${amount(done)} of ${of} passed, ${amount(open)} didn’t.`
    : say`${amount(done)} of ${of} submitted it, ${amount(open)} didn’t.`;
}

/** Follows it: the others, in one sentence; empty where there are none. */
function otherWords({ excused, marking, notMe }: CampaignCounts): string[] {
  const others = [
    ...(excused > 0 ? [say`${amount(excused)} ${excused === 1 ? 'was' : 'were'} excused`] : []),
    ...(marking > 0 ? [say`${amount(marking)} ${marking === 1 ? 'waits' : 'wait'} to be marked`] : []),
    ...(notMe > 0 ? [say`${amount(notMe)} ${notMe === 1 ? 'says' : 'say'} it isn’t for them`] : []),
  ];
  return others.length === 0 ? [] : [`${others.join('; ')}.`];
}

/** The first names of many members, in the order of the alphabet, and how many they are. */
interface FirstNames {
  names: readonly string[];
  count: number;
}

/** The members who still have to take the quiz, and those of them whom no message reaches. @param most names of each */
function missingNames(people: readonly Person[], most: number): { reached: FirstNames; unreached: FirstNames } {
  const missing = people.flatMap(({ member, state, obligation }) =>
    state === 'open' && obligation.state !== 'expiring' ? [member] : [],
  );
  const isReached = (member: CampaignMember) => whyUnreached(member) === undefined;
  const { true: reached = [], false: unreached = [] } = Object.groupBy(missing, (member) => String(isReached(member)));
  return { reached: firstNames(reached, most), unreached: firstNames(unreached, most) };
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

/** A chart takes 20 points; this many are readable on a phone. */
const pointsAtMost = 14;

/**
 * How many members were done at the end of each day so far, by the lead’s clock. Longer campaigns have a point for several
 * days.
 *
 * @param now milliseconds since the epoch
 * @returns undefined on the first day and while nobody is done, which a figure says better
 */
function doneOverDays(campaign: Campaign, people: readonly Person[], now: number): Chart | undefined {
  const { startedAt, endedAt, timeZone } = campaign;
  const lastAt = Math.min(now, endedAt ?? Infinity);
  const days = daysBetween(startedAt, lastAt, timeZone);
  if (days.length < 2) return undefined;
  const perPoint = Math.ceil(days.length / pointsAtMost);
  // Counted from the last day, which is complete.
  const shown = days.filter((_, index) => (days.length - 1 - index) % perPoint === 0);
  // Where the service names no time, the result counts as of today.
  const doneAt = inState(people, 'done').map(({ member }) => resultOf(member, campaign)?.submittedAt ?? lastAt);
  if (doneAt.length === 0) return undefined;
  const points = shown.map(({ beginsAt, endsAt }, index) => ({
    label: dateInWords(beginsAt, 'dayOfYear', timeZone),
    value: index === shown.length - 1 ? doneAt.length : doneAt.filter((at) => at < endsAt).length,
  }));
  return {
    title: say`Done so far`,
    name: say`Done`,
    points,
    ...onTime(campaign, people, shown),
    isLine: true,
    xLabel: perPoint === 1 ? say`At the end of the day` : say`Every ${perPoint} days`,
    yLabel: say`People`,
  };
}

/** Steadily from nobody at the start to everyone at the due time. */
function onTime(
  { startedAt, timeZone, rule: { dueAt } }: Campaign,
  people: readonly Person[],
  days: readonly { endsAt: number }[],
): Pick<Chart, 'beside'> {
  if (dueAt === null || dueAt <= startedAt) return {};
  const all = people.filter(({ state }) => state !== 'excused').length;
  const values = days.map(({ endsAt }) => Math.round(all * Math.min(1, (endsAt - startedAt) / (dueAt - startedAt))));
  return { beside: { name: say`On time for ${dateInWords(dueAt, 'dayOfYear', timeZone)}`, values } };
}

const weeksShown = 12;

/** How many people had a pass that counted, of those who had to have one, at the end of each of the last weeks; undefined in the first. */
function validByWeek(campaign: Campaign, now: number): Chart | undefined {
  const weeks = validOverWeeks(campaign, weeksShown, Math.min(now, campaign.endedAt ?? Infinity));
  if (weeks.length < 2) return undefined;
  return {
    title: say`Valid, week by week`,
    name: say`Valid`,
    points: weeks.map(({ at, valid }) => ({
      label: dateInWords(at, 'dayOfYear', campaign.timeZone),
      value: valid,
    })),
    beside: { name: say`Have to have it`, values: weeks.map(({ required }) => required) },
    isLine: true,
    xLabel: say`At the end of the week`,
    yLabel: say`People`,
  };
}

/** Two years of days: a start that is longer ago comes from a wrong clock. */
const daysAtMost = 800;

function daysBetween(from: number, to: number, timeZone: string): { beginsAt: number; endsAt: number }[] {
  const days: { beginsAt: number; endsAt: number }[] = [];
  for (let beginsAt = from; beginsAt <= to && days.length < daysAtMost;) {
    const endsAt = startOfNextDay(beginsAt, timeZone);
    days.push({ beginsAt, endsAt });
    beginsAt = endsAt;
  }
  return days;
}
