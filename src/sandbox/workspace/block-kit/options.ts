import { z } from 'zod';
import { limits } from '../limits.ts';
import { anyText, characters, plainText } from './text.ts';

const value = { value: characters(limits.optionValue) };

/** An option of a select menu: plain text only. */
export const plainOption = z.strictObject({
  ...value,
  text: plainText(limits.optionText),
  description: plainText(limits.optionDescription).optional(),
});

/** An option of radio buttons or checkboxes, which may use mrkdwn. */
export const choiceOption = z.strictObject({
  ...value,
  text: anyText(limits.optionText),
  description: anyText(limits.optionDescription).optional(),
});

/** An option of an overflow menu, the only kind that may be a link. */
export const overflowOption = plainOption.extend({ url: characters(limits.optionUrl).optional() });

const optionGroup = z.strictObject({
  label: plainText(limits.groupLabel),
  options: z.array(plainOption).min(limits.selectOptions.min).max(limits.selectOptions.max),
});

export const optionList = z.array(plainOption).min(limits.selectOptions.min).max(limits.selectOptions.max);
export const optionGroups = z.array(optionGroup).min(limits.selectGroups.min).max(limits.selectGroups.max);

/** What an app may answer to an options request; here, other than in a menu, no options at all is fine. */
export const optionsAnswer = z.union([
  z.object({ options: z.array(plainOption).max(limits.selectOptions.max) }),
  z.object({ option_groups: z.array(optionGroup).max(limits.selectGroups.max) }),
]);

export type Option = z.infer<typeof plainOption>;
export type ChoiceOption = z.infer<typeof choiceOption>;
export type OptionGroup = z.infer<typeof optionGroup>;
