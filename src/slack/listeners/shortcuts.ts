import type { App, MessageShortcut } from '@slack/bolt';
import { catalog } from '../../operations/catalog.ts';
import { formatMention } from '../../operations/typed-text.ts';
import { showUser } from '../../features/users/show-user.ts';
import { messageView, waitingView } from '../form/form.ts';
import { openModalOrAnswer } from './answers.ts';
import { run } from './commands.ts';
import type { ListenerContext } from './listener-context.ts';
import { openForm } from './forms.ts';

export function registerShortcuts(app: App, listenerContext: ListenerContext): void {
  // The callback id of a global shortcut is the name of an operation. The manifest says which ones exist.
  for (const operation of catalog) {
    app.shortcut({ type: 'shortcut', callback_id: operation.name }, async ({ ack, shortcut, client, context }) => {
      await ack();
      await openForm(
        listenerContext,
        { client, triggerId: shortcut.trigger_id, personId: shortcut.user.id, teamId: context.teamId ?? '' },
        operation,
      );
    });
  }

  // On a message: shows its author in the quiz account.
  app.shortcut<MessageShortcut>(
    { type: 'message_action', callback_id: 'find-in-quiz' },
    async ({ ack, shortcut, client, context }) => {
      await ack();
      const author = shortcut.message.user ?? '';
      const inputs: [{ user: string[] }] = [{ user: [formatMention({ kind: 'person', id: author })] }];
      const personId = shortcut.user.id;
      const message = run(listenerContext, {
        operation: showUser,
        inputs,
        personId,
        teamId: context.teamId ?? '',
        through: 'choice',
      });
      await openModalOrAnswer(
        listenerContext,
        { client, personId, responseTarget: { responseUrl: shortcut.response_url, replacesOriginal: false } },
        {
          triggerId: shortcut.trigger_id,
          view: message.then((answer) => messageView(showUser, answer)),
          waiting: waitingView(showUser),
          async instead(error) {
            listenerContext.logAndExplain(error);
            return message;
          },
        },
      );
    },
  );
}
