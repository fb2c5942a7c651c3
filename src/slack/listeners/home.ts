import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { Home } from '../home.ts';
import { formActionId } from '../views/home.ts';
import { readChoice } from './choices.ts';
import type { Desk } from './desk.ts';
import { openForm } from './forms.ts';

/** The Home tab: published when somebody opens it; its buttons open forms. */
export function registerHome(app: App, desk: Desk, home: Home): void {
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') await home.open(event.user);
  });

  const actionId = new RegExp(`^${formActionId}:`);
  app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: actionId }, async ({ ack, action, body, client }) => {
    await ack();
    const { operation, raw } = readChoice(action);
    await openForm(desk, { client, triggerId: body.trigger_id, slackId: body.user.id }, operation, raw);
  });
}
