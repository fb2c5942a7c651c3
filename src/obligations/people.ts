import { dayMs, weekMs } from '../domain/durations.ts';
import type {
  Campaign,
  CampaignAttempt,
  CampaignMember,
  Obligation,
  ObligationState,
  Rule,
  StandingRule,
} from '../domain/campaign.ts';
import { whyUnreached } from '../domain/campaign-messages.ts';
import type { Holidays } from '../time/working-hours.ts';
import { obligationOf, type ObligationFacts, type ObligationRule } from './obligation.ts';
import { validUntil, type Calendar } from './validity.ts';

/**
 * What a campaign does about a member: nothing is left to do, or nothing now; `not me`: the trainer decides; `open`: they are asked;
 * `not required`: they have left a campaign that stands, or come in later.
 */
export type MemberState = 'complete' | 'excused' | 'marking' | 'not me' | 'open' | 'not required';

/**
 * Among whom somebody is counted and named, on every screen, message and file: everybody is in one group. `failed`: of a round, and
 * not late yet; `overdue`: also where a pass has expired; `out of reach`: they have to take it, and cannot now, or hear nothing of it.
 */
export type PeopleGroup = Exclude<ObligationState, 'expired'> | 'failed' | 'out of reach';

/** What a campaign asks for, and on whose clock. */
export type CampaignRule = Pick<Campaign, 'rule' | 'timeZone'>;
type RunningRule = CampaignRule & Pick<Campaign, 'startedAt'>;

/** How somebody with these attempts would stand in a campaign that begins now, in milliseconds since the epoch. */
export function obligationOfNewcomer(
  attempts: ObligationFacts['attempts'],
  rule: CampaignRule,
  now: number,
): Obligation {
  const facts = { stays: [{ from: now }], attempts, excuse: null, saidNotMeAt: null };
  return obligationOf(facts, ruleOf(rule.rule), now, calendarOf(rule));
}

/** Until when a pass of a moment counts; infinite where it counts for good. In milliseconds since the epoch. */
export function passValidUntil(passedAt: number, rule: CampaignRule): number {
  return validUntil(passedAt, rule.rule.validity, renewDaysOf(rule.rule), calendarOf(rule));
}

/** A member of a campaign, and what they have to do at a moment. */
export interface Person {
  member: CampaignMember;
  obligation: Obligation;
  state: MemberState;
  group: PeopleGroup;
}

/** Of each campaign, the people of the moment for which they were asked last. */
const lastAsked = new WeakMap<Campaign, { now: number; people: readonly Person[] }>();

/**
 * What everybody in a campaign has to do at a moment, in its order. Every screen, message, report and file reads it here.
 *
 * @param now milliseconds since the epoch
 */
export function peopleOf(campaign: Campaign, now: number): readonly Person[] {
  const last = lastAsked.get(campaign);
  if (last?.now === now) return last.people;
  const personFor = personIn(campaign, now);
  const people = campaign.members.map((member) => personFor(member));
  lastAsked.set(campaign, { now, people });
  return people;
}

/** The same of one of them. */
export function personOf(member: CampaignMember, campaign: RunningRule, now: number): Person {
  return personIn(campaign, now)(member);
}

/** What the campaign asks for is worked out once. */
function personIn(campaign: RunningRule, now: number): (member: CampaignMember) => Person {
  const [rule, calendar] = [ruleOf(campaign.rule), calendarOf(campaign)];
  return (member) => {
    const obligation = obligationOf(factsOf(member), rule, now, calendar);
    return { member, obligation, state: stateOf(obligation), group: groupOf(member, obligation, campaign) };
  };
}

function groupOf(member: CampaignMember, obligation: Obligation, campaign: RunningRule): PeopleGroup {
  const { state } = obligation;
  if (state !== 'due' && state !== 'overdue' && state !== 'expired') return state;
  if (whyUnreached(member) !== undefined) return 'out of reach';
  if (state !== 'due') return 'overdue';
  return campaign.rule.standing === null && hasFailed(member, obligation, campaign) ? 'failed' : 'due';
}

/** Whether they took it for what they are asked now, and did not pass, where they have to. */
export function hasFailed(
  member: CampaignMember,
  { asksFrom = 0 }: Pick<Obligation, 'asksFrom'>,
  campaign: RunningRule,
): boolean {
  if (campaign.rule.completeWhen === 'submitted') return false;
  const result = resultOf(member, campaign);
  return result?.outcome === 'failed' && (result.submittedAt ?? Infinity) >= asksFrom;
}

/** Those who still have to take the quiz. */
export function openPeople(campaign: Campaign, now: number): Person[] {
  return peopleOf(campaign, now).filter(({ state }) => state === 'open');
}

/** Those in some states; of a campaign that stands, these say more. */
export function inState(people: readonly Person[], ...states: readonly ObligationState[]): Person[] {
  return people.filter(({ obligation }) => states.includes(obligation.state));
}

/** The people of each group, in the order of the campaign. */
export type Groups = Readonly<Record<PeopleGroup, readonly Person[]>>;

/** Who is in which group: every number of people, and every list of names, is one of these. @param now milliseconds since the epoch */
export function groupsOf(campaign: Campaign, now: number): Groups {
  const groups: Record<PeopleGroup, Person[]> = {
    'not me': [],
    overdue: [],
    failed: [],
    due: [],
    expiring: [],
    'out of reach': [],
    marking: [],
    done: [],
    excused: [],
    'not yet due': [],
    'not required': [],
  };
  for (const person of peopleOf(campaign, now)) groups[person.group].push(person);
  return groups;
}

/** When an excuse next ends; undefined where none does. */
export function nextExcuseEnd(campaign: Campaign, now: number): number | undefined {
  const ends = peopleOf(campaign, now).flatMap(({ obligation }) => obligation.excusedUntil ?? []);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** When the next pass is to be renewed that is not to be yet, in milliseconds since the epoch; undefined: none is. */
export function nextRenewalAt(campaign: Campaign, now: number): number | undefined {
  const moments = inState(peopleOf(campaign, now), 'done').flatMap(({ obligation }) => obligation.asksFrom ?? []);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

function stateOf({ state }: Obligation): MemberState {
  switch (state) {
    case 'done':
      return 'complete';
    case 'not yet due':
      return 'not required';
    case 'not required':
    case 'excused':
    case 'marking':
    case 'not me':
      return state;
    default:
      return 'open';
  }
}

/** Whether somebody is asked to take the quiz. */
export function isOpen(obligation: Obligation): boolean {
  return stateOf(obligation) === 'open';
}

/** So long before somebody is asked, the quiz is assigned to them. */
const assignedBeforeMs = 2 * dayMs;

/** From when on somebody needs the quiz, in milliseconds since the epoch: 0 where they are asked to take it, infinite where they are not to be. */
export function neededFrom(obligation: Obligation): number {
  if (isOpen(obligation)) return 0;
  const { state, asksFrom = Infinity } = obligation;
  return state === 'done' || state === 'excused' ? asksFrom - assignedBeforeMs : Infinity;
}

/** Whether a member is in the audience now. */
export function isInside({ stays }: Pick<CampaignMember, 'stays'>): boolean {
  return stays.at(-1)?.to === undefined;
}

/**
 * Of the attempts of a member whose day would make a pass valid at the due time: the first that passed, or else the latest, since
 * marks are given later. Where passes are renewed, the latest says how somebody stands.
 */
export function resultOf({ attempts }: CampaignMember, campaign: RunningRule) {
  const counts = campaign.rule.standing ? laterOf : betterOf;
  return attempts
    .filter((attempt) => isOfRound(attempt, campaign))
    .reduce<CampaignAttempt | null>((best, attempt) => counts(best, attempt), null);
}

/** Whether an attempt is none of years ago: a pass of its day is valid at the due time. */
function isOfRound({ submittedAt }: CampaignAttempt, campaign: RunningRule): boolean {
  const { validity, standing, dueAt } = campaign.rule;
  if (standing !== null || validity === null || submittedAt === null) return true;
  return passValidUntil(submittedAt, campaign) > (dueAt ?? campaign.startedAt);
}

function betterOf(known: CampaignAttempt | null, other: CampaignAttempt): CampaignAttempt {
  if (known?.outcome !== 'passed') return other.outcome === 'passed' ? other : laterOf(known, other);
  // Webhooks come in any order.
  const isEarlier = other.outcome === 'passed' && (other.submittedAt ?? Infinity) < (known.submittedAt ?? Infinity);
  return isEarlier ? other : known;
}

function laterOf(known: CampaignAttempt | null, other: CampaignAttempt): CampaignAttempt {
  return known === null || (other.submittedAt ?? Infinity) >= (known.submittedAt ?? 0) ? other : known;
}

/** The obligation of a member, as its campaign keeps it. */
function factsOf(member: CampaignMember): ObligationFacts {
  const { attempts, excused, saidNotMeAt } = member;
  return {
    stays: member.stays,
    attempts: attempts.map(({ submittedAt, knownAt, outcome }) => ({ at: submittedAt ?? knownAt, outcome })),
    excuse: excused,
    saidNotMeAt,
  };
}

/** A month before a date for everyone, people take the quiz for the year after it. */
const roundRenewDays = 30;

function renewDaysOf({ standing }: Pick<Rule, 'standing'>): number {
  return standing?.renewDays ?? roundRenewDays;
}

/** The members of a campaign are in it from its start, or from when they came. */
function ruleOf({ completeWhen, validity, standing, dueAt }: Rule): ObligationRule {
  const common = { startsAt: 0, completeWhen, validity, renewDays: renewDaysOf({ standing }) };
  return standing === null
    ? { kind: 'round', dueAt, ...common }
    : { kind: 'standing', withinDays: standing.withinDays, ...common };
}

/** A round is due at one time, which no holiday moves. */
const noHolidays: Holidays = new Set();
const holidaySets = new WeakMap<StandingRule, Holidays>();

function calendarOf({ timeZone, rule: { standing } }: CampaignRule): Calendar {
  if (standing === null) return { timeZone, holidays: noHolidays };
  const holidays = holidaySets.get(standing) ?? new Set(standing.holidays);
  holidaySets.set(standing, holidays);
  return { timeZone, holidays };
}

/** How many people had to have a pass at a moment, and how many had one that counted. */
interface ValidAt {
  at: number;
  required: number;
  valid: number;
}

/**
 * How the campaign stood at the end of each of the last weeks, the earliest first, worked out from what is known now.
 *
 * @param now the end of the last week
 */
export function validOverWeeks(campaign: Campaign, weeks: number, now: number): ValidAt[] {
  return Array.from({ length: weeks }, (_, index) => now - (weeks - 1 - index) * weekMs)
    .filter((at) => at >= campaign.startedAt)
    .map((at) => {
      const people = campaign.members.map((member) => personOf(memberAsOf(member, at), campaign, at));
      const obliged = people.filter(({ state }) => state !== 'not required');
      const excused = inState(obliged, 'excused').length;
      return { at, required: obliged.length - excused, valid: inState(obliged, 'done', 'expiring').length };
    });
}

/** A member without what came later than a moment, in milliseconds since the epoch. */
export function memberAsOf(member: CampaignMember, at: number): CampaignMember {
  const { attempts, stays, excused, saidNotMeAt } = member;
  return {
    ...member,
    stays: stays.filter(({ from }) => from <= at),
    attempts: attempts.filter(({ submittedAt, knownAt }) => (submittedAt ?? knownAt) <= at),
    excused: excused !== null && excused.at <= at ? excused : null,
    saidNotMeAt: saidNotMeAt !== null && saidNotMeAt <= at ? saidNotMeAt : null,
  };
}

/** What campaigns ask of a person for a quiz. Times are milliseconds since the epoch. */
export interface OwnObligation {
  quizId: string;
  name: string;
  /** They are asked to take it now, and can. */
  isAsked: boolean;
  /** When they have, or had, to take it; undefined: at no time, or they are not asked. */
  dueAt?: number;
  /** Where a campaign stands: until when their pass counts, or counted; undefined: there is none, or it counts for good. */
  validUntil?: number;
  /** From when on they are asked to renew it; undefined: they are asked already. */
  renewFrom?: number;
}

/** What a campaign asks of a user; undefined for nothing. Nobody is asked before they have the quiz, and while it cannot be taken. */
export function ownObligation(campaign: Campaign, userId: string, now: number): OwnObligation | undefined {
  const { quiz, rule, obstacle } = campaign;
  const member = campaign.members.find((one) => one.userId === userId);
  if (member === undefined) return undefined;
  const { obligation, state } = personOf(member, campaign, now);
  const isAsked = state === 'open' && member.assignment === 'has' && obstacle === null;
  const { dueAt, asksFrom } = obligation;
  const end = rule.standing && (state === 'open' || state === 'complete') ? obligation.validUntil : undefined;
  if (!isAsked && end === undefined) return undefined;
  return {
    quizId: quiz.id,
    name: quiz.name,
    isAsked,
    ...(isAsked && dueAt !== undefined && { dueAt }),
    ...(end !== undefined && { validUntil: end }),
    ...(state === 'complete' && end !== undefined && asksFrom !== undefined && { renewFrom: asksFrom }),
  };
}

/** What several campaigns ask of a user, each quiz once: what is asked before what is not, and of these what comes first. */
export function ownObligations(campaigns: readonly Campaign[], userId: string, now: number): OwnObligation[] {
  const first = new Map<string, OwnObligation>();
  for (const campaign of campaigns) {
    const obligation = ownObligation(campaign, userId, now);
    const known = first.get(campaign.quiz.id);
    if (obligation && (known === undefined || isBefore(obligation, known))) first.set(campaign.quiz.id, obligation);
  }
  return [...first.values()];
}

function isBefore(one: OwnObligation, other: OwnObligation): boolean {
  if (one.isAsked !== other.isAsked) return one.isAsked;
  const momentOf = (own: OwnObligation) => (own.isAsked ? own.dueAt : own.validUntil) ?? Infinity;
  return momentOf(one) < momentOf(other);
}
