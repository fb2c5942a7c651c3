import { splitList } from '../typed-text.ts';
import { labelOf, resolveOptions, takeOption, type FieldOption } from './choice.ts';
import { namesNothing, type FieldBase, type FieldKind } from './field-kind.ts';
import { asSaid } from '../../domain/said.ts';

/** Any of a few, as checkboxes. */
export interface FlagsField extends FieldBase {
  kind: 'flags';
  optional: true;
  options: readonly FieldOption[];
}

export const flagsKind: FieldKind<FlagsField, string[]> = {
  ...namesNothing,
  split: splitList,
  take: takeOption,
  resolve: (typed, { options }, { rights }) => resolveOptions(typed, options, rights),
  identify: (values) => values,
  describe: (values, { options }) => values.map((value) => asSaid(labelOf(value, options))).join(', '),
};
