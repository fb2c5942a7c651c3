import * as z from 'zod';

/** An identifier: never empty. */
export const id = z.string().min(1);

/** Text that may be missing, which means empty. */
export const text = z.string().nullish().transform((value) => value ?? '');

/** A flag that may be missing, which means no. */
export const flag = z.boolean().nullish().transform((value) => value ?? false);

/** A number; the service's decimals may come as text, such as `"8.00"`. */
export const decimal = z.union([
  z.number(),
  z.string().regex(/^-?\d+(\.\d+)?$/).transform(Number),
]);

/** A moment, which the service writes as `yyyy-MM-dd hh:mm:ss`: in UTC, with a 24-hour clock. */
export const utcDate = z.string().transform(toDate);

/** A moment that may not have come yet: null, empty or missing. */
export const optionalUtcDate = z.string().nullish().transform((value, context) => (value ? toDate(value, context) : null));

function toDate(value: string, context: z.RefinementCtx): Date {
  const date = parseUtcDate(value);
  if (date !== null) return date;
  context.addIssue({ code: 'custom', message: 'no date of the form yyyy-MM-dd hh:mm:ss' });
  return z.NEVER;
}

/** A page that may not exist; the service then writes nothing, or `not_in_use` instead of a URL. */
export const link = z.string().nullish().transform((value) => (value && isWebAddress(value) ? value : null));

/** An array that may be missing, which means empty. */
export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).nullish().transform((items) => items ?? []);
}

/** An array whose items the specification does not show: those that fit are kept. */
export function listOfKnown<Item extends z.ZodType>(item: Item) {
  return list(z.unknown()).transform((items) =>
    items.flatMap((candidate): z.output<Item>[] => {
      const known = item.safeParse(candidate);
      return known.success ? [known.data] : [];
    }));
}

const UTC_DATE = /^\d{4}-\d\d-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Null for anything but a real moment in the service's form. */
export function parseUtcDate(value: string): Date | null {
  if (!UTC_DATE.test(value)) return null;
  const date = new Date(`${value.slice(0, 10)}T${value.slice(11)}Z`);
  const isRealDay = date.getUTCDate() === Number(value.slice(8, 10));
  return isRealDay ? date : null;
}

function isWebAddress(value: string): boolean {
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
