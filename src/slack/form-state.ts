import type { ViewStateValue } from '@slack/bolt';
import type { Visibility } from '../operations/context.ts';
import type { Value } from '../operations/fields/fields.ts';
import type { Operation } from '../operations/operation.ts';
import { reasonField, type TextInput } from '../operations/text-input.ts';
import type { InputState } from './fields/field-kind.ts';
import { slackKindOf } from './fields/fields.ts';
import { reasonInputField } from './views/form.ts';
import { inputActionId, type FormState } from './views/inputs.ts';

/** Reads a submitted form. */
export function readFormState(operation: Operation, values: Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>): FormState {
  const fields = Object.entries({ ...operation.fields, [reasonField]: reasonInputField });
  return withoutEmpty(fields.map(([name, field]) => {
    const input = values[name]?.[inputActionId];
    return [name, input && slackKindOf(field).read(input)];
  }));
}

/** The values of a form, as text for the core. */
export function textInputOf(formState: FormState): TextInput {
  return Object.fromEntries(Object.entries(formState).map(([name, { texts }]) => [name, texts]));
}

/** The values of a command line, as the state of a form. */
export function formStateOf(operation: Operation, values: Readonly<Record<string, Value>>, visibility: Visibility): FormState {
  return withoutEmpty(Object.entries(operation.fields).map(([name, field]) => {
    const value = values[name];
    return [name, value === undefined ? undefined : slackKindOf(field).fill(value, field, visibility)];
  }));
}

/** The default values that follow from the channel in which the form opens. */
export function inputFromPlace(operation: Operation, channelId: string | undefined): TextInput {
  if (channelId === undefined) return {};
  return textInputOf(withoutEmpty(Object.entries(operation.fields).map(([name, field]) => [name, slackKindOf(field).fillFromPlace(channelId)])));
}

function withoutEmpty(states: readonly (readonly [string, InputState | undefined])[]): FormState {
  return Object.fromEntries(states.flatMap(([name, state]) => (state === undefined ? [] : [[name, state]])));
}
