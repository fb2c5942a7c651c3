import * as z from 'zod';
import { dateOf, isUtcDate } from './utc-date.ts';

/*
 * A field that may be missing may be null as well. A default for null is a union and not a transform
 * of a nullish value, since `z.compile` runs the first member of a union without a call.
 */

/** An identifier: never empty. */
export const id = z.string().min(1);

/** Text; empty when missing. */
export const text = z.union([z.string(), z.null().transform(() => '')], 'text belongs here').default('');

/** A flag; false when missing. */
export const flag = z.union([z.boolean(), z.null().transform(() => false)], 'true or false belongs here').default(false);

/** A number; the service's decimals may come as text, such as `"8.00"`. */
export const decimal = z.union([
  z.number(),
  z.string().regex(/^-?\d+(\.\d+)?$/).transform(Number),
], 'a number belongs here');

/** A number; 0 when missing. */
export const count = z.union([decimal, z.null().transform(() => 0)], 'a number belongs here').default(0);

const noDate = 'a date of the form yyyy-MM-dd hh:mm:ss belongs here';

/** The text of a moment, `yyyy-MM-dd hh:mm:ss` in UTC on a 24-hour clock. `dateOf` reads it. */
export const writtenDate = z.string().refine(isUtcDate, noDate);

/** The text of a moment; null when empty or missing. */
export const optionalWrittenDate = z.string()
  .refine((value) => value === '' || isUtcDate(value), noDate)
  .nullish()
  .transform((value) => value || null);

/** A moment. */
export const utcDate = writtenDate.transform(dateOf);

/** A moment; null when empty or missing. */
export const optionalUtcDate = optionalWrittenDate.transform((value) => (value ? dateOf(value) : null));

/** The address of a page; null where the service has none and writes nothing, or `not_in_use`. */
export const link = z.string().nullish().transform((value) => (value && isWebAddress(value) ? value : null));

/** A field; null when missing. */
export function orNull<Field extends z.ZodType>(field: Field) {
  return field.nullish().transform((value) => value ?? null);
}

/** An array; empty when missing. */
export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).nullish().transform((items) => items ?? []);
}

/** An array without the items that do not fit; empty when missing. */
export function listOfFitting<Item>(item: z.ZodType<Item>) {
  const compiled = z.compile(item);
  return list(z.unknown()).transform((items) => items.flatMap((value) => compiled.safeParse(value).data ?? []));
}

/** A compiled check of whether a value fits a schema that transforms nothing. It copies nothing. */
export function fits<Fields extends z.ZodType>(schema: Fields): (value: unknown) => value is z.output<Fields> {
  const compiled = z.compile(schema);
  return (value): value is z.output<Fields> => compiled.validate(value);
}

function isWebAddress(value: string): boolean {
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
