import type { Right } from '../context.ts';
import { unquote } from '../typed-text.ts';
import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind, type ResolvedValue } from './field-kind.ts';

/** `needs`: the right without which a person is not offered the option. */
export interface FieldOption {
  value: string;
  label: string;
  hint?: string;
  needs?: Right;
}

/** One of a few; `usual` is chosen until the person chooses. */
export interface ChoiceField extends FieldBase {
  kind: 'choice';
  options: readonly FieldOption[];
  usual?: string;
}

export const choiceKind: FieldKind<ChoiceField, string> = {
  ...namesNothing,
  split: (typed) => [unquote(typed)],
  resolve([first = ''], { options }, { rights }) {
    const chosen = resolveOptions([first], options, rights);
    return chosen.kind === 'value' ? valueOf(chosen.value.join()) : chosen;
  },
  identify: (value) => [value],
  describe: (value, { options }) => labelOf(value, options),
};

/** The values of options that were named by value or label, in any case: all of them or none. */
export function resolveOptions(
  typed: readonly string[],
  options: readonly FieldOption[],
  rights: ReadonlySet<Right>,
): ResolvedValue<string[]> {
  const offered = offeredOptions(options, rights);
  const chosen = typed.map((text) =>
    offered.find((option) => [option.value, option.label].some((own) => own.toLowerCase() === text.toLowerCase())),
  );
  if (chosen.every((option) => option !== undefined)) return valueOf(chosen.map(({ value }) => value));
  return invalid(
    `Choose ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(offered.map(({ label }) => label))}.`,
  );
}

/** The options a person with these rights can choose. */
export function offeredOptions(options: readonly FieldOption[], rights: ReadonlySet<Right>): FieldOption[] {
  return options.filter(({ needs }) => needs === undefined || rights.has(needs));
}

export function labelOf(value: string, options: readonly FieldOption[]): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
