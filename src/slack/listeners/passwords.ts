import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { passwordSorryMessage, passwordView, passwordWaitingView, showPasswordActionId } from '../views/password.ts';
import type { ListenerContext } from './listener-context.ts';

const notShown = 'The new password could not be shown, so nobody knows it. Press the button to set another one.';

/**
 * Listens to **Show password**. A modal opens before the password is set: if it does not open, nothing has changed.
 * A modal that contains the button shows the password itself.
 */
export function registerPasswords(app: App, listenerContext: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>({ type: 'block_actions', action_id: showPasswordActionId }, async ({ ack, action, body, client, context }) => {
    await ack();
    const userId = action.value ?? '';
    const explain = (error: unknown) => listenerContext.logAndExplain(error);
    const viewId = await openWaiting(client, body).catch(async (error: unknown) => sayInstead(listenerContext, client, body, userId, explain(error)));
    if (viewId === undefined) return;
    const shown = await listenerContext.passwords.show({ teamId: context.teamId ?? '', personId: body.user.id, userId });
    await client.views.update({ view_id: viewId, view: passwordView(shown) }).catch(async (error: unknown) => {
      explain(error);
      await sayInstead(listenerContext, client, body, userId, shown.kind === 'shown' ? notShown : shown.message);
    });
  });
}

/** @returns the modal's id */
async function openWaiting(client: WebClient, { view, trigger_id }: BlockAction): Promise<string | undefined> {
  const waiting = passwordWaitingView();
  const opened = view ? await client.views.update({ view_id: view.id, view: waiting }) : await client.views.open({ trigger_id, view: waiting });
  return opened.view?.id;
}

/** Answers in a message, with the button to try again. */
async function sayInstead({ answerAt }: ListenerContext, client: WebClient, { response_url, user }: BlockAction, userId: string, sentence: string): Promise<undefined> {
  const message = passwordSorryMessage(userId, sentence);
  if (response_url) await answerAt({ responseUrl: response_url, replacesOriginal: false }, message);
  else await client.chat.postMessage({ channel: user.id, ...message });
}
