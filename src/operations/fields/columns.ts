import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

/** What a person said that the columns of a file hold: `3=email_address` for the fourth. The operation asks for it with a form of its own. */
export interface ColumnsField extends FieldBase {
  kind: 'columns';
  optional: true;
  typedOnly: true;
}

export const columnsKind: FieldKind<ColumnsField, string[]> = {
  ...namesNothing,
  split: () => [],
  resolve: (texts) =>
    texts.every((text) => /^\d{1,3}=\w{1,30}$|^ask$/.test(text))
      ? valueOf([...texts])
      : invalid(say`Choose what the columns hold in the form.`),
  identify: (value) => value,
  describe: (value) => value.join(', '),
};
