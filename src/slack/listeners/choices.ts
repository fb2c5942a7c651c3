import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { z } from 'zod';
import type { OperationRequest } from '../../governance/execute.ts';
import { operationNamed } from '../../operations/catalog.ts';
import { channelOf, readButtonInput } from '../incoming-text.ts';
import { buttonActionIds, linkActionId, type ButtonDoing } from '../views/buttons.ts';
import { answerClick } from './clicks.ts';
import { openForm } from './forms.ts';
import type { ListenerContext } from './listener-context.ts';

const choice = z.object({ operation: z.string(), raw: z.record(z.string(), z.array(z.string())) });

/**
 * A click, also on the Home tab, runs the operation that its button names, or opens its form. Rights and input are
 * checked as if it had been typed.
 */
export function registerChoices(app: App, listenerContext: ListenerContext): void {
  for (const where of ['replace', 'beside'] as const) {
    app.action<BlockAction<ButtonAction>>(buttonsThat(where), async ({ ack, action, body, client, context }) => {
      await ack();
      await answerClick(listenerContext, { client, body }, requestOf(action, body, context.teamId), where);
    });
  }

  app.action<BlockAction<ButtonAction>>(buttonsThat('form'), async ({ ack, action, body, client, context }) => {
    await ack();
    const { operation, inputs, personId, teamId, channelId } = requestOf(action, body, context.teamId);
    const from = body.view
      ? { modalId: body.view.type === 'modal' ? body.view.id : undefined }
      : { responseTarget: { responseUrl: body.response_url, replacesOriginal: true } };
    await openForm(listenerContext, { client, triggerId: body.trigger_id, personId, teamId, channelId, ...from }, operation, inputs[0]);
  });

  app.action({ type: 'block_actions', action_id: new RegExp(`^${linkActionId}:`) }, ({ ack }) => ack());
}

function buttonsThat(doing: ButtonDoing) {
  return { type: 'block_actions', action_id: new RegExp(`^${buttonActionIds[doing]}:`) } as const;
}

function requestOf(button: ButtonAction, { user, channel }: BlockAction, teamId = ''): OperationRequest {
  const { operation: name, raw } = choice.parse(JSON.parse(button.value ?? ''));
  const operation = operationNamed(name);
  if (operation === undefined) throw new Error(`a button names the operation ${name}, which does not exist`);
  return { operation, inputs: [readButtonInput(name, raw)], personId: user.id, teamId, channelId: channelOf(channel?.id), through: 'choice' };
}
