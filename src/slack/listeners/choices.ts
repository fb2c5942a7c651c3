import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { z } from 'zod';
import { operationNamed } from '../../operations/catalog.ts';
import { choiceActionId } from '../views/outcome.ts';
import { run } from './commands.ts';
import type { Desk } from './desk.ts';

const choice = z.object({ operation: z.string(), raw: z.record(z.string(), z.string()) });

/** A click on one of several quizzes runs the operation with it; rights and input are checked as if it had been typed. */
export function registerChoices(app: App, desk: Desk): void {
  const actionId = new RegExp(`^${choiceActionId}:`);
  app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: actionId }, async ({ ack, action, body, respond }) => {
    await ack();
    const chosen = choice.parse(JSON.parse(action.value ?? ''));
    const operation = operationNamed(chosen.operation);
    if (operation === undefined) throw new Error(`a button names the operation ${chosen.operation}, which does not exist`);
    const message = await run(desk, operation, chosen.raw, body.user.id, 'choice');
    await respond({ ...message, replace_original: true });
  });
}
