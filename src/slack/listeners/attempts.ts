import type { App, BlockAction, StaticSelectAction } from '@slack/bolt';
import { showAttempt } from '../../operations/attempts.ts';
import { attemptPickerId, quizIdOfResults } from '../views/results.ts';
import { openAnswer } from './clicks.ts';
import type { Desk } from './listener-context.ts';

/** An attempt chosen among a quiz’s results opens as a modal; what is in it is read again. */
export function registerAttempts(app: App, desk: Desk): void {
  app.action<BlockAction<StaticSelectAction>>({ type: 'block_actions', action_id: attemptPickerId }, async ({ ack, action, body, client, context }) => {
    await ack();
    const raw = { quiz: [quizIdOfResults(action.block_id) ?? ''], response: [action.selected_option.value] };
    await openAnswer(desk, { client, body }, { operation: showAttempt, raws: [raw], slackId: body.user.id, teamId: context.teamId ?? '', through: 'choice' });
  });
}
