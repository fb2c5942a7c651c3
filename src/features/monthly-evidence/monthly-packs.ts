import { countOf, say } from '../../domain/said.ts';
import type { EvidenceOrder } from '../../domain/evidence-order.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { Permissions } from '../../governance/rights/permissions.ts';
import type { Log } from '../../observability/log.ts';
import { visibleCampaigns } from '../../operations/fields/campaign.ts';
import { fileName } from '../../operations/file-name.ts';
import { monthInWords } from '../../operations/dates/month-words.ts';
import { namesOfPeople } from '../../operations/people-names.ts';
import { QuizApiError } from '../../quiz-api/errors.ts';
import { ranIn } from '../evidence/facts.ts';
import { packOf } from '../evidence/pack-of.ts';
import { sendEvidence } from '../evidence/send-evidence.ts';
import type { MonthlyPack } from './monthly-machine.ts';
import { isoMonth, periodOf } from './months.ts';

/** While the quiz service or the platform does not say who the people are. */
const asksAgainAfterMs = 60_000;

/**
 * Makes the packs that people get every month: of a campaign, or of all that ran in the month, as far as both the person who
 * ordered it and the person who gets it could ask for it at that moment.
 */
export function createMonthlyPacks(deps: {
  permissions: Pick<Permissions, 'contextOf'>;
  log: Log;
  now: () => number;
}): (teamId: string, order: EvidenceOrder) => Promise<MonthlyPack> {
  const { permissions, log, now } = deps;

  return async (teamId, order) => {
    try {
      return await make(teamId, order);
    } catch (error) {
      if (!(error instanceof QuizApiError) && !(error instanceof PlatformError)) throw error;
      log.warn({ error, order: order.id }, 'a monthly evidence pack is made later');
      return { kind: 'later', askAgainAt: now() + asksAgainAfterMs };
    }
  };

  async function make(teamId: string, order: EvidenceOrder): Promise<MonthlyPack> {
    const { campaign: only, month, timeZone } = order;
    const contextOf = async (personId: string) => permissions.contextOf(sendEvidence, { personId, teamId });
    const [by, to] = await Promise.all([contextOf(order.by), contextOf(order.to)]);
    if ('refusal' in by) return { kind: 'none', why: 'orderer' };
    if ('refusal' in to) return { kind: 'none', why: 'receiver' };
    const { context } = by;
    const period = periodOf(month, timeZone);
    const [ofBy, ofTo] = await Promise.all([visibleCampaigns(context), visibleCampaigns(to.context)]);
    const seenByBoth = new Set(ofTo.map(({ id }) => id));
    const wanted = only === null ? ofBy : ofBy.filter(({ id }) => id === only.id);
    if (only !== null && wanted.length === 0)
      return { kind: 'none', why: (await context.campaigns.byId(only.id)) === undefined ? 'over' : 'orderer' };
    const running = wanted.filter((campaign) => ranIn(campaign, period));
    if (running.length === 0) return { kind: 'none', why: isOver(wanted, order, period) ? 'over' : 'nothing ran' };
    const campaigns = running.filter(({ id }) => seenByBoth.has(id));
    if (campaigns.length === 0) return { kind: 'none', why: 'receiver' };

    const names = await namesOfPeople(context, [order.by, order.to]);
    const nameOf = (personId: string) => names.get(personId) ?? '';
    const both = [...new Set([order.by, order.to])].map(nameOf).join(' and ');
    const pack = await packOf(
      { ...context, call: { priority: 'background' } },
      {
        ...period,
        about: only?.quizName ?? `all campaigns that ${both} can see`,
        askedBy: `${nameOf(order.by)}, every month for ${nameOf(order.to)}`,
        campaigns,
        isQuizSeen: (quizId) => [context, to.context].every(({ visibility }) => visibility.quiz({ quiz_id: quizId })),
      },
    );
    const people = countOf(pack.people, 'person', 'people');
    const [inMonth, orderer] = [monthInWords(month), nameOf(order.by)];
    return {
      kind: 'pack',
      people: pack.people,
      file: {
        name: `${only === null ? 'Training' : fileName(only.quizName)} evidence ${isoMonth(month)}.zip`,
        comment:
          order.by === order.to
            ? say`Evidence for ${inMonth}: ${people}. You ordered it for every month. README.txt says how anyone can check it.`
            : say`Evidence for ${inMonth}: ${people}. ${orderer} ordered it for every month. README.txt says how anyone can check it.`,
        content: pack.content,
      },
    };
  }
}

/** Nothing comes any more: the one campaign ended before the month. */
function isOver(
  campaigns: readonly { endedAt: number | null }[],
  { campaign }: EvidenceOrder,
  { since }: { since: number },
): boolean {
  return campaign !== null && campaigns.every(({ endedAt }) => endedAt !== null && endedAt < since);
}
