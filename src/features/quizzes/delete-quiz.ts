import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import {
  campaignsAfter,
  campaignsBefore,
  ending,
  runningCampaigns,
  tellCampaigns,
  type RunningCampaigns,
} from './running-campaigns.ts';
import { say, amount } from '../../domain/said.ts';

export const deleteQuiz = defineOperation({
  name: 'delete-quiz',
  command: '/quiz delete <quiz>',
  synonyms: ['remove'],
  summary: 'Delete a quiz and all its responses for good',
  access: 'destructive',
  right: 'edit_quizzes',
  submit: 'Delete quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', hint: 'This also deletes all its responses. You can’t undo it.' } },
  action: ({ quiz }) => say`delete ${named(quiz.name)}`,
  async effect(context, { quiz }) {
    const { length } = await context.api.responses.list(quiz.quiz_id, context.call);
    return deletionInWords(quiz, length, await runningCampaigns(context, quiz));
  },
  done: deleted,
  async run(context, input) {
    const { quiz } = input;
    const running = await runningCampaigns(context, quiz);
    await context.api.quizzes.delete(quiz.quiz_id, context.call);
    context.directory.quizzes.remove(quiz);
    await tellCampaigns(context, running, { name: quiz.name, status: 'gone' });
    const result = deleted(input);
    return { ...result, message: `${result.message}${campaignsAfter(running, ending)}` };
  },
});

/** What would be deleted, in the conditional. */
export function deletionInWords(quiz: Pick<Quiz, 'name'>, responses: number, running: RunningCampaigns): string {
  const ended = campaignsBefore(quiz, running, ending);
  return [wouldBeDeleted(named(quiz.name)), ...(ended === undefined ? [] : [ended])].join(' ');

  function wouldBeDeleted(name: string): string {
    if (responses === 0) return say`${name} would be deleted for good. It has no responses.`;
    return responses === 1
      ? say`${name} would be deleted for good, with its only response.`
      : say`${name} would be deleted for good, with its ${amount(responses)} responses.`;
  }
}

function deleted({ quiz }: { quiz: Quiz }): DoneResult {
  return { kind: 'done', message: say`Deleted ${named(quiz.name)} and all its responses.` };
}
