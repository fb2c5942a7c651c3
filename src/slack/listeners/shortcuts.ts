import type { App } from '@slack/bolt';
import { catalog } from '../../operations/catalog.ts';
import type { Desk } from './desk.ts';
import { openForm } from './forms.ts';

/** A global shortcut has the name of the operation whose form it opens; the manifest says which exist. */
export function registerShortcuts(app: App, desk: Desk): void {
  for (const operation of catalog) {
    app.shortcut({ type: 'shortcut', callback_id: operation.name }, async ({ ack, shortcut, client }) => {
      await ack();
      await openForm(desk, { client, triggerId: shortcut.trigger_id, slackId: shortcut.user.id }, operation);
    });
  }
}
