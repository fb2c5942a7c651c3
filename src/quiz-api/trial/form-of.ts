import { isId, isObject, isUtcDate, numberOf } from '../fields.ts';
import type { Form } from './specification.ts';

/**
 * How a value differs from its form; undefined where it does not. The words say the kind of the value, and never the
 * value: the one exception are words of the service’s own, such as a status, in fields that have a list of them.
 *
 * @param isName whether a text is the name of somebody in the account
 */
export function differenceOf(value: unknown, form: Form, isName: (text: string) => boolean): string | undefined {
  if (value === undefined) return 'missing';
  if (value === null) return form === 'text or null' ? undefined : 'null';
  if (typeof form === 'object' && 'itemsOf' in form) return Array.isArray(value) ? undefined : kindOf(value);
  if (typeof form !== 'string') return ofVocabulary(value, form, isName);
  return differences[form](value);
}

const differences: Readonly<Record<Extract<Form, string>, (value: unknown) => string | undefined>> = {
  id: (value) => (typeof value === 'string' ? (isId(value) ? undefined : 'an empty text') : kindOf(value)),
  text: ofText,
  'text or null': ofText,
  date: ofDate,
  number: (value) => (typeof value === 'number' ? manyDecimals(value) : kindOf(value)),
  'whole number': (value) => (typeof value === 'number' ? fraction(value) : kindOf(value)),
  percentage(value) {
    if (typeof value !== 'number') return kindOf(value);
    return value < 0 || value > 100 ? 'a number outside 0 to 100' : fraction(value);
  },
  flag: (value) => (typeof value === 'boolean' ? undefined : kindOf(value)),
};

function ofText(value: unknown): string | undefined {
  if (typeof value !== 'string') return kindOf(value);
  if (/<\/?[a-z][^>]*>/i.test(value)) return 'text with HTML';
  return /&(?:#\d+|#x[\da-f]+|[a-z]+);/i.test(value) ? 'text with entities of HTML' : undefined;
}

function ofVocabulary(value: unknown, known: readonly string[], isName: (text: string) => boolean): string | undefined {
  if (typeof value !== 'string') return kindOf(value);
  if (known.includes(value)) return undefined;
  if (known.includes(value.trim().toLowerCase())) return 'a known word in capitals or with spaces';
  return /^[a-z]{2,}(?:_[a-z]+)*$/.test(value) && value.length <= 24 && !isName(value) ? `“${value}”` : kindOf(value);
}

function ofDate(value: unknown): string | undefined {
  if (typeof value !== 'string') return kindOf(value);
  if (value.startsWith('0001-')) return 'the year 1';
  if (isUtcDate(value)) return undefined;
  const [, separator, fractions, zone] =
    /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d(?::\d\d)?([.,]\d+)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i.exec(value) ?? [];
  if (separator === undefined) return value === '' ? 'an empty text' : 'text that is no date';
  const parts = [
    separator === ' ' ? '' : 'with T',
    fractions === undefined ? '' : 'with fractions of a second',
    zone === undefined ? '' : `with ${zone.toUpperCase()}`,
  ];
  return `a date ${parts.filter((part) => part !== '').join(' and ') || 'without seconds'}`;
}

function manyDecimals(value: number): string | undefined {
  return Math.abs(value * 100 - Math.round(value * 100)) < 1e-9 ? undefined : 'a number with more than two decimals';
}

function fraction(value: number): string | undefined {
  return Number.isInteger(value) ? undefined : 'a number with decimals';
}

/** The kind of a value, and nothing of what it says. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value !== 'string') return typeof value === 'number' ? 'a number' : 'true or false';
  if (value === '') return 'an empty text';
  if (/^\s*(?:true|false)\s*$/i.test(value)) return 'true or false as text';
  return numberOf(value) === null ? 'other text' : 'a number as text';
}
