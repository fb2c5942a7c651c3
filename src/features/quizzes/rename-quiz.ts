import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { runStep } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import { quizName } from './new-quiz.ts';
import {
  campaignsAfter,
  campaignsBefore,
  campaignStatus,
  runningCampaigns,
  showingName,
  tellCampaigns,
  type RunningCampaigns,
} from './running-campaigns.ts';
import { say } from '../../domain/said.ts';

export const renameQuiz = defineOperation({
  name: 'rename-quiz',
  command: '/quiz rename <quiz> to <name>',
  summary: 'Rename a quiz',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Rename quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, name: { ...quizName, label: 'New name' } },
  action: ({ quiz, name }) => say`rename ${named(quiz.name)} to ${named(name)}`,
  effect: async (context, input) => renamingInWords(input, await runningCampaigns(context, input.quiz)),
  isDone: ({ quiz, name }) => quiz.name === name,
  done: renamed,
  noChange: ({ name }) => say`${named(name)} was called that already. Nothing changed.`,
  async run(context, input) {
    const { quiz, name } = input;
    await context.api.quizzes.update(quiz.quiz_id, { name }, context.call);
    context.directory.quizzes.edit(quiz.quiz_id, (known) => ({ ...known, name }));
    const running = await runningCampaigns(context, quiz);
    await tellCampaigns(context, running, { name, status: campaignStatus(quiz) });
    const result = renamed(input);
    return { ...result, message: `${result.message}${campaignsAfter(running, showingName)}` };
  },
});

/** What renaming would do, in the conditional. */
export function renamingInWords(
  { quiz, name }: { quiz: Pick<Quiz, 'name'>; name: string },
  running: RunningCampaigns,
): string {
  const shown = campaignsBefore(quiz, running, showingName);
  const effect = say`${named(quiz.name)} would be called ${named(name)} for everyone.`;
  return shown === undefined ? effect : `${effect} ${shown}`;
}

function renamed({ quiz, name }: { quiz: Quiz; name: string }): DoneResult {
  const canUndo = quiz.name !== name && quiz.name !== '';
  return {
    kind: 'done',
    message: say`Renamed ${named(quiz.name)} to ${named(name)}.`,
    next: canUndo ? [runStep(say`Undo`, renameQuiz, { quiz: [quiz.quiz_id], name: [quiz.name] })] : [],
  };
}
