import type { Block } from './block-kit/blocks.ts';
import type { InputElement, InteractiveElement } from './block-kit/elements.ts';
import { limits } from './limits.ts';
import type { InputState, InputValues } from './model.ts';

/** Lists the elements of a block that a person can interact with. */
export function elementsOf(block: Block): InteractiveElement[] {
  switch (block.type) {
    case 'section':
      return block.accessory === undefined || block.accessory.type === 'image' ? [] : [block.accessory];
    case 'actions':
      return block.elements;
    case 'input':
      return [block.element];
    case 'card':
      return block.actions ?? [];
    case 'carousel':
      return block.elements.flatMap((card) => card.actions ?? []);
    default:
      return [];
  }
}

/** @returns an empty string when the element has no action id */
export const actionIdOf = (element: InteractiveElement): string =>
  'action_id' in element ? (element.action_id ?? '') : '';

interface StatefulElement {
  block: Block;
  element: InteractiveElement;
}

/** Lists the elements that hold a value. */
const statefulElements = (blocks: readonly Block[]): StatefulElement[] =>
  blocks.flatMap((block) =>
    elementsOf(block)
      .filter((element) => !['button', 'overflow'].includes(element.type))
      .map((element) => ({ block, element })),
  );

/** Builds the state of the inputs in new or updated blocks. An input of the same id and type keeps its state. */
export function initialValues(blocks: readonly Block[], before: InputValues = {}): InputValues {
  const values: InputValues = {};
  for (const { block, element } of statefulElements(blocks)) {
    const blockId = block.block_id ?? '';
    const actionId = actionIdOf(element);
    const kept = before[blockId]?.[actionId];
    values[blockId] = { ...values[blockId], [actionId]: kept?.type === element.type ? kept : initialState(element) };
  }
  return values;
}

function initialState(element: InteractiveElement): InputState {
  const { type } = element;
  switch (element.type) {
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: element.initial_option ?? null };
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return { type, selected_options: element.initial_options ?? [] };
    case 'users_select':
      return { type, selected_user: element.initial_user ?? null };
    case 'multi_users_select':
      return { type, selected_users: element.initial_users ?? [] };
    case 'channels_select':
      return { type, selected_channel: element.initial_channel ?? null };
    case 'multi_channels_select':
      return { type, selected_channels: element.initial_channels ?? [] };
    case 'conversations_select':
      return { type, selected_conversation: element.initial_conversation ?? null };
    case 'multi_conversations_select':
      return { type, selected_conversations: element.initial_conversations ?? [] };
    case 'datepicker':
      return { type, selected_date: element.initial_date ?? null };
    case 'timepicker':
      return {
        type,
        selected_time: element.initial_time ?? null,
        ...(element.timezone !== undefined && { timezone: element.timezone }),
      };
    case 'datetimepicker':
      return { type, selected_date_time: element.initial_date_time ?? null };
    case 'rich_text_input':
      return { type, ...(element.initial_value !== undefined && { rich_text_value: element.initial_value }) };
    case 'file_input':
      return { type, files: [] };
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return { type, value: element.initial_value ?? null };
    default:
      return { type };
  }
}

function isFilled(state: InputState): boolean {
  return Object.entries(state).some(
    ([key, value]) =>
      key !== 'type' &&
      key !== 'timezone' &&
      value !== null &&
      value !== undefined &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0),
  );
}

/** Runs the checks of Slack's client, which precede `view_submission`. @returns error messages by block id */
export function checkInputs(blocks: readonly Block[], values: InputValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input') continue;
    const state = values[block.block_id ?? '']?.[actionIdOf(block.element)];
    const error =
      state === undefined || !isFilled(state)
        ? block.optional === true
          ? undefined
          : 'Please complete this required field.'
        : checkValue(block.element, state);
    if (error !== undefined) errors[block.block_id ?? ''] = error;
  }
  return errors;
}

function checkValue(element: InputElement, state: InputState): string | undefined {
  const value = state.value ?? '';
  switch (element.type) {
    case 'plain_text_input':
      if (value.length < (element.min_length ?? 0)) return `Please enter at least ${element.min_length} characters.`;
      return value.length > (element.max_length ?? limits.plainTextInput.max)
        ? `Please enter at most ${element.max_length ?? limits.plainTextInput.max} characters.`
        : undefined;
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : 'Please enter a valid e-mail address.';
    case 'url_text_input':
      return URL.canParse(value) ? undefined : 'Please enter a valid URL.';
    case 'number_input':
      return checkNumber(value, element);
    case 'multi_static_select':
    case 'multi_external_select':
    case 'multi_users_select':
    case 'multi_channels_select':
    case 'multi_conversations_select':
      return chosen(state).length > (element.max_selected_items ?? Infinity)
        ? `Please choose at most ${element.max_selected_items}.`
        : undefined;
    case 'file_input':
      return checkFiles(state.files ?? [], element);
    default:
      return undefined;
  }
}

function checkFiles(
  files: readonly unknown[],
  element: Extract<InputElement, { type: 'file_input' }>,
): string | undefined {
  const mostFiles = element.max_files ?? limits.fileInputFiles.max;
  if (files.length > mostFiles) return `Please choose at most ${mostFiles}.`;
  for (const file of files as { name: string; size: number }[]) {
    const extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
    if (element.filetypes !== undefined && !element.filetypes.includes(extension))
      return `Please choose a file of type ${element.filetypes.join(', ')}.`;
    if (file.size > limits.fileInputBytes.max) return 'Please choose a file of at most 10 MB.';
  }
  return undefined;
}

function checkNumber(value: string, element: Extract<InputElement, { type: 'number_input' }>): string | undefined {
  if (!(element.is_decimal_allowed ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/).test(value))
    return element.is_decimal_allowed ? 'Please enter a number.' : 'Please enter a whole number.';
  if (element.min_value !== undefined && Number(value) < Number(element.min_value))
    return `Please enter a number of at least ${element.min_value}.`;
  return element.max_value !== undefined && Number(value) > Number(element.max_value)
    ? `Please enter a number of at most ${element.max_value}.`
    : undefined;
}

const chosen = (state: InputState): unknown[] =>
  state.selected_options ?? state.selected_users ?? state.selected_channels ?? state.selected_conversations ?? [];
