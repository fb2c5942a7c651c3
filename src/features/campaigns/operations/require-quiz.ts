import { named } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { parseClauses } from '../../../operations/clauses/parse-clauses.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { partId } from '../../../operations/fields/audience.ts';
import { kindOf } from '../../../operations/fields/fields.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { assignmentWarning } from '../../quizzes/assignment-words.ts';
import { planCampaign, previewCampaign } from './plan.ts';
import { joining, standingFor } from './standing-campaign.ts';
import { standingFields, startCampaign } from './start-campaign.ts';

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
    const input = {
      runs: ['standing'],
      quiz: [quiz.quiz_id],
      to: to.map(partId),
      within: kindOf(fields.within).identify(within),
      ...(valid && { valid: kindOf(fields.valid).identify(valid) }),
      ...(renew && { renew: kindOf(fields.renew).identify(renew) }),
    };
    const entered = { operation: startCampaign.name, input };
    return previewCampaign(context, { ...plan, isOnlyOne: true }, entered, { warning: assignmentWarning(quiz) });
  },
});
