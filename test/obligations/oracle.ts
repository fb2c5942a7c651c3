/// <reference lib="esnext.temporal" />
import type { Obligation } from '../../src/domain/campaign.ts';
import type { Life, LifeEvent } from './life.ts';

type Day = Temporal.PlainDate;

/** A moment later than any, and a day later than any, for what has no end. */
const never = Temporal.PlainDate.from('9999-12-31');

/**
 * What docs/campaigns.md#states says of a life, day by day. It keeps what a person with a calendar on the wall would note: in which
 * groups the person is and since when, the last day on which each pass is valid, and the excuse that runs.
 */
export function createOracle({ rule, calendar: { timeZone, holidays }, events }: Life) {
  const groups = new Set<string>();
  let inSince: number | undefined;
  const passes: { at: number; outcome: string; lastDay: Day | undefined }[] = [];
  const deleted = new Set<number>();
  let excuse: { until: number; ends: boolean } | undefined;
  let notMeAt: number | undefined;
  let next = 0;

  const dayOf = (moment: number): Day =>
    Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate();
  const momentOf = (day: Day, hour = 0): number =>
    day.toZonedDateTime({ timeZone, plainTime: { hour } }).epochMilliseconds;

  function lastDayOf(at: number): Day {
    const { validity, renewDays } = rule;
    const day = dayOf(at);
    if (validity === null) return never;
    if ('months' in validity) return day.add({ months: validity.months }, { overflow: 'constrain' });
    let date = Temporal.PlainDate.from({ year: day.year, ...validity.until }, { overflow: 'constrain' });
    while (day.until(date, { largestUnit: 'day' }).days <= renewDays)
      date = Temporal.PlainDate.from({ year: date.year + 1, ...validity.until }, { overflow: 'constrain' });
    return date;
  }

  const isPass = (outcome: string) => rule.completeWhen === 'submitted' || /^(?:passed|not graded)$/.test(outcome);

  function isWorkingDay(day: Day): boolean {
    const name = day.toString();
    return day.dayOfWeek <= 5 && !holidays.has(name) && !holidays.has(`${timeZone}:${name}`);
  }

  function dueFrom(moment: number): number {
    if (rule.kind !== 'standing') throw new Error('a round has one due time');
    const today = dayOf(moment);
    let working = today.add({ days: 1 });
    while (!isWorkingDay(working)) working = working.add({ days: 1 });
    const planned = today.add({ days: rule.withinDays });
    return momentOf(Temporal.PlainDate.compare(planned, working) > 0 ? planned : working, 17);
  }

  function happen(event: LifeEvent): void {
    switch (event.kind) {
      case 'join':
        groups.add(event.group);
        break;
      case 'leave':
        groups.delete(event.group);
        break;
      case 'attempt':
      case 'mark': {
        const at = event.kind === 'mark' ? passes[event.attempt]!.at : event.at;
        const noted = { at, outcome: event.outcome, lastDay: isPass(event.outcome) ? lastDayOf(at) : undefined };
        if (event.kind === 'mark') passes[event.attempt] = noted;
        else passes.push(noted);
        break;
      }
      case 'delete':
        deleted.add(event.attempt);
        break;
      case 'excuse': {
        const forGood = rule.kind === 'round' || rule.validity === null;
        const until = event.until ?? (forGood ? Infinity : momentOf(lastDayOf(event.at).add({ days: 1 })));
        excuse = { until, ends: until !== Infinity };
        break;
      }
      case 'include':
        excuse = undefined;
        notMeAt = undefined;
        break;
      case 'not me':
        notMeAt = event.at;
        break;
      case 'for me':
        notMeAt = undefined;
        break;
    }
  }

  /** Moments have to come in order. */
  function obligationAt(now: number): Obligation {
    for (; next < events.length && events[next]!.at <= now; next += 1) {
      const { at } = events[next]!;
      happen(events[next]!);
      // Who moves to another group is in both at that moment.
      if (events[next + 1]?.at === at) continue;
      if (groups.size === 0) inSince = undefined;
      else inSince ??= at;
    }
    if (inSince === undefined) return { state: 'not required' };
    const begin = Math.max(inSince, rule.startsAt);
    const left = passes.filter((_, index) => !deleted.has(index));
    const lastDay = left
      .flatMap(({ lastDay: day }) => (day ? [day] : []))
      .toSorted(Temporal.PlainDate.compare)
      .at(-1);
    const isForGood = lastDay?.equals(never) === true;
    const validEnd = lastDay === undefined || isForGood ? undefined : momentOf(lastDay.add({ days: 1 }));
    const excused = excuse !== undefined && now < excuse.until ? excuse : undefined;

    const due = dueTime();
    const asked = rule.kind === 'round' || isForGood ? undefined : askedFrom();
    return {
      state: stateNow(),
      ...(due !== undefined && { dueAt: due }),
      ...(validEnd !== undefined && { validUntil: validEnd }),
      ...(excused?.ends && { excusedUntil: excused.until }),
      ...(asked !== undefined && { asksFrom: asked }),
    };

    function askedFrom(): number | undefined {
      if (excused && !excused.ends) return undefined;
      let from = begin;
      if (excuse !== undefined && excuse.until > from) from = excuse.until;
      if (validEnd !== undefined) from = Math.max(from, validEnd - rule.renewDays * 24 * 3_600_000);
      return from;
    }

    function dueTime(): number | undefined {
      if (rule.kind === 'round') return rule.dueAt ?? undefined;
      if (isForGood) return undefined;
      let time = dueFrom(begin);
      if (excuse?.ends && excuse.until > begin) time = Math.max(time, dueFrom(excuse.until));
      if (validEnd !== undefined && validEnd > begin) time = Math.max(time, validEnd);
      return time;
    }

    function stateNow(): Obligation['state'] {
      if (now < begin) return 'not yet due';
      if (excused) return 'excused';
      const mustLast = rule.kind === 'round' && rule.dueAt !== null ? rule.dueAt : now;
      if (isForGood) return 'done';
      const isValid = lastDay !== undefined && Temporal.PlainDate.compare(dayOf(mustLast), lastDay) <= 0;
      const isToBeRenewed = rule.kind === 'standing' && now >= (validEnd ?? 0) - rule.renewDays * 24 * 3_600_000;
      if (isValid && !isToBeRenewed) return 'done';
      const latest = left.toSorted((a, b) => a.at - b.at).at(-1);
      const wouldLast = latest?.outcome === 'unmarked' ? lastDayOf(latest.at) : undefined;
      const isLonger = (day: Day) => lastDay === undefined || Temporal.PlainDate.compare(lastDay, day) < 0;
      if (wouldLast && Temporal.PlainDate.compare(dayOf(mustLast), wouldLast) <= 0 && isLonger(wouldLast))
        return 'marking';
      if (notMeAt !== undefined && (asked === undefined || notMeAt >= asked)) return 'not me';
      if (isValid) return 'expiring';
      if (due === undefined || now < due) return 'due';
      return rule.kind === 'standing' && validEnd !== undefined && validEnd > begin ? 'expired' : 'overdue';
    }
  }

  return obligationAt;
}
