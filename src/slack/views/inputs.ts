import type { InputBlock, PlainTextOption } from '@slack/types';
import type { Field, FieldOption, Right } from '../../operations/operation.ts';
import { plain } from './mrkdwn.ts';
import { fieldOption } from './options.ts';

/** The action id of every input; the block id is the field's name, so an error finds its field. */
export const inputActionId = 'value';

/** What stands in a form’s inputs, by field name: text, options, ids of people of Slack, or the id of a conversation. */
export type FormState = Readonly<Record<string, { text: string } | { options: readonly PlainTextOption[] } | { people: readonly string[] } | { conversation: string }>>;

/** The longest text Slack takes in an input. */
const longestText = 3_000;

/** The input of a field; none where the person may choose nothing in it. */
export function inputBlock(name: string, field: Field, formState: FormState[string] | undefined, rights: ReadonlySet<Right>): InputBlock[] {
  const element = inputElement(field, formState, rights);
  if (element === undefined) return [];
  return [
    {
      type: 'input',
      block_id: name,
      label: plain(field.label, 2_000),
      optional: field.optional ?? false,
      element,
      ...(field.hint && { hint: plain(field.hint, 2_000) }),
    },
  ];
}

function inputElement(field: Field, formState: FormState[string] | undefined, rights: ReadonlySet<Right>): InputBlock['element'] | undefined {
  const action_id = inputActionId;
  const text = formState && 'text' in formState ? formState.text : undefined;
  const options = formState && 'options' in formState ? [...formState.options] : [];
  const [first] = options;
  switch (field.kind) {
    case 'text':
      return { type: 'plain_text_input', action_id, max_length: Math.min(field.maxLength, longestText), ...(text && { initial_value: text }) };
    case 'email':
      return { type: 'email_text_input', action_id, ...(text && { initial_value: text }) };
    case 'quiz':
    case 'user':
    case 'group':
      return { type: 'external_select', action_id, placeholder: plain('Type a part of its name', 150), min_query_length: 0, ...(first && { initial_option: first }) };
    case 'assignees':
      return { type: 'multi_external_select', action_id, placeholder: plain('Type a part of a name', 150), min_query_length: 0, ...(first && { initial_options: options }) };
    case 'slack-people': {
      const people = formState && 'people' in formState ? [...formState.people] : [];
      return { type: 'multi_users_select', action_id, placeholder: plain('Choose people', 150), ...(people.length > 0 && { initial_users: people }) };
    }
    case 'channel': {
      const filter = { include: ['public', 'private'] as ('public' | 'private')[], exclude_bot_users: true };
      const chosen = formState && 'conversation' in formState ? { initial_conversation: formState.conversation } : { default_to_current_conversation: true };
      return { type: 'conversations_select', action_id, placeholder: plain('Choose a channel', 150), filter, ...chosen };
    }
    case 'subscription':
      return { type: 'plain_text_input', action_id, max_length: 250, ...(text && { initial_value: text }) };
    case 'choice': {
      const offered = offeredOptions(field.options, rights);
      if (offered.length === 0) return undefined;
      const usual = first ?? offered.find(({ value }) => value === field.usual);
      return { type: 'static_select', action_id, options: offered, ...(usual && { initial_option: usual }) };
    }
    case 'flags': {
      const offered = offeredOptions(field.options, rights);
      if (offered.length === 0) return undefined;
      return { type: 'checkboxes', action_id, options: offered, ...(first && { initial_options: options }) };
    }
  }
}

function offeredOptions(options: readonly FieldOption[], rights: ReadonlySet<Right>): PlainTextOption[] {
  return options.filter(({ needs }) => needs === undefined || rights.has(needs)).map(fieldOption);
}
