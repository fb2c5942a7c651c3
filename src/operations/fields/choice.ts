import { longestText, wordsFrom, splitList, type Taken, type Token } from '../typed-text.ts';
import type { Right } from '../context.ts';
import { meansOneOf } from '../other-words/meanings.ts';
import { usualKind, unknownText, valueOf, type FieldBase, type FieldKind, type ResolvedValue } from './field-kind.ts';
import { say, listed, asSaid } from '../../domain/said.ts';

/**
 * `needs`: the right without which a person is not offered the option. `typed`: its own words in a line, where they are
 * not the value. `also`: what else people type for it. `formOnly`: in a line, its words belong to names.
 */
export interface FieldOption {
  value: string;
  label: string;
  hint?: string;
  typed?: string;
  also?: readonly string[];
  formOnly?: true;
  needs?: Right;
}

/** One of a few; `usual` is chosen until the person chooses. `unknown`: what to say of a text that is none of them. */
export interface ChoiceField extends FieldBase {
  kind: 'choice';
  options: readonly FieldOption[];
  usual?: string;
  unknown?: (typed: string) => string;
}

export const choiceKind: FieldKind<ChoiceField, string> = {
  ...usualKind,
  take: takeOption,
  resolve([first = ''], { options, unknown }, { rights }) {
    const chosen = resolveOptions([first], options, rights);
    if (chosen.kind === 'value') return valueOf(chosen.value.join());
    return unknown ? { ...unknownText(unknown(first)), isExplained: true } : chosen;
  },
  identify: (value) => [value],
  describe: (value, { options }) => asSaid(labelOf(value, options)),
};

/** The values of options that were named by value or label, in any case: all of them or none. */
function resolveOptions(
  typed: readonly string[],
  options: readonly FieldOption[],
  rights: ReadonlySet<Right>,
): ResolvedValue<string[]> {
  const offered = offeredOptions(options, rights);
  const chosen = typed.map((text) => optionNamed(text, offered));
  if (chosen.every((option) => option !== undefined)) return valueOf(chosen.map(({ value }) => value));
  return unknownText(
    say`Choose ${listed(
      offered.map(({ label }) => asSaid(label)),
      'disjunction',
    )}.`,
  );
}

/** The option that a text names: by its value, its label, or what people type for it, also in another language. */
function optionNamed<Option extends FieldOption>(text: string, options: readonly Option[]): Option | undefined {
  return (
    options.find((option) => textsOf(option).includes(text.toLowerCase())) ??
    options.find((option) => meansOneOf(text, textsOf(option)))
  );
}

function textsOf({ value, label, also = [] }: FieldOption): string[] {
  return [value, label, ...also].map((text) => text.toLowerCase());
}

/** The option that the longest words name. */
export function takeOption(
  tokens: readonly Token[],
  from: number,
  { options }: { options: readonly FieldOption[] },
): Taken | undefined {
  const words = wordsFrom(tokens, from, longestOption);
  const typedOptions = options
    .filter(({ formOnly }) => !formOnly)
    .map((option) => ({ ...option, value: option.typed ?? option.value, of: option.value }));
  const longest = longestText(words, (text) => optionNamed(text, typedOptions));
  return longest && { texts: [longest.means.of], end: from + longest.length };
}

/** In words. */
const longestOption = 8;

/** The options a person with these rights can choose. */
export function offeredOptions(options: readonly FieldOption[], rights: ReadonlySet<Right>): FieldOption[] {
  return options.filter(({ needs }) => needs === undefined || rights.has(needs));
}

function labelOf(value: string, options: readonly FieldOption[]): string {
  return options.find((option) => option.value === value)?.label ?? value;
}

/** Any of a few, as checkboxes. */
interface FlagsField extends FieldBase {
  kind: 'flags';
  options: readonly FieldOption[];
}

export const flagsKind: FieldKind<FlagsField, string[]> = {
  ...usualKind,
  split: splitList,
  take: takeOption,
  resolve: (typed, { options }, { rights }) => resolveOptions(typed, options, rights),
  identify: (values) => values,
  describe: (values, { options }) => values.map((value) => asSaid(labelOf(value, options))).join(', '),
};
