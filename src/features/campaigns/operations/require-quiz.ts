import { given } from '../../../operations/text-input.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { parseClauses } from '../../../operations/clauses/parse-clauses.ts';
import { previewOf } from '../../../operations/define-plan.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { partId, partName, type AudiencePart } from '../../../operations/fields/people.ts';
import { kindOf } from '../../../operations/fields/fields.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { assignmentWarning } from '../../quizzes/assignment-words.ts';
import { planCampaign } from './plan.ts';
import { standingFields, startCampaign } from './start-campaign.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { personOf } from '../../../obligations/people.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { runStep } from '../../../operations/next-step.ts';
import { type DoneResult, unchanged } from '../../../operations/operation-result.ts';
import { addToCampaign } from './add.ts';
import { withinWords } from './campaign-words.ts';
import { viewStep } from './list-and-show.ts';

const fields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  to: {
    kind: 'audience',
    from: 'account',
    label: 'Users and groups',
    clause: { words: ['for', 'from'], example: say`for Kitchen, @rosa` },
  },
  ...standingFields,
} as const;

/**
 * Works out how people come to have a quiz due: in the campaign that stands for it, as its own times have it, or else in a new
 * one. Both start with a button on the answer.
 */
export const requireQuiz = defineOperation({
  name: 'require-quiz',
  command: '/quiz-campaign require <quiz> for <to> [within 14d] [valid 12 months] [renew 30d]',
  summary: 'Have people pass a quiz and keep it valid: in its ongoing campaign, or in a new one; shows which first',
  title: say`Require a quiz`,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Preview',
  fields,
  parse: (line) => parseClauses(line, fields, { subject: 'quiz', object: 'to' }),
  async run(context, { quiz, to, within, valid, renew }) {
    if (to.every(({ people }) => people.length === 0))
      throw new InvalidInputError(
        'to',
        say`Nobody who could take ${named(quiz.name)} is among them: they aren’t in the quiz account, or are suspended.`,
      );
    const campaign = await standingFor(context, quiz.quiz_id);
    if (campaign) return joining(campaign, to, context.now());
    if (within === undefined)
      throw new InvalidInputError(
        'within',
        say`There’s no ongoing campaign for ${named(quiz.name)} yet. Say how long each person has, for example within 14d.`,
      );
    const plan = await planCampaign(context, { quiz, to, within, renew, valid });
    const input = given({
      runs: 'standing',
      quiz: quiz.quiz_id,
      to: to.map(partId),
      within: kindOf(fields.within).identify(within),
      valid: valid && kindOf(fields.valid).identify(valid),
      renew: renew && kindOf(fields.renew).identify(renew),
    });
    const entered = { operation: startCampaign.name, input };
    return previewOf(context, { ...plan, isOnlyOne: true }, entered, { warning: assignmentWarning(quiz) });
  },
});

/** Of several, the one that has stood longest, so that everyone comes into the same. */
async function standingFor(context: OperationContext, quizId: string): Promise<Campaign | undefined> {
  const running = (await visibleCampaigns(context)).filter(
    ({ quiz, endedAt }) => quiz.id === quizId && endedAt === null,
  );
  const campaigns = await Promise.all(running.map(({ id }) => context.campaigns.byId(id)));
  const standing = campaigns.flatMap((campaign) =>
    campaign?.rule.standing && campaign.endedAt === null ? [campaign] : [],
  );
  return standing.toSorted((a, b) => a.startedAt - b.startedAt)[0];
}

/** What would become of people in a campaign that stands. */
export function joining(campaign: Campaign, to: readonly AudiencePart[], now: number): DoneResult {
  const known = new Map(campaign.members.map((member) => [member.userId, member]));
  const isSettled = (userId: string) => {
    const member = known.get(userId);
    return (
      member !== undefined && member.assignment !== 'failed' && personOf(member, campaign, now).state !== 'not required'
    );
  };
  const isIn = to.every(({ people }) => people.every(({ userId }) => isSettled(userId)));
  const add = runStep(say`Add`, addToCampaign, { people: to.map(partId), campaign: [campaign.id] });
  return unchanged(joiningMessage(campaign, to.map(partName), isIn), [...(isIn ? [] : [add]), viewStep(campaign.id)]);
}

/** @param names of the people and groups who were named */
export function joiningMessage(
  { quiz, rule: { standing } }: Campaign,
  names: readonly string[],
  isIn: boolean,
): string {
  if (isIn) {
    return say`${namedList(names)} ${names.length === 1 ? 'is' : 'are'} in the ongoing campaign for ${named(quiz.name)} already.`;
  }
  return [
    say`There’s an ongoing campaign for ${named(quiz.name)}. Add ${namedList(names)} to it?`,
    ...(standing === null ? [] : [say`They would have it due ${withinWords(standing)}.`]),
  ].join(' ');
}
