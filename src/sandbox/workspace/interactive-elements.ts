import type { Block } from './block-kit/blocks.ts';
import type { ElementOf, InputElement, InputState, InputValues, InteractiveElement } from './block-kit/elements.ts';
import { propertyOf } from './json.ts';
import { limits } from './limits.ts';

/** Lists the elements of a block that a person can interact with. */
export function elementsOf(block: Block): InteractiveElement[] {
  switch (block.type) {
    case 'section':
      return block.accessory === undefined ? [] : [block.accessory];
    case 'actions':
      return block.elements;
    case 'input':
      return [block.element];
    default:
      return [];
  }
}

/** @returns an empty string when the element has no action id */
export const actionIdOf = ({ action_id: id = '' }: InteractiveElement): string => id;

/** Where the state of an input holds its value. */
export const stateKeys = {
  plain_text_input: 'value',
  email_text_input: 'value',
  static_select: 'selected_option',
  external_select: 'selected_option',
  checkboxes: 'selected_options',
  multi_external_select: 'selected_options',
  multi_users_select: 'selected_users',
  conversations_select: 'selected_conversation',
  multi_conversations_select: 'selected_conversations',
  datepicker: 'selected_date',
  datetimepicker: 'selected_date_time',
  file_input: 'files',
} as const satisfies Record<InputElement['type'], keyof InputState>;

export const isInput = (element: InteractiveElement): element is InputElement => element.type in stateKeys;

/** The state of an input that holds this. */
export function stateWith({ type }: Pick<InputElement, 'type'>, value: unknown): InputState {
  return { type, [stateKeys[type]]: value };
}

/** What an input holds: nothing is null or an empty list. */
const valueIn = ({ type }: Pick<InputElement, 'type'>, state: InputState): unknown => state[stateKeys[type]];

/** The state of an input before anybody changes it. Its key and that of what it begins with have one name: `initial_…`. */
function initialState(element: InputElement): InputState {
  const key = stateKeys[element.type];
  const initial = propertyOf(element, `initial_${key.replace('selected_', '')}`);
  return stateWith(element, initial ?? (key.endsWith('s') ? [] : null));
}

/** Builds the state of the inputs in new or updated blocks. An input of the same id and type keeps its state. */
export function initialValues(blocks: readonly Block[], before: InputValues = {}): InputValues {
  const values: InputValues = {};
  for (const block of blocks)
    for (const element of elementsOf(block).filter(isInput)) {
      const blockId = block.block_id ?? '';
      const actionId = actionIdOf(element);
      const kept = before[blockId]?.[actionId];
      values[blockId] = { ...values[blockId], [actionId]: kept?.type === element.type ? kept : initialState(element) };
    }
  return values;
}

function isFilled(element: InputElement, state: InputState): boolean {
  const value = valueIn(element, state);
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== '';
}

/** Runs the checks of Slack's client, which precede `view_submission`. @returns error messages by block id */
export function checkInputs(blocks: readonly Block[], values: InputValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input') continue;
    const state = values[block.block_id ?? '']?.[actionIdOf(block.element)];
    const error =
      state === undefined || !isFilled(block.element, state)
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
    case 'plain_text_input': {
      const longest = element.max_length ?? limits.plainTextInput.max;
      return value.length > longest ? `Please enter at most ${longest} characters.` : undefined;
    }
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : 'Please enter a valid e-mail address.';
    case 'file_input':
      return checkFiles(state.files ?? [], element);
    default:
      return undefined;
  }
}

function checkFiles(files: readonly unknown[], element: ElementOf<'file_input'>): string | undefined {
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
