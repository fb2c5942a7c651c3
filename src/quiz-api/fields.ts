import * as z from 'zod';
import { isUtcDate, toDate } from './utc-date.ts';

/*
 * What may be missing may be null as well. Where it then is something else, that is a union and not a
 * transform of a nullish value, since `z.compile` runs the first member of a union without a call.
 */

/** An identifier: never empty. */
export const id = z.string().min(1);

/** Text that may be missing, which means empty. */
export const text = z.union([z.string(), z.null().transform(() => '')], 'text belongs here').default('');

/** A flag that may be missing, which means no. */
export const flag = z.union([z.boolean(), z.null().transform(() => false)], 'true or false belongs here').default(false);

/** A number; the service's decimals may come as text, such as `"8.00"`. */
export const decimal = z.union([
  z.number(),
  z.string().regex(/^-?\d+(\.\d+)?$/).transform(Number),
], 'a number belongs here');

/** A number that may be missing, which means none. */
export const count = z.union([decimal, z.null().transform(() => 0)], 'a number belongs here').default(0);

const noDate = 'a date of the form yyyy-MM-dd hh:mm:ss belongs here';

/** A moment as the service writes it, `yyyy-MM-dd hh:mm:ss`: in UTC, with a 24-hour clock. */
export const writtenDate = z.string().refine(isUtcDate, noDate);

/** A moment as the service writes it, which may not have come yet: null, empty or missing. */
export const optionalWrittenDate = z.string().refine((value) => value === '' || isUtcDate(value), noDate).nullish();

/** A moment. */
export const utcDate = writtenDate.transform(toDate);

/** A moment that may not have come yet, which is null. */
export const optionalUtcDate = optionalWrittenDate.transform((value) => (value ? toDate(value) : null));

/** A page that may not exist; the service then writes nothing, or `not_in_use` instead of a URL. */
export const link = z.string().nullish().transform((value) => (value && isWebAddress(value) ? value : null));

/** What may be missing, which means null. */
export function orNull<Field extends z.ZodType>(field: Field) {
  return field.nullish().transform((value) => value ?? null);
}

/** An array that may be missing, which means empty. */
export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).nullish().transform((items) => items ?? []);
}

/**
 * Whether a value fits a schema that transforms nothing. Compiled: with `z.withParser` it makes a
 * schema that copies nothing before it transforms, for resources that come by the hundred thousand.
 */
export function fits<Written extends z.ZodType>(written: Written): (value: unknown) => value is z.output<Written> {
  const compiled = z.compile(written);
  return (value): value is z.output<Written> => compiled.validate(value);
}

function isWebAddress(value: string): boolean {
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
