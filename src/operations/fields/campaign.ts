import type { Target } from '../../domain/approval-request.ts';
import type { Campaign, CampaignSummary } from '../../domain/campaign.ts';
import { endOfId, plainName, publicName } from '../../directory/names.ts';
import { resembles } from '../../domain/typing-distance.ts';
import { named, markedMoment, phraseList, say, clip, onOneLine } from '../../domain/said.ts';
import type { OperationContext } from '../context.ts';
import { unquote } from '../typed-text.ts';
import { invalid, valueOf, usualKind, type FieldBase, type FieldKind } from './field-kind.ts';
import { goneOrUnseen, isOpaqueId, unclear, type Candidate } from '../text-input.ts';
import { dateInWords } from '../../time/date-words.ts';

/** A campaign that the person sees, by its quiz’s name or ID. */
export interface CampaignField extends FieldBase {
  kind: 'campaign';
  /** Only campaigns that have not ended. */
  isRunning?: true;
  /** Only campaigns whose quiz the person sees. Owners and leads also see other campaigns. */
  isOfSeenQuiz?: true;
}

/** What decides which campaigns a person sees. */
export type CampaignViewer = Pick<OperationContext, 'actor' | 'visibility' | 'campaigns'>;

/** Each is read from the store. */
const choicesAtMost = 10;

export const campaignKind: FieldKind<CampaignField, Campaign> = {
  ...usualKind,
  async resolve([text = ''], field, resolver) {
    const { isRunning, isOfSeenQuiz } = field;
    const typed = unquote(text);
    const visible = await visibleCampaigns(resolver);
    const byId = visible.find(({ id }) => id === typed);
    if (byId && !isWanted(byId, field)) return invalid(say`The campaign for ${named(byId.quiz.name)} is over.`);
    const wanted = visible.filter((campaign) => isWanted(campaign, field));
    const fitting = byId ? [byId] : campaignsNamed(wanted, typed);
    const near = fitting.length === 0 ? nearestTo(typed, wanted) : [];
    const [first] = fitting;
    if (near.length > 0 || fitting.length > 1) {
      const several = await stored([...near, ...fitting].slice(0, choicesAtMost), resolver.campaigns);
      const candidates = campaignCandidates(await withStarters(several, resolver.identity));
      const count = near.length + fitting.length;
      return unclear(typed, 'campaign', candidates, { count, isAlike: near.length === 0 });
    }
    if (first === undefined && isOpaqueId(typed)) return invalid(goneOrUnseen);
    if (first === undefined)
      return invalid(
        isRunning
          ? say`There’s no running campaign ${named(typed)}. /quiz-campaign list shows the campaigns that you can see.`
          : say`There’s no campaign ${named(typed)}. /quiz-campaign list shows the campaigns that you can see.`,
      );
    if (isOfSeenQuiz && !resolver.visibility.quiz({ quiz_id: first.quiz.id }))
      return invalid(say`You can’t see the quiz of this campaign, so you can’t assign it to anybody.`);
    const campaign = await resolver.campaigns.byId(first.id);
    return campaign ? valueOf(campaign) : invalid(say`This campaign is just starting. Try again in a few seconds.`);
  },
  identify: ({ id }) => [id],
  describe: ({ quiz }) => quiz.name,
  targets: ({ quiz }) => [campaignTarget(quiz)],
  async narrow(text, field, { limit, campaigns, actor, visibility, identity }) {
    const wanted = plainName(text);
    const visible = await visibleCampaigns({ campaigns, actor, visibility });
    const fitting = visible
      .filter(
        (campaign) =>
          plainName(campaign.quiz.name).includes(wanted) &&
          isWanted(campaign, field) &&
          !(field.isOfSeenQuiz && !visibility.quiz({ quiz_id: campaign.quiz.id })),
      )
      .slice(0, limit);
    return withStarters(await stored(fitting, campaigns), identity);
  },
};

function isWanted({ endedAt }: CampaignSummary, { isRunning }: CampaignField): boolean {
  return endedAt === null || isRunning === undefined;
}

/**
 * The campaigns that a person sees, the latest first: those they started or lead, and those for quizzes whose results they
 * see. Call it only for people with the right to see results.
 */
export async function visibleCampaigns({ actor, visibility, campaigns }: CampaignViewer): Promise<CampaignSummary[]> {
  const all = await campaigns.all();
  const userId = actor.user?.user_id;
  return all.filter(
    ({ quiz, ownerId, leads }) =>
      ownerId === actor.personId ||
      visibility.quiz({ quiz_id: quiz.id }) ||
      (userId !== undefined && leads.includes(userId)),
  );
}

/** The campaigns among them that run, without those that are just starting. */
export async function visibleRunning(viewer: CampaignViewer): Promise<Campaign[]> {
  return runningAmong(await visibleCampaigns(viewer), viewer.campaigns);
}

/** Those of these campaigns that run, likewise. */
export async function runningAmong(
  summaries: readonly CampaignSummary[],
  campaigns: CampaignViewer['campaigns'],
): Promise<Campaign[]> {
  const running = summaries.filter(({ endedAt }) => endedAt === null);
  return (await stored(running, campaigns)).filter(({ endedAt }) => endedAt === null);
}

/** Those for quizzes whose name has the text, or whose ID it is. */
export function campaignsLike(campaigns: readonly CampaignSummary[], typed: string): CampaignSummary[] {
  const wanted = plainName(typed);
  return campaigns.filter(({ quiz }) => quiz.id === typed || plainName(quiz.name).includes(wanted));
}

/** Exactly so, else those whose quiz’s name has the text; of each quiz the running ones, if there are any. */
function campaignsNamed(campaigns: readonly CampaignSummary[], typed: string): CampaignSummary[] {
  const wanted = plainName(typed);
  if (wanted === '') return [];
  const exactly = campaigns.filter(({ quiz }) => quiz.id === typed || plainName(quiz.name) === wanted);
  const found = exactly.length > 0 ? exactly : campaigns.filter(({ quiz }) => plainName(quiz.name).includes(wanted));
  const running = found.filter(({ endedAt }) => endedAt === null);
  return running.length > 0 ? running : found;
}

const nearestAtMost = 3;

/** Those of whose quizzes the name has most of the typed words, or nearly. */
function nearestTo(typed: string, campaigns: readonly CampaignSummary[]): CampaignSummary[] {
  const words = plainName(typed)
    .split(' ')
    .filter((word) => word.length > 2);
  const shareOf = ({ quiz }: CampaignSummary) => {
    const own = plainName(quiz.name).split(' ');
    return words.filter((word) => own.some((other) => resembles(word, other))).length / words.length;
  };
  return campaigns
    .filter((campaign) => words.length > 0 && shareOf(campaign) >= 0.5)
    .toSorted((a, b) => shareOf(b) - shareOf(a))
    .slice(0, nearestAtMost);
}

/** Without those that are just starting. */
async function stored(
  summaries: readonly CampaignSummary[],
  campaigns: CampaignViewer['campaigns'],
): Promise<Campaign[]> {
  const found = await Promise.all(summaries.map(({ id }) => campaigns.byId(id)));
  return found.filter((campaign) => campaign !== undefined);
}

function campaignTarget({ id, name }: Campaign['quiz']): Target {
  return { kind: 'quiz', id, name, facts: { Name: name } };
}

/** Any campaign that the person sees. */
export const anyCampaign = {
  kind: 'campaign',
  label: 'Campaign',
  hint: 'By the name of its quiz',
} as const satisfies CampaignField;

/** A campaign that is not over. */
export const campaignField = { ...anyCampaign, isRunning: true } as const satisfies CampaignField;

/** A campaign that is not over, whose quiz the person can assign. */
export const growingCampaign = { ...campaignField, isOfSeenQuiz: true } as const satisfies CampaignField;

/** `starter`: the name of the person who started it; undefined where it is not known. */
export type LabelledCampaign = Campaign & { starter?: string | undefined };

/** Together with a moment, these fit on a button: 75 characters. */
const [quizAtMost, starterAtMost] = [28, 18];

/** Adds who started them. Without an answer of the platform or the service, the names are left out. */
export async function withStarters(
  campaigns: readonly Campaign[],
  identity: Pick<OperationContext['identity'], 'actorOf'>,
): Promise<LabelledCampaign[]> {
  const nameOf = async (personId: string): Promise<string | undefined> => {
    const { user, name } = await identity.actorOf(personId, { fresh: false, isListed: true });
    return user ? publicName(user) : name;
  };
  const ids = [...new Set(campaigns.map(({ ownerId }) => ownerId))];
  const names = new Map(
    await Promise.all(ids.map(async (id) => [id, await nameOf(id).catch(() => undefined)] as const)),
  );
  return campaigns.map((campaign) => ({ ...campaign, starter: names.get(campaign.ownerId) }));
}

/**
 * What tells a campaign from others for its quiz, as a sentence: “due 15 Dec 2026, 17:00, by ⁨Ada Okafor⁩”. In words,
 * moments are on the clock of its lead.
 */
export function campaignFacts({ rule, startedAt, endedAt, timeZone, starter }: LabelledCampaign): string {
  const inWords = (atMs: number) => markedMoment(atMs, dateInWords(atMs, 'momentWithoutZone', timeZone));
  const when =
    endedAt !== null
      ? say`ended ${markedMoment(endedAt, dateInWords(endedAt, 'day', timeZone), { isDay: true })}`
      : rule.dueAt === null
        ? rule.standing
          ? say`running since ${inWords(startedAt)}`
          : say`started ${inWords(startedAt)}`
        : say`due ${inWords(rule.dueAt)}`;
  return starter === undefined ? when : `${when}, ${say`by ${named(clip(onOneLine(starter), starterAtMost))}`}`;
}

/**
 * Campaigns to choose from. Where the due time and the starter are the same, the start tells them apart, then their people, and
 * at last their IDs.
 */
export function campaignCandidates(campaigns: readonly LabelledCampaign[]): Candidate[] {
  const told = new Map<string, string>();
  for (const tell of [campaignFacts, startOf, peopleOf]) {
    const untold = campaigns.filter(({ id }) => !told.has(id));
    for (const [words, [first, ...others]] of Map.groupBy(untold, tell))
      if (first && others.length === 0) told.set(first.id, words);
  }
  return campaigns.map(({ id, quiz }) => ({
    value: id,
    label: `${clip(onOneLine(quiz.name), quizAtMost)}, ${told.get(id) ?? say`ID ${endOfId(id)}`}`,
  }));
}

function startOf({ startedAt, timeZone }: Campaign): string {
  return say`started ${dateInWords(startedAt, 'momentWithoutZone', timeZone)}`;
}

function peopleOf({ members }: Campaign): string {
  return phraseList(
    members.map(({ name }) => named(clip(onOneLine(name), starterAtMost))),
    1,
  );
}
