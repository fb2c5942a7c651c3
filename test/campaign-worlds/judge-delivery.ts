import type { FactOf, Fact } from './journal.ts';
import { standingAt, stateOf, type Standing } from './oracle.ts';
import type { WorldPlan } from './plan.ts';

/** What a judge goes by. */
export interface Case {
  campaign: number;
  /** About the campaign, in the order of their times. */
  facts: readonly Fact[];
  /** When a message of any campaign came to a person. */
  toldAt: (who: number) => readonly number[];
  people: WorldPlan['people'];
  holidays: readonly string[];
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone: the date as yyyy-MM-dd, the weekday and the time. */
export function clockIn(at: number, timeZone: string): { day: string; weekday: string; time: string } {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: `${parts['year']}-${parts['month']}-${parts['day']}`,
    weekday: parts['weekday'] ?? '',
    time: `${parts['hour']}:${parts['minute']}:${parts['second']}`,
  };
}

export function dayOf(at: number, timeZone: string): string {
  return clockIn(at, timeZone).day;
}

export const shown = (at: number) => new Date(at).toISOString().slice(0, 19);

const dayMs = 86_400_000;
/** A weekend, a holiday, and a day on which another campaign wrote. */
const slackMs = 5 * dayMs;
const endsAfterMs = 28 * dayMs;

/** Whoever is missing gets the first message and the reminders, and a campaign ends when it has to. */
export function judgeDelivery(one: Case): [rule: string, message: string][] {
  return [...judgeSilence(one), ...judgeEnd(one)];
}

/** A message that is to come between two moments. */
interface Expected {
  rule: string;
  from: number;
  to: number;
  /** For so long before and until then, a message could reach the person. */
  openFrom: number;
}

/** Nobody whom a message would reach is left without one. */
function judgeSilence({ facts, toldAt, people }: Case): [string, string][] {
  const last = facts.at(-1)!.at;
  const end = standingAt(facts, last);
  const changes = facts
    .filter(({ kind }) => !['message', 'report', 'board', 'read'].includes(kind))
    .map(({ at }) => at);
  const ends = facts.flatMap((fact) => (fact.kind === 'excused' && fact.until !== undefined ? [fact.until] : []));
  const moments = [...new Set([...changes, ...ends])]
    .toSorted((a, b) => a - b)
    .map((at) => ({ at, standing: standingAt(facts, at) }));
  return end.members.flatMap((who) => {
    const messages = facts.flatMap((fact) => (fact.kind === 'message' && fact.who === who ? [fact.at] : []));
    const open = moments.map(({ at, standing }) => ({ at, isOpen: isOpen(standing, who) }));
    const isOpenAll = (from: number, to: number) =>
      open.findLast(({ at }) => at <= from)?.isOpen === true &&
      open.every(({ at, isOpen: is }) => is || at <= from || at > to);
    return (
      expectedFor(facts, who, end)
        .filter(({ to, openFrom }) => to <= last && isOpenAll(openFrom, to))
        // What do-not-disturb holds, or another campaign’s message on that day, can come after the due time (docs/campaigns.md).
        .filter(
          ({ rule, to }) =>
            rule !== 'no reminder before' ||
            !(people[who]!.isDisturbedLate || toldAt(who).some((at) => at >= to - slackMs && at <= to)),
        )
        // A person who snoozes it on the last working day gets it on the next one, which can be after the due time.
        .filter(
          ({ rule, to }) =>
            rule !== 'no reminder before' ||
            !facts.some(
              (fact) => fact.kind === 'snoozed' && fact.who === who && fact.at >= to - slackMs && fact.at <= to,
            ),
        )
        .filter(({ from, to }) => !messages.some((at) => at >= from && at <= to))
        .map(({ rule, from, to }): [string, string] => [
          rule,
          `person ${who} got no message from ${shown(from)} to ${shown(to)}`,
        ])
    );
  });
}

/** Whether a person has to be asked, and a message reaches them. */
function isOpen(then: Standing, who: number): boolean {
  const isAway = [then.deleted, then.suspended, then.left].some((away) => away.has(who));
  const isRunning = then.quiz === 'open' && then.endedAt === undefined && then.isBotUp;
  const isMissing = then.members.includes(who) && stateOf(then, who, [...then.known, ...then.attempts]) === 'missing';
  return isRunning && isMissing && !isAway;
}

/** A reminder that comes due on the day of an earlier message is left out. */
function leftOut(expected: Expected): Expected {
  return { ...expected, from: expected.from - dayMs };
}

function expectedFor(facts: Case['facts'], who: number, { addedAt }: Standing): Expected[] {
  const since = addedAt.get(who)!;
  const after = (rule: string, at: number): Expected => ({ rule, from: at, to: at + slackMs, openFrom: at });
  const excuseEnds = facts.flatMap((fact) =>
    fact.kind === 'excused' && fact.who === who && fact.until !== undefined && !isTakenBack(facts, who, fact)
      ? [after('no reminder after an excuse', fact.until)]
      : [],
  );
  const extensions = facts.filter((fact) => fact.kind === 'extended').map(({ at }) => at);
  const told = extensions
    .filter((at, index) => at >= since + slackMs && (extensions[index + 1] ?? Infinity) > at + slackMs)
    .map((at) => after('not told of an extension', at));
  const started = facts.find((fact): fact is FactOf<'started'> => fact.kind === 'started')!;
  const { dueAt, remindMs, overdueMs } = started;
  const planned =
    extensions.length > 0
      ? []
      : remindMs.map((ms): Expected => ({
          rule: 'no reminder before',
          from: dueAt - ms - slackMs,
          to: dueAt,
          openFrom: dueAt - ms - slackMs,
        }));
  const overdue =
    extensions.length > 0 || overdueMs === undefined
      ? []
      : Array.from({ length: 4 }, (_, index) => leftOut(after('no reminder after', dueAt + (index + 1) * overdueMs)));
  return [
    after('no first message', since),
    ...excuseEnds,
    ...told,
    ...[...planned, ...overdue].filter(({ openFrom }) => openFrom > since + dayMs),
  ];
}

/** Whether the person was included again before the excuse ends. */
function isTakenBack(facts: Case['facts'], who: number, { at, until = Infinity }: FactOf<'excused'>): boolean {
  return facts.some((fact) => fact.kind === 'included' && fact.who === who && fact.at >= at && fact.at <= until);
}

/** It ends by a person, when nobody is left, with its quiz, or four weeks after its due time or its first escalation. */
function judgeEnd({ facts }: Case): [string, string][] {
  const over = facts.find(({ kind }) => kind === 'over');
  const last = facts.at(-1)!.at;
  const at = over?.at ?? last;
  const then = standingAt(
    facts.filter(({ kind }) => kind !== 'over' && kind !== 'ended'),
    at,
  );
  const plannedAt = then.dueAt + (then.escalateMs ?? 0) + endsAfterMs;
  if (over === undefined)
    return plannedAt + dayMs < last && then.isBotUp ? [['no end', `it was to end at ${shown(plannedAt)}`]] : [];
  if (
    facts.some((fact) => fact.kind === 'ended' && fact.at <= at) ||
    then.quiz === 'deleted' ||
    at >= plannedAt - 1_000
  )
    return [];
  const states = then.members.map((who) => stateOf(then, who, then.read));
  if (
    !states.every((state) => state === 'done' || state === 'excused') ||
    [...then.excused.values()].some(({ until }) => until !== undefined)
  )
    return [['early end', `it ended at ${shown(at)}, and was to end at ${shown(plannedAt)}`]];
  const excusedAt = Math.max(0, ...[...then.excused.values()].map((excuse) => excuse.at));
  const isLastExcused = facts.every(
    (fact) => fact.at <= excusedAt || (fact.kind !== 'heard' && fact.kind !== 'read') || fact.at > at - 1_000,
  );
  return isLastExcused && at < excusedAt + dayMs - 1_000
    ? [['early end', `it ended at ${shown(at)}, and the last person was excused at ${shown(excusedAt)}`]]
    : [];
}
