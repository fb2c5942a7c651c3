import { labelOf, offeredOptions, type ChoiceField } from '../../operations/fields/choice.ts';
import type { FlagsField } from '../../operations/fields/flags.ts';
import { fieldOption } from '../views/blocks/options.ts';
import { offersNothing, stateOfOptions, type SlackFieldKind } from './field-kind.ts';

export const slackChoice: SlackFieldKind<ChoiceField, string> = {
  ...offersNothing,
  element({ options, usual }, state, rights) {
    const offered = offeredOptions(options, rights).map(fieldOption);
    if (offered.length === 0) return undefined;
    const initial = state?.options?.[0] ?? offered.find(({ value }) => value === usual);
    return { type: 'static_select', options: offered, ...(initial && { initial_option: initial }) };
  },
  read: ({ selected_option }) => stateOfOptions(selected_option ? [selected_option] : []),
  fill: (value, { options }) => ({
    texts: [value],
    options: options.filter((option) => option.value === value).map(fieldOption),
  }),
};

/** Checkboxes. */
export const slackFlags: SlackFieldKind<FlagsField, string[]> = {
  ...offersNothing,
  element({ options }, state, rights) {
    const offered = offeredOptions(options, rights).map(fieldOption);
    if (offered.length === 0) return undefined;
    return {
      type: 'checkboxes',
      options: offered,
      ...(state?.options?.length && { initial_options: [...state.options] }),
    };
  },
  read: ({ selected_options }) => stateOfOptions(selected_options),
  fill: (values, { options }) => ({
    texts: values,
    options: values.map((value) =>
      fieldOption(options.find((option) => option.value === value) ?? { value, label: labelOf(value, options) }),
    ),
  }),
};
