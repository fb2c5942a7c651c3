import type { Announcement } from '../../../domain/announcement.ts';
import type { BatchProgress } from '../../../domain/batch.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { amount, asSaid, countOf, joinSaid, mention, say, shortName } from '../../../domain/said.ts';
import { byName } from '../../../domain/record-names.ts';
import { forecastOf } from '../../../obligations/forecast.ts';
import {
  groupsOf,
  hasFailed,
  memberAsOf,
  personOf,
  resultOf,
  validOverWeeks,
  type Groups,
  type Person,
} from '../../../obligations/people.ts';
import type { Chart, Fact, Page, Texts } from '../../../operations/page.ts';
import { progressBar } from '../../../operations/wording/result-words.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { dateInWords, day, fixedDay, moment } from '../../../time/date-words.ts';
import { startOfNextDay } from '../../../time/working-hours.ts';
import { campaignSteps, doneWords, dueFact, endOf, groupFacts, progressOf, responsibleWords } from './words.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

/** How many names stand in a line: of those who still have to take it; where each has a date; and of the others. */
const namesAtMost = { open: 40, dated: 20, others: 10 };

/** How far a campaign is, for its channel. */
export function campaignBoardPage({ campaign, assigning, now }: Of<'campaign-board'>): Page {
  const { id, quiz, endedAt } = campaign;
  const { standing } = campaign.rule;
  const groups = groupsOf(campaign, now);
  const isOver = endedAt !== null;
  return {
    heading: joinSaid([headingOf(campaign), progressLine(campaign, groups)], '\n'),
    notification: say`${isOver ? '🏁' : '📋'} ${shownQuizName(quiz.name)}: ${doneWords(campaign, groups)}`,
    parts: [
      {
        lines: [!isOver && pausedLine(campaign), forecastLine(campaign, now), punctualLine(campaign, groups, now)],
        facts: [...groupFacts(campaign, groups, now), dueFact(campaign, now), resultsFact(campaign, groups)],
        notes: [!isOver && assigningNote(assigning)],
      },
      { chart: standing ? validByWeek(campaign, now) : doneOverDays(campaign, groups, now) },
      // At the end, the final post names the missing people.
      {
        lines: isOver ? [] : peopleLines(campaign, groups),
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

function progressLine(campaign: Campaign, groups: Groups): string {
  const { done, of } = progressOf(groups);
  return say`${progressBar(of === 0 ? 1 : done / of)} *${doneWords(campaign, groups)}*`;
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
function punctualLine(campaign: Campaign, groups: Groups, now: number): string | undefined {
  const { dueAt, standing } = campaign.rule;
  if (standing !== null || dueAt === null || now < dueAt) return undefined;
  const done = groups.done.map(({ member }) => member);
  const punctual = done.filter(
    (member) => personOf(memberAsOf(member, dueAt), campaign, dueAt).state === 'complete',
  ).length;
  if (done.length === 0) return undefined;
  if (punctual === done.length)
    return punctual === 1 ? say`🎯 1 by the due time.` : say`🎯 All ${amount(punctual)} by the due time.`;
  return say`🎯 ${amount(punctual)} of them by the due time, ${amount(done.length - punctual)} later.`;
}

function startWords(campaign: Campaign): string {
  const { startedAt, endedAt } = campaign;
  return joinSaid(
    [...responsibleWords(campaign, moment(startedAt)), endedAt !== null && say`Ended ${moment(endedAt)}`],
    ' · ',
  );
}

/** Where every submission counts. */
function resultsFact(campaign: Campaign, { done }: Groups): Fact {
  const { completeWhen, standing } = campaign.rule;
  const isSaid = standing === null && completeWhen === 'submitted';
  const outcomes = isSaid ? done.map(({ member }) => resultOf(member, campaign)?.outcome) : [];
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  const failed = outcomes.filter((outcome) => outcome === 'failed').length;
  return [say`Results`, passed + failed > 0 ? say`${amount(passed)} passed, ${amount(failed)} didn’t` : undefined];
}

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

/** Who is in which group, the most urgent first; where the campaign stands, each with their time. */
function peopleLines(campaign: Campaign, groups: Groups): Texts {
  const { standing, board } = campaign.rule;
  const showsNames = board?.showsNames ?? true;
  const most = standing ? namesAtMost.dated : namesAtMost.open;
  const line = (label: string, some: readonly Person[], listing: Partial<Listing> = {}) =>
    some.length > 0 && say`${label} ${names(some, campaign, { most, showsNames, ...listing })}`;
  const others = { most: standing ? most : namesAtMost.others };
  const dates = standing && { at: ({ obligation }: Person) => obligation.dueAt };
  return [
    line(standing ? say`⏰ *Overdue, due since:*` : say`⏰ *Overdue:*`, groups.overdue, dates ?? { tellsFailed: true }),
    line(standing ? say`⏳ *Due:*` : say`⏳ *Still to take it:*`, groups.due, dates ?? {}),
    line(say`❌ *Not passed:*`, groups.failed),
    line(say`🔁 *To be renewed, valid until:*`, groups.expiring, { at: lastDay }),
    line(say`📵 *Can’t be reached by message:*`, groups['out of reach'], others),
    line(say`🙋 *Say it isn’t for them:*`, groups['not me'], others),
  ];
}

interface Listing {
  most: number;
  showsNames: boolean;
  /** A time whose day stands once before the names; the earliest come first. */
  at: (one: Person) => number | undefined;
  /** Who took it and did not pass stands apart from who did not take it. */
  tellsFailed: boolean;
}

/** The first names of a group, and how many more there are. Thousands are not sorted for the few that a board shows. */
function names(
  people: readonly Person[],
  campaign: Campaign,
  { most, showsNames = true, at, tellsFailed = false }: Partial<Listing> & { most: number },
) {
  const first: Person[] = [];
  const compare = (one: Person, other: Person) =>
    (at?.(one) ?? 0) - (at?.(other) ?? 0) || byName(one.member.name, other.member.name);
  for (const person of people) {
    const last = first[most - 1];
    if (last !== undefined && compare(person, last) >= 0) continue;
    first.splice(first.findLastIndex((known) => compare(known, person) <= 0) + 1, 0, person);
    first.length = Math.min(first.length, most);
  }
  const left = people.length - first.length;
  const more = left > 0 ? [say`and ${amount(left)} more`] : [];
  const nameOf = ({ member, obligation }: Person) => {
    const name = say`${listedName(member.name, showsNames)}`;
    return tellsFailed && hasFailed(member, obligation, campaign) ? say`${name} (not passed)` : name;
  };
  if (at === undefined) return joinSaid([...first.map(nameOf), ...more], ', ');
  const days = Map.groupBy(first, (one) => fixedDay(at(one) ?? 0, campaign.timeZone));
  const shown = [...days.values()].map((some) => {
    const [time, of] = [at(some[0]!), joinSaid(some.map(nameOf), ', ')];
    return time === undefined ? of : say`${day(time)}: ${of}`;
  });
  return joinSaid([...shown, ...more], '; ');
}

/** A pass counts until the end of a day. */
function lastDay({ obligation: { validUntil } }: Person): number | undefined {
  return validUntil === undefined ? undefined : validUntil - 1;
}

/** The outcome of a campaign, for its channel. */
export function campaignEndPage({ campaign, now }: Of<'campaign-end'>): Page {
  const { id, obstacle } = campaign;
  const { completeWhen, board } = campaign.rule;
  const groups = groupsOf(campaign, now);
  const { failed, missing } = endOf(campaign, groups);
  const quiz = say`*${shownQuizName(campaign.quiz.name)}*`;
  const over =
    obstacle?.status === 'gone'
      ? say`🏁 The campaign for ${quiz} is over, since the quiz was deleted.`
      : say`🏁 The campaign for ${quiz} is over.`;
  const sentences = [resultWords(campaign, groups), ...otherWords(groups)].map((sentence) => say`${sentence}`);
  const line = (label: string, some: readonly Person[]) =>
    some.length > 0 &&
    say`${label} ${names(some, campaign, { most: namesAtMost.open, showsNames: board?.showsNames ?? true })}`;
  return {
    heading: joinSaid([over, ...sentences], ' '),
    parts: [
      {
        lines: [
          line(say`❌ *Didn’t pass:*`, failed),
          line(completeWhen === 'passed' ? say`❌ *Didn’t take it:*` : say`❌ *Didn’t submit it:*`, missing),
          line(say`📵 *No message reached:*`, groups['out of reach']),
        ],
      },
    ],
    steps: campaignSteps(id, ['report', 'all']),
  };
}

/** Of those who had to take it: who did, and who didn’t. */
function resultWords({ rule: { completeWhen } }: Pick<Campaign, 'rule'>, groups: Groups): string {
  const { done, of: all } = progressOf(groups);
  const of = countOf(all, 'person', 'people');
  const open = groups.due.length + groups.failed.length + groups.overdue.length + groups['out of reach'].length;
  const toPass = completeWhen === 'passed';
  if (all === 0) return say`Nobody had to take it.`;
  if (done === all) return toPass ? say`Everyone passed: ${of}.` : say`Everyone submitted it: ${of}.`;
  if (done === 0 && open > 0)
    return toPass ? say`${amount(open)} of ${of} didn’t pass.` : say`${amount(open)} of ${of} didn’t submit it.`;
  if (open === 0) return toPass ? say`${amount(done)} of ${of} passed.` : say`${amount(done)} of ${of} submitted it.`;
  return toPass
    ? say`${amount(done)} of ${of} passed, ${amount(open)} didn’t.`
    : say`${amount(done)} of ${of} submitted it, ${amount(open)} didn’t.`;
}

/** Follows it: the others, in one sentence; empty where there are none. */
function otherWords(groups: Groups): string[] {
  const [excused, marking, notMe] = [groups.excused.length, groups.marking.length, groups['not me'].length];
  const others = [
    ...(excused > 0 ? [say`${amount(excused)} ${excused === 1 ? 'was' : 'were'} excused`] : []),
    ...(marking > 0 ? [say`${amount(marking)} ${marking === 1 ? 'waits' : 'wait'} to be marked`] : []),
    ...(notMe > 0 ? [say`${amount(notMe)} ${notMe === 1 ? 'says' : 'say'} it isn’t for them`] : []),
  ];
  return others.length === 0 ? [] : [`${others.join('; ')}.`];
}

/** A chart takes 20 points; this many are readable on a phone. */
const pointsAtMost = 14;

/**
 * How many members were done at the end of each day so far, by the lead’s clock. Longer campaigns have a point for several
 * days.
 *
 * @param now milliseconds since the epoch
 * @returns undefined on the first day and while nobody is done, which a figure says better
 */
function doneOverDays(campaign: Campaign, groups: Groups, now: number): Chart | undefined {
  const { startedAt, endedAt, timeZone } = campaign;
  const lastAt = Math.min(now, endedAt ?? Infinity);
  const days = daysBetween(startedAt, lastAt, timeZone);
  if (days.length < 2) return undefined;
  const perPoint = Math.ceil(days.length / pointsAtMost);
  // Counted from the last day, which is complete.
  const shown = days.filter((_, index) => (days.length - 1 - index) % perPoint === 0);
  // Where the service names no time, the result counts as of today.
  const doneAt = groups.done.map(({ member }) => resultOf(member, campaign)?.submittedAt ?? lastAt);
  if (doneAt.length === 0) return undefined;
  const points = shown.map(({ beginsAt, endsAt }, index) => ({
    label: dateInWords(beginsAt, 'dayOfYear', timeZone),
    value: index === shown.length - 1 ? doneAt.length : doneAt.filter((at) => at < endsAt).length,
  }));
  return {
    title: say`Done so far`,
    name: say`Done`,
    points,
    ...onTime(campaign, progressOf(groups).of, shown),
    isLine: true,
    xLabel: perPoint === 1 ? say`At the end of the day` : say`Every ${perPoint} days`,
    yLabel: say`People`,
  };
}

/** Steadily from nobody at the start to everyone at the due time. */
function onTime({ startedAt, timeZone, rule: { dueAt } }: Campaign, all: number, days: readonly { endsAt: number }[]) {
  if (dueAt === null || dueAt <= startedAt) return {};
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
