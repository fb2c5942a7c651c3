import { listedName } from '../../../operations/wording/shown-name.ts';
import { type Fact } from '../../../operations/page.ts';
import { day } from '../../../time/date-words.ts';
import type { KnownBlock } from '@slack/types';
import { withinWords } from '../../../features/campaigns/operations/campaign-words.ts';
import { amount, say, joinSaid } from '../../../domain/said.ts';
import { whyUnreached } from '../../../domain/campaign-messages.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { inState, obligedMembers, type ObligedMember } from '../../../obligations/standing.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { section } from '../blocks/mrkdwn.ts';

/** Of each state. */
const namesAtMost = 20;
const dayMs = 24 * 60 * 60_000;
const soonMs = 30 * dayMs;

/** In which state the people are of a campaign that stands. */
export function standingFacts(campaign: Campaign, now: number): Fact[] {
  const obliged = obligedMembers(campaign, now);
  const count = (some: readonly ObligedMember[]) => amount(some.length);
  const valid = inState(obliged, 'done', 'expiring');
  const ending = valid.filter(({ obligation }) => (obligation.validUntil ?? Infinity) - now <= soonMs);
  const other = (label: string, some: readonly ObligedMember[]): Fact[] =>
    some.length > 0 ? [[label, count(some)]] : [];
  return [
    [say`Valid`, count(valid)],
    [say`Due now`, count(inState(obliged, 'due'))],
    [say`Overdue`, count(inState(obliged, 'overdue', 'expired'))],
    [say`Expiring within 30 days`, count(ending)],
    ...other(say`Waiting to be marked`, inState(obliged, 'marking')),
    ...other(say`Say it isn’t for them`, inState(obliged, 'not me')),
    ...other(say`Excused`, inState(obliged, 'excused')),
    ...(campaign.standing ? [[say`Each is due`, capitalized(withinWords(campaign.standing))] satisfies Fact] : []),
  ];
}

/** Who needs something, the most urgent first, each with their time. */
export function standingBlocks(campaign: Campaign, now: number): KnownBlock[] {
  const {
    board,
    lead: { timeZone },
  } = campaign;
  const showsNames = board?.showsNames ?? true;
  const obliged = obligedMembers(campaign, now);
  const asked = obliged.filter(({ obligation: { state } }) =>
    ['due', 'overdue', 'expired', 'expiring'].includes(state),
  );
  const unreached = asked.filter(({ member }) => whyUnreached(member, campaign) !== undefined);
  const line = (label: string, some: readonly ObligedMember[], at?: (one: ObligedMember) => number | undefined) =>
    some.length === 0 ? [] : [section(say`${label} ${names(some, at)}`)];
  const dueAt = ({ obligation }: ObligedMember) => obligation.dueAt;
  return [
    ...line(say`⏰ *Overdue, due since:*`, inState(obliged, 'overdue', 'expired'), dueAt),
    ...line(say`⏳ *Due:*`, inState(obliged, 'due'), dueAt),
    ...line(say`🔁 *To be renewed, valid until:*`, inState(obliged, 'expiring'), lastDay),
    ...line(say`📵 *Can’t be reached by message:*`, unreached),
    ...line(say`🙋 *Say it isn’t for them:*`, inState(obliged, 'not me')),
  ];

  function names(
    some: readonly ObligedMember[],
    at: (one: ObligedMember) => number | undefined = () => undefined,
  ): string {
    const shown = some
      .toSorted((a, b) => (at(a) ?? 0) - (at(b) ?? 0) || byName(a.member.name, b.member.name))
      .slice(0, namesAtMost)
      .map((one) => {
        const moment = at(one);
        const name = listedName(one.member.name, showsNames);
        return moment === undefined ? say`${name}` : say`${name} (${day(moment, timeZone)})`;
      });
    const left = some.length - shown.length;
    return joinSaid([...shown, ...(left > 0 ? [say`and ${amount(left)} more`] : [])], ', ');
  }
}

/** A pass counts until the end of a day. */
function lastDay({ obligation: { validUntil } }: ObligedMember): number | undefined {
  return validUntil === undefined ? undefined : validUntil - 1;
}

const byName = new Intl.Collator('en', { numeric: true }).compare;
