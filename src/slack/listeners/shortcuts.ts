import type { App, MessageShortcut } from '@slack/bolt';
import { catalog } from '../../operations/catalog.ts';
import { formatMention } from '../../operations/typed-text.ts';
import { showUser } from '../../operations/users.ts';
import { openModal } from '../open-modal.ts';
import { messageView, waitingView } from '../views/form.ts';
import { run } from './commands.ts';
import type { ListenerContext } from './listener-context.ts';
import { openForm } from './forms.ts';

export function registerShortcuts(app: App, listenerContext: ListenerContext): void {
  // The callback id of a global shortcut is the name of an operation. The manifest says which ones exist.
  for (const operation of catalog) {
    app.shortcut({ type: 'shortcut', callback_id: operation.name }, async ({ ack, shortcut, client, context }) => {
      await ack();
      await openForm(listenerContext, { client, triggerId: shortcut.trigger_id, personId: shortcut.user.id, teamId: context.teamId ?? '' }, operation);
    });
  }

  // On a message: shows its author in the quiz account.
  app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: 'find-in-quiz' }, async ({ ack, shortcut, client, context }) => {
    await ack();
    const author = shortcut.message.user ?? '';
    const inputs: [{ user: string[] }] = [{ user: [formatMention({ kind: 'person', id: author })] }];
    const view = run(listenerContext, { operation: showUser, inputs, personId: shortcut.user.id, teamId: context.teamId ?? '', through: 'choice' }).then((message) => messageView(showUser, message));
    await openModal({ client, triggerId: shortcut.trigger_id, view, waiting: waitingView(showUser), sleep: listenerContext.sleep });
  });
}
