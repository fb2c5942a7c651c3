import type { Campaign, CampaignSummary } from '../../domain/campaign.ts';
import type { OperationContext } from '../../operations/context.ts';
import { namesOfPeople } from '../../operations/people-names.ts';
import { linksUpTo } from '../../operations/trail-links.ts';
import { QuizApiError } from '../../quiz-api/errors.ts';
import type { CampaignFacts, EvidenceHead } from './facts.ts';
import type { Pack, PackContents } from './pack.ts';

/** For the results of all campaigns together. Of those that are not read by then, the pack has what was known. */
const readTimeoutMs = 45_000;

export type PackContext = OperationContext<'campaigns' | 'records' | 'evidence'>;

export interface WantedPack extends Pick<EvidenceHead, 'about' | 'askedBy' | 'since' | 'until'> {
  campaigns: readonly Pick<CampaignSummary, 'id' | 'quiz'>[];
  /** Whether all who get the pack see the quiz of a campaign. */
  isQuizSeen: (quizId: string) => boolean;
}

/** Reads the results of campaigns, and makes their pack. */
export async function packOf(context: PackContext, wanted: WantedPack): Promise<Pack> {
  const { records, evidence, platform } = context;
  const { campaigns, isQuizSeen, ...head } = wanted;
  const [signer, verifier, { position }] = await Promise.all([
    evidence.signer(),
    evidence.verifier(),
    records.auditHead(),
  ]);
  const { makePack } = await import('./pack.ts');
  return makePack({
    head: { ...head, madeAt: context.now(), platform: platform.name },
    campaigns: campaignsNow(context, wanted),
    links: linksUpTo(records, position),
    namesOf: async (ids) => namesOfPeople(context, ids),
    signer,
    verifier,
    inOwnNames: platform.inOwnNames,
  });
}

/** Each campaign with its results, one after the other. */
async function* campaignsNow(
  context: PackContext,
  { campaigns, isQuizSeen }: WantedPack,
): PackContents['campaigns'] & AsyncGenerator {
  const deadline = context.now() + readTimeoutMs;
  for (const { id, quiz } of campaigns) {
    const campaign = await context.campaigns.byId(id);
    if (campaign === undefined) continue;
    const facts = await readNow(context, campaign, deadline);
    yield { ...facts, isQuizSeen: isQuizSeen(quiz.id) };
  }
}

async function readNow(
  { campaigns, call, now }: PackContext,
  campaign: Campaign,
  deadline: number,
): Promise<CampaignFacts> {
  try {
    const { isGone, ...read } = await campaigns.readNow(campaign, { ...call, deadline });
    return {
      ...read,
      resultsFrom: isGone ? 'known to the bot before the quiz was deleted' : 'read from the quiz service',
    };
  } catch (error) {
    if (!(error instanceof QuizApiError)) throw error;
    return { campaign, asOf: now(), resultsFrom: 'known to the bot, since the quiz service could not be asked' };
  }
}
