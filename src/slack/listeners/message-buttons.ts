import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { textMessage } from '../views/blocks/message.ts';
import { answerBeside, clickedMessage, shownMessage } from './answers.ts';
import type { ListenerContext } from './listener-context.ts';

/** Who pressed a button, and what it carries. */
interface PressedButton {
  teamId: string;
  personId: string;
  action: ButtonAction;
}

/** How the message with the button is after the press, or why the press changes nothing, as a sentence. */
type AfterPress = { refusal: string } | { blocks: (blocks: readonly KnownBlock[]) => KnownBlock[] };

/** Takes presses of a button in a message of the bot, which then shows what came of it. */
export function onMessageButton(
  app: App,
  listenerContext: ListenerContext,
  actionId: string,
  take: (pressed: PressedButton) => Promise<AfterPress>,
): void {
  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: actionId },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const personId = body.user.id;
      const responseTarget = clickedMessage(body, true);
      const beside = async (icon: string, sentence: string) =>
        answerBeside(listenerContext, { client, personId, responseTarget }, textMessage(icon, sentence));
      try {
        const after = await take({ teamId: context.teamId ?? '', personId, action });
        if ('refusal' in after) return await beside('ℹ️', after.refusal);
        const shown = shownMessage(body);
        if (responseTarget && shown)
          await listenerContext.answerAt(responseTarget, { ...shown, blocks: after.blocks(shown.blocks) });
      } catch (error) {
        await beside('⚠️', listenerContext.logAndExplain(error));
      }
    },
  );
}
