import type { Campaign } from '../domain/campaign.ts';
import { memberObligation, stateOf } from './members.ts';

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
  const obligation = memberObligation(member, campaign, now);
  const state = stateOf(obligation);
  const isAsked = state === 'open' && member.assignment === 'has' && obstacle === null;
  const { dueAt, asksFrom } = obligation;
  const validUntil = rule.standing && (state === 'open' || state === 'complete') ? obligation.validUntil : undefined;
  if (!isAsked && validUntil === undefined) return undefined;
  return {
    quizId: quiz.id,
    name: quiz.name,
    isAsked,
    ...(isAsked && dueAt !== undefined && { dueAt }),
    ...(validUntil !== undefined && { validUntil }),
    ...(state === 'complete' && validUntil !== undefined && asksFrom !== undefined && { renewFrom: asksFrom }),
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
  const momentOf = ({ isAsked, dueAt, validUntil }: OwnObligation) => (isAsked ? dueAt : validUntil) ?? Infinity;
  return momentOf(one) < momentOf(other);
}
