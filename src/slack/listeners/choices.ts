import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { z } from 'zod';
import { operationNamed } from '../../operations/catalog.ts';
import { choiceActionId } from '../views/choice.ts';
import { run } from './commands.ts';
import type { Desk } from './desk.ts';

const choice = z.object({ operation: z.string(), raw: z.record(z.string(), z.array(z.string())) });

/** A click on one of several things runs the operation with it; rights and input are checked as if it had been typed. */
export function registerChoices(app: App, desk: Desk): void {
  const actionId = new RegExp(`^${choiceActionId}:`);
  app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: actionId }, async ({ ack, action, body, respond, context }) => {
    await ack();
    const { operation: name, raw } = choice.parse(JSON.parse(action.value ?? ''));
    const operation = operationNamed(name);
    if (operation === undefined) throw new Error(`a button names the operation ${name}, which does not exist`);
    const message = await run(desk, { operation, raws: [raw], slackId: body.user.id, teamId: context.teamId ?? '', through: 'choice' });
    await respond({ ...message, replace_original: true });
  });
}
