import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { z } from 'zod';
import type { OperationRequest } from '../../governance/execute.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { TextInput } from '../../operations/operation.ts';
import { channelOf, readMentions } from '../incoming-text.ts';
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
  return { operation, inputs: [sinceVersion1(name, raw)], personId: user.id, teamId, channelId: channelOf(channel?.id), through: 'choice' };
}

/** Fields of `subscribe-channel` that had other names in version 1.0. */
const renamed: Readonly<Record<string, string>> = { which: 'filter', how: 'delivery' };

/** The input of a button, also of those that version 1.0 posted: it kept mentions in Slack's markup. */
function sinceVersion1(operation: string, raw: TextInput): TextInput {
  return Object.fromEntries(
    Object.entries(raw).map(([field, texts]) => [(operation === 'subscribe-channel' && renamed[field]) || field, texts.map(readMentions)]),
  );
}
