import type { App } from '@slack/bolt';
import { searchQuizzes } from '../../directory/quiz-search.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { inputActionId, quizOption } from '../views/form.ts';
import type { Desk } from './desk.ts';

/** Slack takes an answer for 3 seconds and 100 options. */
const patienceMs = 2_000;
const optionsAtMost = 100;

/** Typeahead: the field is known by the form's callback id and the block id, the quizzes come from the directory. */
export function registerPickers(app: App, desk: Desk): void {
  app.options<'block_suggestion'>({ type: 'block_suggestion', action_id: inputActionId }, async ({ ack, body }) => {
    const field = operationNamed(body.view?.callback_id ?? '')?.fields[body.block_id];
    if (field?.kind !== 'quiz') return ack({ options: [] });
    const quizzes = (await Promise.race([visible(desk, body.user.id), desk.sleep(patienceMs)])) ?? [];
    const fitting = quizzes.filter((quiz) => field.status?.includes(quiz.status) ?? true);
    await ack({ options: searchQuizzes(fitting, body.value).slice(0, optionsAtMost).map(quizOption) });
  });
}

async function visible(desk: Desk, slackId: string): Promise<readonly Quiz[]> {
  try {
    return await desk.permissions.visibleQuizzes(slackId);
  } catch (error) {
    desk.report(error);
    return [];
  }
}
