import { isObject } from '../fields.ts';
import { differenceOf, kindOf } from './form-of.ts';
import type { Form, Shape } from './specification.ts';

/** How many values of a field differ in which way. */
interface FieldCount {
  values: number;
  differences: Map<string, number>;
}

const linesAtMost = 40;

/**
 * How records differ from a shape, a line for each field that does: `status: “archived” in 2 of 21`. Lines name fields and
 * kinds of values, and no value that could be personal.
 *
 * @param isName whether a text is the name of somebody in the account
 */
export function shapeDifferences(
  records: readonly unknown[],
  shape: Shape,
  isName: (text: string) => boolean,
): string[] {
  const counts = new Map<string, FieldCount>();
  countIn(records, shape, '', counts, isName);
  const lines = [...counts].flatMap(([field, { values, differences }]) =>
    differences.size === 0 ? [] : [`${field}: ${inWords(differences, values)}`],
  );
  const more = lines.length - linesAtMost;
  return more > 0 ? [...lines.slice(0, linesAtMost), `and ${more} more fields`] : lines;
}

function countIn(
  records: readonly unknown[],
  shape: Shape,
  path: string,
  counts: Map<string, FieldCount>,
  isName: (text: string) => boolean,
): void {
  for (const record of records) {
    const itself = path === '' ? 'the record itself' : path.slice(0, -1);
    count(counts, itself, isObject(record) ? undefined : kindOf(record));
    if (!isObject(record)) continue;
    for (const [field, form] of Object.entries(shape)) {
      const value = record[field];
      count(counts, `${path}${field}`, differenceOf(value, form, isName));
      const items = itemShape(form);
      if (items && Array.isArray(value)) countIn(value, items, `${path}${field}[].`, counts, isName);
    }
    for (const [field, value] of Object.entries(record))
      if (!Object.hasOwn(shape, field))
        count(counts, path + shownField(field, isName), `not in the specification, ${kindOf(value)}`);
  }
}

function itemShape(form: Form): Shape | undefined {
  return typeof form === 'object' && 'itemsOf' in form ? form.itemsOf : undefined;
}

/** Names of fields are the service’s. One that may have been written by a person is not shown. */
function shownField(field: string, isName: (text: string) => boolean): string {
  return !isName(field) && /^[A-Za-z]+(?:_[A-Za-z]+)*$/.test(field) && field.length <= 40
    ? field
    : '(a field with an unusual name)';
}

function count(counts: Map<string, FieldCount>, field: string, difference: string | undefined): void {
  const known = counts.get(field) ?? { values: 0, differences: new Map<string, number>() };
  known.values += 1;
  if (difference !== undefined) known.differences.set(difference, (known.differences.get(difference) ?? 0) + 1);
  counts.set(field, known);
}

function inWords(differences: ReadonlyMap<string, number>, values: number): string {
  const parts = [...differences].toSorted(([, one], [, other]) => other - one);
  const shown = parts
    .slice(0, 6)
    .map(([what, times], index) => `${what} in ${times}${index === 0 ? ` of ${values}` : ''}`);
  return [...shown, ...(parts.length > shown.length ? ['others'] : [])].join(', ');
}
