import { judgeBoards } from './judge-boards.ts';
import { judgeDelivery } from './judge-delivery.ts';
import { judgeMessages } from './judge-messages.ts';
import { judgeReports } from './judge-reports.ts';
import { dayOf, type Case } from './case.ts';
import { factsAbout, type Fact, type Journal } from './journal.ts';
import type { WorldPlan } from './plan.ts';

/** Something that differs from the documentation. */
export interface Difference {
  rule: string;
  campaign: number | undefined;
  message: string;
}

export function judge({ all }: Journal, plan: WorldPlan, holidays: readonly string[]): Difference[] {
  const toldAt = (who: number) => all.flatMap((fact) => (fact.kind === 'message' && fact.who === who ? [fact.at] : []));
  const ofCampaigns = [...plan.campaigns.keys()].flatMap((campaign) => {
    const one: Case = { campaign, facts: factsAbout(all, campaign), toldAt, people: plan.people, holidays };
    if (!one.facts.some(({ kind }) => kind === 'started')) return [];
    return [...judgeMessages(one), ...judgeDelivery(one), ...judgeReports(one), ...judgeBoards(one)].map(
      ([rule, message]) => ({ rule, campaign, message }),
    );
  });
  return [...ofCampaigns, ...oneADay(all, plan)];
}

/** A person gets at most one message a day, over all campaigns. */
function oneADay(all: readonly Fact[], { people }: WorldPlan): Difference[] {
  const days = new Map<string, number>();
  for (const fact of all) {
    if (fact.kind !== 'message') continue;
    const day = `${fact.who} ${dayOf(fact.at, people[fact.who]!.timeZone)}`;
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return [...days]
    .filter(([, count]) => count > 1)
    .map(([day, count]) => ({
      rule: 'one a day',
      campaign: undefined,
      message: `person and day ${day}: ${count} messages`,
    }));
}
