import { dayMs } from '../domain/durations.ts';
import type { Obligation, ObligationState, Stay, Validity } from '../domain/campaign.ts';
import type { SubmissionOutcome } from '../domain/submission-outcome.ts';
import { dueWithin, validUntil, type Calendar } from './validity.ts';

/** What is known of a person and a quiz. Times are milliseconds since the epoch. */
export interface ObligationFacts {
  /** In the audience, in order, none before the end of the one before. */
  stays: readonly Stay[];
  /** Those that were submitted. */
  attempts: readonly { at: number; outcome: SubmissionOutcome }[];
  /** The latest; null where there is none, or it was taken back. */
  excuse: { at: number; until: number | null } | null;
  /** They said that the quiz is not for them. */
  saidNotMeAt: number | null;
}

/** What a quiz is asked for. `completeWhen`: what counts as a pass. */
export type ObligationRule = {
  startsAt: number;
  completeWhen: 'passed' | 'submitted';
  /** Null: a pass counts for good. */
  validity: Validity | null;
  /** How long before the end of its validity a pass is to be renewed. */
  renewDays: number;
} &
  /** A round. `dueAt` null: it has no due time. */
  (
    | { kind: 'round'; dueAt: number | null }
    /** Counted from the day on which a person came in. */
    | { kind: 'standing'; withinDays: number }
  );

/** How a person stands to what they have to do, from the facts that are known at the moment `now`. */
export function obligationOf(
  { stays, attempts, excuse, saidNotMeAt }: ObligationFacts,
  rule: ObligationRule,
  now: number,
  calendar: Calendar,
): Obligation {
  const stay = stays.find(({ to = Infinity }) => now < to);
  if (stay === undefined) return { state: 'not required' };
  const begin = Math.max(stay.from, rule.startsAt);
  const validEnd = endOfValidity();
  const excuseEnd = endOfExcuse();
  const [dueAt, end, asksFrom] = [dueTime(), finite(validEnd), askTime()];
  const excusedUntil = now < excuseEnd ? finite(excuseEnd) : undefined;
  // Built without spreading: a matrix asks for hundreds of thousands of obligations at a time.
  const obligation: Obligation = { state: stateNow() };
  if (dueAt !== undefined) obligation.dueAt = dueAt;
  if (end !== undefined) obligation.validUntil = end;
  if (asksFrom !== undefined) obligation.asksFrom = asksFrom;
  if (excusedUntil !== undefined) obligation.excusedUntil = excusedUntil;
  return obligation;

  function stateNow(): ObligationState {
    if (now < begin) return 'not yet due';
    if (now < excuseEnd) return 'excused';
    if (counts(validEnd) && !isExpiring()) return 'done';
    if (isMarking()) return 'marking';
    if (saidNotMeAt !== null && saidNotMeAt >= (asksFrom ?? 0)) return 'not me';
    if (counts(validEnd)) return 'expiring';
    if (now < (dueAt ?? Infinity)) return 'due';
    return rule.kind === 'standing' && validEnd > begin ? 'expired' : 'overdue';
  }

  function endOf(passedAt: number): number {
    return validUntil(passedAt, rule.validity, rule.renewDays, calendar);
  }

  /** Of all passes, the latest end; 0 where there is none. */
  function endOfValidity(): number {
    return attempts
      .filter(({ outcome }) => completes(outcome, rule.completeWhen))
      .reduce((latest, { at }) => Math.max(latest, endOf(at)), 0);
  }

  /** An excuse must not carry into the next year silently. 0 where there is none. */
  function endOfExcuse(): number {
    if (excuse === null) return 0;
    if (excuse.until !== null || rule.kind === 'round') return excuse.until ?? Infinity;
    return endOf(excuse.at);
  }

  /** A round asks who has a valid pass at its due time. */
  function counts(until: number): boolean {
    return until > (rule.kind === 'round' ? (rule.dueAt ?? now) : now);
  }

  function renewFrom(): number {
    return validEnd - rule.renewDays * dayMs;
  }

  function isExpiring(): boolean {
    return rule.kind === 'standing' && renewFrom() <= now;
  }

  function askTime(): number | undefined {
    return rule.kind === 'standing' ? finite(Math.max(begin, excuseEnd, renewFrom())) : undefined;
  }

  function dueTime(): number | undefined {
    if (rule.kind === 'round') return rule.dueAt ?? undefined;
    if (validEnd === Infinity) return undefined;
    const askedAt = excuseEnd === Infinity ? begin : Math.max(begin, excuseEnd);
    return Math.max(dueWithin(rule.withinDays, askedAt, calendar), validEnd);
  }

  /** An attempt of years ago that nobody marked would be no valid pass, and one of the same day renews nothing. */
  function isMarking(): boolean {
    const last = attempts.reduce<(typeof attempts)[number] | undefined>(
      (latest, attempt) => (latest !== undefined && latest.at > attempt.at ? latest : attempt),
      undefined,
    );
    return last?.outcome === 'unmarked' && counts(endOf(last.at)) && endOf(last.at) > validEnd;
  }
}

/** Whether an attempt with this outcome counts as a pass. One that is not graded has nothing to pass. */
export function completes(outcome: SubmissionOutcome, completeWhen: ObligationRule['completeWhen']): boolean {
  return completeWhen === 'submitted' || outcome === 'passed' || outcome === 'not graded';
}

function finite(moment: number): number | undefined {
  return moment === 0 || moment === Infinity ? undefined : moment;
}
