import { openMembers } from '../../obligations/members.ts';
import type { CampaignEvent, QuizStatus } from '../../domain/campaign.ts';
import { named, phraseList } from '../../domain/sentence.ts';
import type { OperationContext } from '../../operations/context.ts';
import { peopleWords } from '../campaigns/operations/campaign-words.ts';
import { campaignFacts, withStarters, type LabelledCampaign } from '../../operations/fields/campaign-labels.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';

const namedAtMost = 3;

/** What becomes of the campaigns of a quiz, in words: before the change, in the conditional, and after it. */
export interface ChangeOfCampaigns {
  /** “it would pause”. */
  would: (it: 'it' | 'they') => string;
  /** “pauses”. */
  does: (isOne: boolean) => string;
  /** What it means for the people who still have to take the quiz: “get no messages”. Undefined: nothing. */
  people?: string;
}

export const pausing: ChangeOfCampaigns = {
  would: (it) => `${it} would pause`,
  does: (isOne) => (isOne ? 'pauses' : 'pause'),
  people: 'get no messages until it’s open again',
};
export const goingOn: ChangeOfCampaigns = {
  would: (it) => `${it} would go on`,
  does: (isOne) => (isOne ? 'goes on' : 'go on'),
  people: 'get messages again',
};
export const ending: ChangeOfCampaigns = {
  would: (it) => `${it} would end`,
  does: (isOne) => (isOne ? 'ends' : 'end'),
  people: 'get no more messages',
};
export const showingName: ChangeOfCampaigns = {
  would: (it) => `${it} would show the new name`,
  does: (isOne) => (isOne ? 'shows the new name, too' : 'show the new name, too'),
};

/** The campaigns that run for a quiz. */
export interface RunningCampaigns {
  /** The latest first, with who started them. */
  campaigns: readonly LabelledCampaign[];
  /** How many people still have to take it, in all of them together. */
  people: number;
  /** Whether the person may read about campaigns: for others, they are a number. */
  areSeen: boolean;
}

export async function runningCampaigns(
  {
    campaigns,
    identity,
    rights,
    now,
  }: Pick<OperationContext<'campaigns'>, 'campaigns' | 'identity' | 'rights' | 'now'>,
  { quiz_id }: Pick<Quiz, 'quiz_id'>,
): Promise<RunningCampaigns> {
  const running = (await campaigns.all()).filter(({ quiz, endedAt }) => quiz.id === quiz_id && endedAt === null);
  const found = await Promise.all(running.map(({ id }) => campaigns.byId(id)));
  const labelled = await withStarters(
    found.filter((campaign) => campaign !== undefined).filter(({ endedAt }) => endedAt === null),
    identity,
  );
  const open = labelled.flatMap((campaign) => openMembers(campaign, now()).map(({ userId }) => userId));
  return { campaigns: labelled, people: new Set(open).size, areSeen: rights.has('edit_quizzes') };
}

/** What a change of a quiz would do to these campaigns, as a sentence; undefined without campaigns. */
export function campaignsBefore(
  quiz: Pick<Quiz, 'name'>,
  { campaigns, people: count, areSeen }: RunningCampaigns,
  { would, people }: ChangeOfCampaigns,
): string | undefined {
  if (campaigns.length === 0) return undefined;
  const isOne = campaigns.length === 1;
  const start = `${isOne ? '1 campaign is' : `${campaigns.length.toLocaleString('en')} campaigns are`} running for ${named(quiz.name)}`;
  if (!areSeen) return `${start}: ${would(isOne ? 'it' : 'they')}.`;
  const which = phraseList(campaigns.map(campaignFacts), namedAtMost);
  const whose =
    people === undefined || count === 0 ? '' : `, and ${isOne ? 'its' : 'their'} ${peopleWords(count)} ${people}`;
  return `${start} (${which}): ${would(isOne ? 'it' : 'they')}${whose}.`;
}

/** What a change of the quiz did to them, as a sentence that follows another; empty without campaigns. */
export function campaignsAfter(
  { campaigns, people: count, areSeen }: RunningCampaigns,
  { does, people }: ChangeOfCampaigns,
): string {
  if (campaigns.length === 0) return '';
  const isOne = campaigns.length === 1;
  const who = isOne ? 'Its campaign' : `Its ${campaigns.length.toLocaleString('en')} campaigns`;
  const whose = people === undefined || count === 0 || !areSeen ? '' : `: ${peopleWords(count)} ${people}`;
  return ` ${who} ${does(isOne)}${whose}.`;
}

/** Has the campaigns know how their quiz is now. */
export async function tellCampaigns(
  { campaigns, actor, now }: Pick<OperationContext<'campaigns'>, 'campaigns' | 'actor' | 'now'>,
  running: RunningCampaigns,
  quiz: Pick<Extract<CampaignEvent, { kind: 'quiz' }>, 'name' | 'status'>,
): Promise<void> {
  for (const { id } of running.campaigns)
    await campaigns.put(id, { kind: 'quiz', ...quiz, at: now(), by: actor.personId });
}

/** A status that the specification does not name keeps nobody from taking the quiz. */
export function campaignStatus({ status }: Pick<Quiz, 'status'>): QuizStatus {
  if (status === 'closed') return 'closed';
  return status === 'in_design' ? 'in design' : 'open';
}
