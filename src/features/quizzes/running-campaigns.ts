import { openPeople } from '../../obligations/people.ts';
import type { CampaignEvent, QuizStatus } from '../../domain/campaign.ts';
import { amount, firstOf, joinSaid, named, say } from '../../domain/said.ts';
import type { OperationContext } from '../../operations/context.ts';
import { peopleWords } from '../campaigns/pages/words.ts';
import { campaignFacts, runningAmong, withStarters, type LabelledCampaign } from '../../operations/fields/campaign.ts';
import type { Quiz } from '../../quiz-api/records.ts';

const namedAtMost = 3;

/** What becomes of the campaigns of a quiz, in words: before the change, in the conditional, and after it. */
interface ChangeOfCampaigns {
  /** Of one campaign, and of several: “it would pause”. */
  would: readonly [one: string, several: string];
  /** “Its campaign pauses”. */
  one: string;
  several: (count: string) => string;
  /** What it means for the people who still have to take the quiz: “3 people get no messages”. Undefined: nothing. */
  people?: (count: number) => string;
  /** The same before the change, about the people of one campaign, and of several. */
  theirPeople?: readonly [one: (count: number) => string, several: (count: number) => string];
}

export const pausing: ChangeOfCampaigns = {
  would: [say`it would pause`, say`they would pause`],
  one: say`Its campaign pauses`,
  several: (count) => say`Its ${count} campaigns pause`,
  people: (count) => say`${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} no messages until it’s open again`,
  theirPeople: [
    (count) => say`and its ${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} no messages until it’s open again`,
    (count) => say`and their ${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} no messages until it’s open again`,
  ],
};
export const goingOn: ChangeOfCampaigns = {
  would: [say`it would go on`, say`they would go on`],
  one: say`Its campaign goes on`,
  several: (count) => say`Its ${count} campaigns go on`,
  people: (count) => say`${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} messages again`,
  theirPeople: [
    (count) => say`and its ${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} messages again`,
    (count) => say`and their ${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} messages again`,
  ],
};
export const ending: ChangeOfCampaigns = {
  would: [say`it would end`, say`they would end`],
  one: say`Its campaign ends`,
  several: (count) => say`Its ${count} campaigns end`,
  people: (count) => say`${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} no more messages`,
  theirPeople: [
    (count) => say`and its ${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} no more messages`,
    (count) => say`and their ${peopleWords(count)} ${count === 1 ? 'gets' : 'get'} no more messages`,
  ],
};
export const showingName: ChangeOfCampaigns = {
  would: [say`it would show the new name`, say`they would show the new name`],
  one: say`Its campaign shows the new name, too`,
  several: (count) => say`Its ${count} campaigns show the new name, too`,
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
  { campaigns, identity, rights, now }: Pick<OperationContext, 'campaigns' | 'identity' | 'rights' | 'now'>,
  { quiz_id }: Pick<Quiz, 'quiz_id'>,
): Promise<RunningCampaigns> {
  const ofQuiz = (await campaigns.all()).filter(({ quiz }) => quiz.id === quiz_id);
  const labelled = await withStarters(await runningAmong(ofQuiz, campaigns), identity);
  const open = labelled.flatMap((campaign) => openPeople(campaign, now()).map(({ member }) => member.userId));
  return { campaigns: labelled, people: new Set(open).size, areSeen: rights.has('edit_quizzes') };
}

/** What a change of a quiz would do to these campaigns, as a sentence; undefined without campaigns. */
export function campaignsBefore(
  quiz: Pick<Quiz, 'name'>,
  { campaigns, people: count, areSeen }: RunningCampaigns,
  { would: [oneWould, severalWould], theirPeople }: ChangeOfCampaigns,
): string | undefined {
  if (campaigns.length === 0) return undefined;
  const isOne = campaigns.length === 1;
  const start = isOne
    ? say`1 campaign is running for ${named(quiz.name)}`
    : say`${amount(campaigns.length)} campaigns are running for ${named(quiz.name)}`;
  const would = isOne ? oneWould : severalWould;
  if (!areSeen) return `${start}: ${would}.`;
  const which = joinSaid(firstOf(campaigns.map(campaignFacts), namedAtMost), '; ');
  const whose = theirPeople === undefined || count === 0 ? '' : `, ${theirPeople[isOne ? 0 : 1](count)}`;
  return `${start} (${which}): ${would}${whose}.`;
}

/** What a change of the quiz did to them, as a sentence that follows another; empty without campaigns. */
export function campaignsAfter(
  { campaigns, people: count, areSeen }: RunningCampaigns,
  { one, several, people }: ChangeOfCampaigns,
): string {
  if (campaigns.length === 0) return '';
  const what = campaigns.length === 1 ? one : several(amount(campaigns.length));
  const whose = people === undefined || count === 0 || !areSeen ? '' : `: ${people(count)}`;
  return ` ${what}${whose}.`;
}

/** Has the campaigns know how their quiz is now. */
export async function tellCampaigns(
  { campaigns, actor, now }: Pick<OperationContext, 'campaigns' | 'actor' | 'now'>,
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
