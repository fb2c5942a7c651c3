import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { MessagePreferences } from '../../features/alerts/direct-messages/preferences.ts';
import type { Home } from '../home.ts';
import { textMessage } from '../views/blocks/message.ts';
import { afterTurning, messagesActionIds } from '../views/direct-message.ts';
import { answerBeside, clickedMessage, shownMessage } from './answers.ts';
import type { ListenerContext } from './listener-context.ts';

/** Turns direct messages on or off for the person who clicks, and shows it where they clicked. */
export function registerRespondents(
  app: App,
  listenerContext: ListenerContext,
  { preferences, home }: { preferences: MessagePreferences; home: Home },
): void {
  for (const to of ['on', 'off'] as const) {
    app.action<BlockAction<ButtonAction>>(
      { type: 'block_actions', action_id: messagesActionIds[to] },
      async ({ ack, body, client, context }) => {
        await ack();
        const personId = body.user.id;
        const responseTarget = clickedMessage(body, true);
        try {
          await preferences.turn(context.teamId ?? '', personId, to);
        } catch (error) {
          return answerBeside(
            listenerContext,
            { client, personId, responseTarget },
            textMessage('⚠️', listenerContext.logAndExplain(error)),
          );
        }
        const shown = shownMessage(body);
        if (responseTarget && shown)
          await listenerContext.answerAt(responseTarget, { ...shown, blocks: afterTurning(shown.blocks, to) });
        await home.refresh(personId);
      },
    );
  }
}
