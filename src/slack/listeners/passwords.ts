import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { updateModal } from '../open-modal.ts';
import { textMessage } from '../views/blocks/message.ts';
import {
  passwordListView,
  passwordSorryMessage,
  passwordView,
  passwordWaitingView,
  printPasswordsActionId,
  showPasswordActionId,
} from '../views/users/password.ts';
import { answerBeside, clickedMessage } from './answers.ts';
import type { ListenerContext } from './listener-context.ts';
import { say } from '../../domain/said.ts';

const notOpened = say`Slack didn’t open the window. Nothing has changed yet.`;
const notShown = say`The new password could not be shown, so nobody knows it. Press the button to set another one.`;

/**
 * Listens to **Show password**. A modal opens before the password is set: if it does not open, nothing has changed.
 * A modal that contains the button shows the password itself.
 */
export function registerPasswords(app: App, listenerContext: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: showPasswordActionId },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const userId = action.value ?? '';
      const sayInstead = (sentence: string) =>
        answerBeside(
          listenerContext,
          { client, personId: body.user.id, responseTarget: clickedMessage(body, false) },
          passwordSorryMessage(userId, sentence),
        );

      const viewId = await openWaiting(client, body).catch(
        (error: unknown) => void listenerContext.logAndExplain(error),
      );
      if (viewId === undefined) return sayInstead(notOpened);
      const shown = await listenerContext.passwords.show({
        teamId: context.teamId ?? '',
        personId: body.user.id,
        userId,
      });
      const isSeen = await updateModal(client, viewId, passwordView(shown)).catch(
        (error: unknown) => void listenerContext.logAndExplain(error),
      );
      if (!isSeen) await sayInstead(shown.kind === 'shown' ? notShown : shown.message);
    },
  );

  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: printPasswordsActionId },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const personId = body.user.id;
      const { batch: batchId, after } = printedSchema.parse(JSON.parse(action.value ?? ''));
      const sayInstead = (sentence: string) =>
        answerBeside(
          listenerContext,
          { client, personId, responseTarget: clickedMessage(body, false) },
          textMessage('⚠️', sentence),
        );
      const viewId = await openWaiting(client, body).catch(
        (error: unknown) => void listenerContext.logAndExplain(error),
      );
      if (viewId === undefined) return sayInstead(notOpened);
      const list = await listenerContext.passwords.showList({
        teamId: context.teamId ?? '',
        personId,
        batchId,
        after,
      });
      const isSeen = await updateModal(client, viewId, passwordListView(batchId, list)).catch(
        (error: unknown) => void listenerContext.logAndExplain(error),
      );
      if (!isSeen) await sayInstead(list.kind === 'list' ? listNotShown : list.message);
    },
  );
}

const printedSchema = z.object({ batch: z.string(), after: z.number().int() });
const listNotShown = say`The new passwords could not be shown, so nobody knows them. \`/quiz-user reset-password\` sets others.`;

/** @returns the modal's id */
async function openWaiting(client: WebClient, { view, trigger_id }: BlockAction): Promise<string | undefined> {
  const waiting = passwordWaitingView();
  const opened = view
    ? await client.views.update({ view_id: view.id, view: waiting })
    : await client.views.open({ trigger_id, view: waiting });
  return opened.view?.id;
}
