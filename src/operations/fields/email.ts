import { isFullAddress } from '../../domain/address.ts';
import { unquote } from '../typed-text.ts';
import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

export interface EmailField extends FieldBase {
  kind: 'email';
}

export const emailKind: FieldKind<EmailField, string> = {
  ...namesNothing,
  split: (typed) => [unquote(typed)],
  resolve([text = '']) {
    if (isFullAddress(text)) return valueOf(text);
    return invalid(say`This isn’t an e-mail address. Enter one like rosa@example.com.`);
  },
  identify: (address) => [address],
  describe: (address) => address,
};
