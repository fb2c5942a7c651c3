import { writtenNumber } from '../../../domain/said.ts';
import { roundedPercentage } from '../../../domain/result.ts';

/** Created once: creating a format takes a hundred times as long as using it. */
const format = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Such as `71.4%`. */
export function percent(value: number): string {
  return writtenNumber(`${format.format(roundedPercentage(value))}%`);
}

/** With at most one decimal. */
export function rounded(value: number): string {
  return writtenNumber(format.format(roundedPercentage(value)));
}

const placeFormat = new Intl.NumberFormat('en');
const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' });
const ordinalEndings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** Such as `2nd`. */
export function ordinal(place: number): string {
  return writtenNumber(`${placeFormat.format(place)}${ordinalEndings[ordinalRules.select(place)] ?? 'th'}`);
}
