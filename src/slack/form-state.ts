import type { ViewStateValue } from '@slack/bolt';
import type { Visibility } from '../operations/context.ts';
import type { Field, Value } from '../operations/fields/fields.ts';
import type { Operation } from '../operations/operation.ts';
import { confirmationField, reasonField, type TextInput } from '../operations/text-input.ts';
import { stateOfOptions, type InputState } from './fields/field-kind.ts';
import { slackKindOf } from './fields/fields.ts';
import { reasonInputField } from './views/blocks/form.ts';
import { inputActionId, type FormState } from './views/blocks/inputs.ts';

/** What Slack sends of the inputs of a form, by block ID and action ID. */
type SubmittedValues = Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>;

/** Reads a submitted form. */
export function readFormState(operation: Operation, values: SubmittedValues): FormState {
  const fields = Object.entries({ ...operation.fields, [reasonField]: reasonInputField });
  const confirmation = confirmationInput(values)?.input?.selected_options;
  return withoutEmpty([
    ...fields.map(([name, field]) => {
      const input = values[name]?.[inputActionId];
      const kind = slackKindOf(field);
      return [name, kind.readParts ? kind.readParts(partsOf(name, values)) : input && kind.read(input)] as const;
    }),
    [confirmationField, stateOfOptions(confirmation)],
  ]);
}

/** The inputs of a field that has several: the block ID of each is the name of the field and what it is about. */
function partsOf(name: string, values: SubmittedValues): Map<string, ViewStateValue> {
  const parts = Object.entries(values).flatMap(([id, inputs]): [string, ViewStateValue][] => {
    const input = inputs[inputActionId];
    return id.startsWith(`${name} `) && input ? [[id.slice(name.length + 1), input]] : [];
  });
  return new Map(parts);
}

/** The input of a submitted form in which a warning is confirmed; undefined in a form without a warning. */
export function confirmationInput(
  values: SubmittedValues,
): { blockId: string; input: ViewStateValue | undefined } | undefined {
  const found = Object.entries(values).find(([id]) => id.startsWith(`${confirmationField} `));
  return found && { blockId: found[0], input: found[1][inputActionId] };
}

/** An input that was filled in earlier, from its texts. */
export function restoredState(field: Field, texts: readonly string[], visibility: Visibility): InputState {
  if (field.kind !== 'choice' && field.kind !== 'flags') return { texts };
  const value: Value = field.kind === 'choice' ? (texts[0] ?? '') : [...texts];
  return slackKindOf(field).fill(value, field, visibility);
}

/** The values of a form, as text for the core. */
export function textInputOf(formState: FormState): TextInput {
  return Object.fromEntries(Object.entries(formState).map(([name, { texts }]) => [name, texts]));
}

/** The values of a command line, as the state of a form. */
export function formStateOf(
  operation: Operation,
  values: Readonly<Record<string, Value>>,
  visibility: Visibility,
): FormState {
  return withoutEmpty(
    Object.entries(operation.fields).map(([name, field]) => {
      const value = values[name];
      return [name, value === undefined ? undefined : slackKindOf(field).fill(value, field, visibility)];
    }),
  );
}

/** The default values that follow from the channel in which the form opens. */
export function inputFromPlace(operation: Operation, channelId: string | undefined): TextInput {
  if (channelId === undefined) return {};
  return textInputOf(
    withoutEmpty(
      Object.entries(operation.fields).map(([name, field]) => [name, slackKindOf(field).fillFromPlace(channelId)]),
    ),
  );
}

function withoutEmpty(states: readonly (readonly [string, InputState | undefined])[]): FormState {
  return Object.fromEntries(states.flatMap(([name, state]) => (state === undefined ? [] : [[name, state]])));
}
