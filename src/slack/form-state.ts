import type { ViewStateValue } from '@slack/bolt';
import type { TextInput } from '../governance/resolve-input.ts';
import type { Field, Operation, Right, Value } from '../operations/operation.ts';
import { assigneeOption, fieldOption, groupOption, quizOption, userOption } from './views/options.ts';
import { inputActionId, type FormState } from './views/inputs.ts';

/** Reads a submitted form. */
export function readFormState(values: Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>): FormState {
  const formState: Record<string, FormState[string]> = {};
  for (const [field, inputs] of Object.entries(values)) {
    const input = inputs[inputActionId];
    const options = input?.selected_options ?? (input?.selected_option ? [input.selected_option] : []);
    if (options.length > 0) formState[field] = { options };
    else if (input?.selected_users?.length) formState[field] = { people: input.selected_users };
    else if (input?.selected_conversation) formState[field] = { conversation: input.selected_conversation };
    else if (input?.value) formState[field] = { text: input.value };
  }
  return formState;
}

/** What a form holds, as a raw input. */
export function textInputOf(formState: FormState): TextInput {
  return Object.fromEntries(Object.entries(formState).map(([field, value]) => [field, textsOf(value)]));
}

/** What was read of a command line, as a form holds it. */
export function formStateOf(operation: Operation, values: Readonly<Record<string, Value>>, rights: ReadonlySet<Right>): FormState {
  return Object.fromEntries(
    Object.entries(operation.fields).flatMap(([name, field]) => {
      const value = values[name];
      return value === undefined ? [] : [[name, entry(field, value, rights)]];
    }),
  );
}

function textsOf(value: FormState[string]): readonly string[] {
  if ('text' in value) return [value.text];
  if ('people' in value) return value.people.map((id) => `<@${id}>`);
  if ('conversation' in value) return [`<#${value.conversation}>`];
  return value.options.map((option) => option.value ?? '');
}

function entry(field: Field, value: Value, rights: ReadonlySet<Right>): FormState[string] {
  if (typeof value === 'string') {
    return field.kind === 'choice' ? { options: field.options.filter((option) => option.value === value).map(fieldOption) } : { text: value };
  }
  if (Array.isArray(value)) {
    return { options: value.map((one) => (typeof one === 'string' ? fieldOption({ value: one, label: one }) : assigneeOption(one, rights))) };
  }
  if ('channel_id' in value) return { conversation: value.channel_id };
  if ('subscription' in value) return { text: value.subscription.id };
  if ('user_id' in value) return { options: [userOption(value, rights)] };
  return { options: ['group_id' in value ? groupOption(value) : quizOption(value)] };
}
