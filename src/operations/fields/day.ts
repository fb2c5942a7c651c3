import { isDay } from '../../time/wall-clock.ts';
import { unquote } from '../typed-text.ts';
import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

/** A day, as yyyy-MM-dd. */
export interface DayField extends FieldBase {
  kind: 'day';
}

export const dayKind: FieldKind<DayField, string> = {
  ...namesNothing,
  split: (typed) => [unquote(typed)],
  resolve: ([text = '']) => (isDay(text) ? valueOf(text) : invalid(say`Enter a day, for example 2026-11-01.`)),
  identify: (day) => [day],
  describe: (day) => day,
};
