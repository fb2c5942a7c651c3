import { meansOneOf } from '../../operations/other-words/meanings.ts';
import type { TextInput } from '../../operations/text-input.ts';

/** The input without a campaign where people typed that all are meant. */
export function withoutAll({ campaign = [], ...others }: TextInput): TextInput {
  const [typed = ''] = campaign;
  return /^(?:for\s+)?all(?:\s+campaigns)?$/i.test(typed.trim()) || meansOneOf(typed.trim(), ['all'])
    ? others
    : { ...others, ...(typed !== '' && { campaign }) };
}
