import type { App } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';
import { operationNamed } from '../../operations/catalog.ts';
import type { Field } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import { distinctOptions } from '../form/options.ts';
import { inputActionId, optionsOf } from '../form/inputs.ts';
import type { ListenerContext } from './listener-context.ts';

/** Slack takes an answer for 3 seconds, and 100 options. */
const deadlineMs = 2_000;
const optionsAtMost = 100;

/** Options for the text typed into a picker. The form's callback id names the operation, the block id the field. */
export function registerPickers(app: App, listenerContext: ListenerContext): void {
  app.options<'block_suggestion'>(
    { type: 'block_suggestion', action_id: inputActionId },
    async ({ ack, body, context }) => {
      const operation = operationNamed(body.view?.callback_id ?? '');
      const field = operation?.fields[body.block_id];
      const fitting =
        operation && field
          ? suggest(
              listenerContext,
              operation,
              field,
              { personId: body.user.id, teamId: context.teamId ?? '' },
              body.value,
            )
          : Promise.resolve([]);
      const options = await Promise.race([fitting, listenerContext.sleep(deadlineMs)]);
      await ack({ options: options ?? [] });
    },
  );
}

async function suggest(
  listenerContext: ListenerContext,
  operation: Operation,
  field: Field,
  person: { personId: string; teamId: string },
  text: string,
): Promise<PlainTextOption[]> {
  try {
    const { refusalOf, visibility } = await listenerContext.permissions.of(person.personId);
    if (refusalOf(operation) !== undefined) return [];
    const values = await listenerContext.permissions.narrow(field, text, person, optionsAtMost);
    return distinctOptions(values.flatMap((value) => optionsOf(field, value, visibility)));
  } catch (error) {
    listenerContext.logAndExplain(error);
    return [];
  }
}
