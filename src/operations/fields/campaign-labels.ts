import { publicName } from '../../directory/names.ts';
import type { Campaign } from '../../domain/campaign.ts';
import { markedMoment, named } from '../../domain/sentence.ts';
import { clip, onOneLine } from '../../domain/short-name.ts';
import type { OperationContext } from '../context.ts';
import type { Candidate } from './field-kind.ts';
import { say } from '../../domain/said.ts';
import { dateInWords } from '../../time/date-words.ts';

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

/** Campaigns to choose from. Where the due time and the starter are the same, the start tells them apart. */
export function campaignCandidates(campaigns: readonly LabelledCampaign[]): Candidate[] {
  const facts = campaigns.map(campaignFacts);
  return campaigns.map(({ id, quiz, startedAt, timeZone }, index) => {
    const own = facts[index]!;
    const isAlone = facts.indexOf(own) === facts.lastIndexOf(own);
    const started = dateInWords(startedAt, 'momentWithoutZone', timeZone);
    return {
      value: id,
      label: `${clip(onOneLine(quiz.name), quizAtMost)}, ${isAlone ? own : say`started ${started}`}`,
    };
  });
}
