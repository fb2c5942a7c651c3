import { dayMs } from '../../domain/durations.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Campaign } from '../../domain/campaign.ts';
import { groupsOf, type Person } from '../../obligations/people.ts';
import { dueSoonMs } from '../../obligations/matrix.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { isNotPassed, type AssignedQuizzes } from '../quizzes/own-quizzes.ts';

/** What may need a person. They may read all of it. */
export interface TodayFacts {
  /** Requests of others on which they may decide. */
  requests: readonly ApprovalRequest[];
  /** Campaigns that run, and that they started or lead. */
  campaigns: readonly Campaign[];
  /** Subscriptions of theirs that the bot paused. */
  paused: readonly Subscription[];
  /** Previews of imports that they made and can still start. */
  previews: readonly Plan[];
  /** What campaigns ask of them. */
  obligations: readonly DueQuiz[];
  /** Their own quizzes; undefined for staff. */
  own: AssignedQuizzes | undefined;
  /** In milliseconds since the epoch. */
  now: number;
}

/** A quiz that a person has to take. `dueAt`: in milliseconds since the epoch; undefined for no due time. */
export interface DueQuiz {
  quizId: string;
  name: string;
  dueAt: number | undefined;
  /** Until when a pass counts, or counted, that is to be renewed; undefined for none. */
  validUntil?: number | undefined;
  /** Undefined where the account has no such address configured. */
  takeUrl: string | undefined;
  /** They took it and did not pass; no campaign asks for it now. */
  isNotPassed?: boolean;
}

/** Something that needs a person. Counts are of people. */
export type TodayLine =
  | { kind: 'decide'; request: ApprovalRequest }
  /** `isReminding`: a person asked for reminders within a day. */
  | { kind: 'missed'; campaign: Campaign; count: number; isReminding: boolean }
  /** `failed`: of a round, besides those who did not take it. */
  | { kind: 'due soon'; campaign: Campaign; count: number; failed: number; dueAt: number }
  | { kind: 'out of reach'; campaign: Campaign; count: number }
  | { kind: 'not theirs'; campaign: Campaign; count: number }
  | { kind: 'candidates'; campaign: Campaign; count: number }
  | { kind: 'to mark'; campaign: Campaign; count: number }
  | { kind: 'halted'; campaign: Campaign; obstacle: NonNullable<Campaign['obstacle']> }
  | { kind: 'paused'; subscription: Subscription }
  | { kind: 'preview'; plan: Plan }
  | { kind: 'take'; quiz: DueQuiz; isOverdue: boolean };

/** The most urgent lines, and how many of each kind are left out. */
export interface Today {
  lines: readonly TodayLine[];
  left: Partial<Record<TodayLine['kind'], number>>;
}

export const linesAtMost = 5;

/** What is late comes first, then those who wait for a decision, what stands still, what is due soon, and the rest. */
const ranks = ['late', 'decision', 'halt', 'soon', 'later'] as const;

interface Ranked {
  rank: (typeof ranks)[number];
  /** Of the same rank, the earlier is more urgent. */
  at: number;
  line: TodayLine;
}

/** What needs a person now, the most urgent first. */
export function todayFrom(facts: TodayFacts): Today {
  const lines = [
    ...facts.requests.map((request): Ranked => ({
      rank: 'decision',
      at: request.expiresAt,
      line: { kind: 'decide', request },
    })),
    ...facts.campaigns.flatMap((campaign) => linesOf(campaign, facts.now)),
    ...facts.paused.map((subscription): Ranked => ({
      rank: 'halt',
      at: subscription.pause?.since ?? 0,
      line: { kind: 'paused', subscription },
    })),
    ...facts.previews.map((plan): Ranked => ({ rank: 'later', at: plan.createdAt, line: { kind: 'preview', plan } })),
    ...toTake(facts).map((quiz) => takeLine(quiz, facts.now)),
  ]
    .toSorted((a, b) => ranks.indexOf(a.rank) - ranks.indexOf(b.rank) || a.at - b.at)
    .map(({ line }) => line);
  const left = Object.groupBy(lines.slice(linesAtMost), ({ kind }) => kind);
  return {
    lines: lines.slice(0, linesAtMost),
    left: Object.fromEntries(Object.entries(left).map(([kind, some]) => [kind, some.length])),
  };
}

function linesOf(campaign: Campaign, now: number): Ranked[] {
  const { obstacle, remindNowAt } = campaign;
  const groups = groupsOf(campaign, now);
  const { overdue: late, failed, marking, 'not me': askers, 'out of reach': unreached } = groups;
  const dueTime = ({ obligation }: Person) => obligation.dueAt ?? Infinity;
  const open = [...late, ...failed, ...groups.due, ...groups.expiring];
  const dueAt = Math.min(...open.map(dueTime));
  const isSoon = (person: Person) => dueTime(person) - now <= dueSoonMs;
  const soon = [...groups.due, ...groups.expiring].filter(isSoon).length;
  const soonFailed = failed.filter(isSoon).length;
  const lines: Ranked[] = [];
  if (obstacle !== null) {
    if (open.length > 0) lines.push({ rank: 'halt', at: obstacle.since, line: { kind: 'halted', campaign, obstacle } });
  } else if (late.length > 0) {
    const isReminding = remindNowAt !== null && now - remindNowAt < dayMs;
    const line: TodayLine = { kind: 'missed', campaign, count: late.length, isReminding };
    lines.push({ rank: isReminding ? 'later' : 'late', at: dueAt, line });
  } else if (soon + soonFailed > 0) {
    lines.push({
      rank: 'soon',
      at: dueAt,
      line: { kind: 'due soon', campaign, count: soon, failed: soonFailed, dueAt },
    });
  }
  if (unreached.length > 0 && obstacle === null) {
    const at = Math.min(...unreached.map(dueTime));
    const line: TodayLine = { kind: 'out of reach', campaign, count: unreached.length };
    lines.push({ rank: now >= at ? 'late' : 'later', at, line });
  }
  if (askers.length > 0) {
    const at = Math.min(...askers.map(({ member }) => member.saidNotMeAt ?? now));
    lines.push({ rank: 'decision', at, line: { kind: 'not theirs', campaign, count: askers.length } });
  }
  const { people: waiting = [] } = campaign.candidates ?? {};
  if (waiting.length > 0) {
    const at = Math.min(...waiting.map(({ since }) => since));
    lines.push({ rank: 'decision', at, line: { kind: 'candidates', campaign, count: waiting.length } });
  }
  if (marking.length > 0)
    lines.push({ rank: 'later', at: Math.min(dueAt, now), line: { kind: 'to mark', campaign, count: marking.length } });
  return lines;
}

/** Each quiz once, with its first due time: what campaigns ask for, and what the person has besides. */
function toTake({ obligations, own }: TodayFacts): DueQuiz[] {
  const quizzes = new Map<string, DueQuiz>();
  for (const quiz of obligations) {
    const known = quizzes.get(quiz.quizId);
    if (known === undefined || (quiz.dueAt ?? Infinity) < (known.dueAt ?? Infinity)) quizzes.set(quiz.quizId, quiz);
  }
  for (const quiz of own?.quizzes ?? []) {
    const { quiz_id: quizId, name, isDue, takeUrl } = quiz;
    if (quizzes.has(quizId)) continue;
    if (isDue) quizzes.set(quizId, { quizId, name, dueAt: undefined, takeUrl });
    else if (isNotPassed(quiz)) quizzes.set(quizId, { quizId, name, dueAt: undefined, takeUrl, isNotPassed: true });
  }
  return [...quizzes.values()];
}

function takeLine(quiz: DueQuiz, now: number): Ranked {
  const at = quiz.dueAt ?? Infinity;
  const isOverdue = now >= at;
  return {
    rank: isOverdue ? 'late' : at - now <= dueSoonMs ? 'soon' : 'later',
    at,
    line: { kind: 'take', quiz, isOverdue },
  };
}
