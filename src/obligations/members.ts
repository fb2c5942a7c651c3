import type { Campaign, CampaignAttempt, CampaignMember, Obligation, Rule, StandingRule } from '../domain/campaign.ts';
import type { Holidays } from '../time/working-hours.ts';
import { obligationOf, type ObligationFacts, type ObligationRule } from './obligation.ts';
import { validUntil, type Calendar } from './validity.ts';

/**
 * What a campaign does about a member: nothing is left to do, or nothing now; `not me`: the trainer decides; `open`: they are asked;
 * `not required`: they have left a campaign that stands.
 */
export type MemberState = 'complete' | 'excused' | 'marking' | 'not me' | 'open' | 'not required';

/** What a campaign asks for, and on whose clock. */
export type CampaignRule = Pick<Campaign, 'rule' | 'timeZone'>;

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

/** @param now milliseconds since the epoch */
export function memberObligation(member: CampaignMember, campaign: CampaignRule, now: number): Obligation {
  return obligationsIn(campaign, now)(member);
}

/** The same for many members: what the campaign asks for is worked out once. */
export function obligationsIn(campaign: CampaignRule, now: number): (member: CampaignMember) => Obligation {
  const [rule, calendar] = [ruleOf(campaign.rule), calendarOf(campaign)];
  return (member) => obligationOf(factsOf(member), rule, now, calendar);
}

/** What each member has to do, in the order of the campaign. */
export function obligationsOf(campaign: Campaign, now: number): readonly Obligation[] {
  return campaign.members.map(obligationsIn(campaign, now));
}

export function memberState(member: CampaignMember, campaign: CampaignRule, now: number): MemberState {
  return stateOf(memberObligation(member, campaign, now));
}

export function stateOf({ state }: Obligation): MemberState {
  switch (state) {
    case 'done':
      return 'complete';
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

/** When a member has, or had, to take the quiz, in milliseconds since the epoch; undefined: at no time. */
export function memberDueAt(member: CampaignMember, campaign: CampaignRule, now: number): number | undefined {
  return memberObligation(member, campaign, now).dueAt;
}

/** Whether a member is in the audience now. */
export function isInside({ stays }: Pick<CampaignMember, 'stays'>): boolean {
  return stays.at(-1)?.to === undefined;
}

/**
 * Of the attempts of a member whose day would make a pass valid at the due time: one that passed, or else the latest, since marks
 * are given later. Where passes are renewed, the latest says how somebody stands.
 */
export function resultOf({ attempts }: CampaignMember, campaign: CampaignRule & Pick<Campaign, 'startedAt'>) {
  const counts = campaign.rule.standing ? laterOf : betterOf;
  return attempts
    .filter((attempt) => isOfRound(attempt, campaign))
    .reduce<CampaignAttempt | null>((best, attempt) => counts(best, attempt), null);
}

/** Whether an attempt is none of years ago: a pass of its day is valid at the due time. */
function isOfRound({ submittedAt }: CampaignAttempt, campaign: CampaignRule & Pick<Campaign, 'startedAt'>): boolean {
  const { validity, standing, dueAt } = campaign.rule;
  if (standing !== null || validity === null || submittedAt === null) return true;
  return passValidUntil(submittedAt, campaign) > (dueAt ?? campaign.startedAt);
}

function betterOf(known: CampaignAttempt | null, other: CampaignAttempt): CampaignAttempt {
  if (known?.outcome === 'passed') return known;
  return other.outcome === 'passed' ? other : laterOf(known, other);
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

/** The members who still have to take the quiz. */
export function openMembers(campaign: Campaign, now: number): CampaignMember[] {
  const obligation = obligationsIn(campaign, now);
  return campaign.members.filter((member) => stateOf(obligation(member)) === 'open');
}

/** How many members are in each state. @param obligations of all members */
export function countMembers(
  campaign: Campaign,
  now: number,
  obligations = obligationsOf(campaign, now),
): Record<MemberState, number> {
  const counts = { complete: 0, excused: 0, marking: 0, 'not me': 0, open: 0, 'not required': 0 };
  for (const obligation of obligations) counts[stateOf(obligation)] += 1;
  return counts;
}

/** When an excuse next ends; undefined where none does. */
export function nextExcuseEnd(campaign: Campaign, now: number): number | undefined {
  const ends = campaign.members.flatMap((member) => {
    const until = member.excused && memberObligation(member, campaign, now).excusedUntil;
    return until ? [until] : [];
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}
