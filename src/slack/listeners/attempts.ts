import type { App, BlockAction, StaticSelectAction } from '@slack/bolt';
import { showAttempt } from '../../operations/attempts.ts';
import { attemptPickerId, quizIdOfResults } from '../views/results.ts';
import { openAnswer } from './clicks.ts';
import type { ListenerContext } from './listener-context.ts';

/** Opens an attempt that was chosen among a quiz’s results in a modal, read anew from the service. */
export function registerAttempts(app: App, listenerContext: ListenerContext): void {
  app.action<BlockAction<StaticSelectAction>>({ type: 'block_actions', action_id: attemptPickerId }, async ({ ack, action, body, client, context }) => {
    await ack();
    const raw = { quiz: [quizIdOfResults(action.block_id) ?? ''], response: [action.selected_option.value] };
    await openAnswer(listenerContext, { client, body }, { operation: showAttempt, inputs: [raw], personId: body.user.id, teamId: context.teamId ?? '', through: 'choice' });
  });
}
