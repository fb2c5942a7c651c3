import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { ObligationFacts, ObligationRule } from '../../src/obligations/obligation.ts';
import type { Stay } from '../../src/domain/campaign.ts';
import type { Calendar } from '../../src/obligations/validity.ts';

type Attempt = ObligationFacts['attempts'][number];

/** What happens to a person, at a moment in milliseconds since the epoch. Attempts are named by the order in which they were made. */
export type LifeEvent = { at: number } & (
  | { kind: 'join' | 'leave'; group: string }
  | { kind: 'attempt'; outcome: Attempt['outcome'] }
  | { kind: 'mark'; attempt: number; outcome: Attempt['outcome'] }
  | { kind: 'delete'; attempt: number }
  | { kind: 'excuse'; until?: number }
  | { kind: 'include' | 'not me' | 'for me' }
);

/** Five years of a person under a rule. `moments`: one on each day, and those at which something begins or ends. */
export interface Life {
  seed: number;
  rule: ObligationRule;
  calendar: Calendar;
  events: readonly LifeEvent[];
  moments: readonly number[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const daysOfLife = 5 * 365 + 1;
const zones = [
  'Europe/London',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
  'Etc/UTC',
];
const holidays = new Set(['2026-12-25', '2027-01-01', '2028-02-29', '2029-12-25', 'Asia/Kolkata:2027-01-26']);

/** Begins so that 29 February 2028 is in it, now and then in the middle of a stay. */
export function lifeOf(seed: number): Life {
  const random = createSeededRandom(seed);
  const { number, between, pick } = random;
  const begin = Date.UTC(2025, between(0, 23), between(1, 28), between(0, 23), between(0, 59));
  const end = begin + daysOfLife * dayMs;
  const rule = ruleOf(random, begin);
  const events: LifeEvent[] = [];
  const groups = ['kitchen', 'night', 'day'].filter(() => number() < 0.6);
  for (const group of groups) events.push(...membership(random, group, begin, end));
  const moves = events.filter(({ kind }) => kind === 'leave' && number() < 0.3);
  for (const { at } of moves)
    events.push(
      { at, kind: 'join', group: 'moved' },
      { at: at + between(1, 300) * dayMs, kind: 'leave', group: 'moved' },
    );

  let attempts = 0;
  for (let at = begin + between(0, 300) * dayMs; at < end; at += between(1, 500) * dayMs + between(0, 86_399_999)) {
    const outcome = pick(['passed', 'passed', 'passed', 'failed', 'unmarked', 'not graded'] as const);
    const attempt = (attempts += 1) - 1;
    events.push({ at, kind: 'attempt', outcome });
    const later = at + between(1, 40) * dayMs;
    if (outcome === 'unmarked' && number() < 0.8)
      events.push({ at: later, kind: 'mark', attempt, outcome: pick(['passed', 'failed']) });
    if (number() < 0.15) events.push({ at: at + between(1, 700) * dayMs, kind: 'delete', attempt });
    if (number() < 0.2) events.push({ at: later, kind: pick(['not me', 'for me']) });
  }
  for (let at = begin + between(0, 900) * dayMs; at < end; at += between(100, 900) * dayMs + between(0, 86_399_999)) {
    const until = at + between(1, 200) * dayMs + between(0, 86_399_999);
    events.push({ at, kind: 'excuse', ...(number() < 0.7 && { until }) });
    if (number() < 0.3) events.push({ at: at + between(1, 100) * dayMs, kind: 'include' });
  }
  return {
    seed,
    rule,
    calendar: { timeZone: pick(zones), holidays },
    events: events.toSorted((a, b) => a.at - b.at),
    moments: [
      ...Array.from({ length: daysOfLife }, (_, day) => begin + day * dayMs + between(0, 86_399_999)),
      ...turnsOf(rule, events),
    ].toSorted((a, b) => a - b),
  };
}

function turnsOf(rule: ObligationRule, events: readonly LifeEvent[]): number[] {
  const dueAt = rule.kind === 'round' ? rule.dueAt : null;
  const ends = events.map((event) => (event.kind === 'excuse' ? event.until : undefined));
  return [rule.startsAt, dueAt, ...events.map(({ at }) => at), ...ends].filter((at) => typeof at === 'number');
}

function ruleOf({ number, between, pick }: SeededRandom, begin: number): ObligationRule {
  const startsAt = begin + between(-400, 400) * dayMs;
  const validity = pick([
    { months: pick([1, 6, 12, 24]) },
    {
      until: pick([
        { month: 1, day: 31 },
        { month: 2, day: 29 },
        { month: 9, day: between(1, 30) },
      ]),
    },
  ]);
  const common = {
    startsAt,
    completeWhen: pick(['passed', 'passed', 'submitted'] as const),
    validity: number() < 0.75 ? validity : null,
    renewDays: pick([0, 14, 30, 60]),
  };
  return number() < 0.3
    ? { ...common, kind: 'round', dueAt: number() < 0.1 ? null : startsAt + between(1, 400) * dayMs }
    : { ...common, kind: 'standing', withinDays: pick([1, 2, 14, 90]) };
}

function membership({ number, between }: SeededRandom, group: string, begin: number, end: number): LifeEvent[] {
  const events: LifeEvent[] = [];
  let at = begin + (number() < 0.4 ? 0 : between(0, 800) * dayMs + between(0, 86_399_999));
  while (at < end) {
    const left = at + between(1, 1_200) * dayMs + between(0, 86_399_999);
    events.push({ at, kind: 'join', group });
    if (number() < 0.2) break;
    events.push({ at: left, kind: 'leave', group });
    at = left + between(1, 400) * dayMs;
  }
  return events;
}

/** The facts that are known at a moment. The service lists attempts in any order. */
export function factsAt({ events, seed }: Pick<Life, 'events' | 'seed'>, now: number): ObligationFacts {
  const past = events.filter(({ at }) => at <= now);
  const parts: Stay[] = [];
  const open = new Map<string, Stay>();
  const attempts: (Attempt | undefined)[] = [];
  let facts: Pick<ObligationFacts, 'excuse' | 'saidNotMeAt'> = { excuse: null, saidNotMeAt: null };
  for (const event of past) {
    switch (event.kind) {
      case 'join': {
        if (open.has(event.group)) break;
        const stay: Stay = { from: event.at };
        open.set(event.group, stay);
        parts.push(stay);
        break;
      }
      case 'leave': {
        const stay = open.get(event.group);
        if (stay) stay.to = event.at;
        open.delete(event.group);
        break;
      }
      case 'attempt':
        attempts.push({ at: event.at, outcome: event.outcome });
        break;
      case 'mark':
        if (attempts[event.attempt]) attempts[event.attempt] = { ...attempts[event.attempt]!, outcome: event.outcome };
        break;
      case 'delete':
        attempts[event.attempt] = undefined;
        break;
      case 'excuse':
        facts = { ...facts, excuse: { at: event.at, until: event.until ?? null } };
        break;
      case 'include':
        facts = { excuse: null, saidNotMeAt: null };
        break;
      case 'not me':
        facts = { ...facts, saidNotMeAt: event.at };
        break;
      case 'for me':
        facts = { ...facts, saidNotMeAt: null };
        break;
    }
  }
  const left = attempts.filter((attempt) => attempt !== undefined);
  return { stays: staysIn(parts), attempts: seed % 2 === 0 ? left : left.toReversed(), ...facts };
}

/** The stays in an audience, from those in its parts: who is in two of them at a time, or moves from one to another, has one stay. */
function staysIn(parts: readonly Stay[]): Stay[] {
  const endOf = ({ to = Infinity }: Stay) => to;
  const stays: Stay[] = [];
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const last = stays.at(-1);
    if (last === undefined || endOf(last) < part.from) stays.push(part);
    else if (endOf(part) > endOf(last)) stays[stays.length - 1] = { ...part, from: last.from };
  }
  return stays;
}
