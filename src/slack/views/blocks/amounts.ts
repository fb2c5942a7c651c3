import { roundedPercentage } from '../../../domain/result.ts';

/** Created once: creating a format takes a hundred times as long as using it. */
const format = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Such as `71.4%`. */
export function percent(value: number): string {
  return `${rounded(value)}%`;
}

/** With at most one decimal. */
export function rounded(value: number): string {
  return format.format(roundedPercentage(value));
}

const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' });
const ordinalEndings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** Such as `2nd`. */
export function ordinal(place: number): string {
  return `${place.toLocaleString('en')}${ordinalEndings[ordinalRules.select(place)] ?? 'th'}`;
}

/** Such as `1 quiz` or `2 quizzes`. */
export function countOf(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
}
