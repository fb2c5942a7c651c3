import { isDeepStrictEqual } from 'node:util';

/** A record of an answer, with the fields of the specification's section 2. */
export type Fields = Readonly<Record<string, unknown>>;

export type Resource = 'quiz' | 'group' | 'user' | 'assigned_quiz' | 'response' | 'question' | 'option';

/** Why the rough account has an oddity. */
export const sources = {
  seen: 'seen or plausible in real accounts',
  help: 'public help of such a service',
  open: 'not shown in the specification',
} as const;

/** A way in which a real account differs from the specification's tables. */
export interface Oddity {
  name: string;
  /** The field or the kind of answer that is odd. */
  where: string;
  what: string;
  source: keyof typeof sources;
}

/** An oddity of a record, in every answer and webhook that contains the record. */
export interface RecordOddity extends Oddity {
  resource: Resource;
  /** `dealt`: a share of the records that fit. `all`: every record that fits. `sample`: sample data, nothing to change. */
  reach: 'dealt' | 'all' | 'sample';
  fits: (record: Fields) => boolean;
  /**
   * Returns what is sent instead of the record.
   * @param zone the time zone in which the account writes its dates
   */
  change: (record: Fields, zone: string) => unknown;
  /** Recognizes the oddity in a record of this resource. */
  shows: (record: unknown) => boolean;
  /** The fields of a sample record that fits. */
  sample?: Readonly<Record<string, string | boolean>>;
}

/** A call as the caller sees it. */
export interface SeenCall {
  method: string;
  path: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** An oddity of the answer as a whole. */
export interface CallOddity extends Oddity {
  shows: (call: SeenCall) => boolean;
}

/** A webhook call as the receiver sees it. */
export interface SeenWebhook {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The secret that the receiver shares. */
  secret: string;
}

export interface WebhookOddity extends Oddity {
  shows: (webhook: SeenWebhook) => boolean;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What happens to the value of a field. */
interface Change {
  name: string;
  what: string;
  apply: (value: unknown, zone: string) => unknown;
  shows: (value: unknown) => boolean;
  /** Which values can change. Default: all. */
  fits?: (value: unknown) => boolean;
}

type Details = Partial<Pick<RecordOddity, 'source' | 'reach' | 'fits' | 'sample' | 'what' | 'shows'>>;

const titles: Record<Resource, string> = {
  quiz: 'Quiz',
  group: 'Group',
  user: 'User',
  assigned_quiz: 'User.quizzes',
  response: 'Response',
  question: 'Question',
  option: 'Option',
};

/** Defines an oddity of one field. */
function inField(resource: Resource, field: string, change: Change, details: Details = {}): RecordOddity {
  return {
    name: kebab(`${resource} ${field} ${change.name}`),
    resource,
    where: `${titles[resource]}.${field}`,
    what: change.what,
    source: 'seen',
    reach: 'dealt',
    fits: (record) => change.fits?.(record[field]) ?? true,
    change: (record, zone) => ({ ...record, [field]: change.apply(record[field], zone) }),
    shows: (record) => isFields(record) && change.shows(record[field]),
    ...details,
  };
}

/** Defines the oddities of fields, each with what is special about it. */
export function inFields(
  resource: Resource,
  fields: Readonly<Record<string, readonly (Change | readonly [Change, Details])[]>>,
): RecordOddity[] {
  return Object.entries(fields).flatMap(([field, changes]) =>
    changes.map((change) =>
      'name' in change ? inField(resource, field, change) : inField(resource, field, ...change),
    ),
  );
}

type Whole = Pick<RecordOddity, 'what' | 'change' | 'shows'> & Details & { name: string };

/** Defines an oddity of several fields, or of the whole record. */
export function inRecord(resource: Resource, { name, ...details }: Whole): RecordOddity {
  return {
    name: kebab(`${resource} ${name}`),
    resource,
    where: titles[resource],
    source: 'seen',
    reach: 'dealt',
    fits: () => true,
    ...details,
  };
}

/** Defines an oddity that the sample data have, and that needs no change. */
export function inSample(
  resource: Resource,
  field: string,
  details: Pick<RecordOddity, 'name' | 'what'> & { shows: (value: unknown, record: Fields) => boolean } & Pick<
      Details,
      'source'
    >,
): RecordOddity {
  const { shows, ...rest } = details;
  return {
    resource,
    where: `${titles[resource]}.${field}`,
    source: 'seen',
    reach: 'sample',
    fits: () => true,
    change: (record) => record,
    shows: (record) => isFields(record) && shows(record[field], record),
    ...rest,
  };
}

export function becomes(value: unknown, name = JSON.stringify(value), what = `\`${JSON.stringify(value)}\``): Change {
  return { name, what, apply: () => value, shows: (seen) => isDeepStrictEqual(seen, value) };
}

export const becomesNull = becomes(null, 'null');

export const isMissing: Change = {
  name: 'missing',
  what: 'missing',
  apply: () => undefined,
  shows: (value) => value === undefined,
};

/** `7.5` becomes `"7.50"`, `true` becomes `"true"`. */
export const asText: Change = {
  name: 'text',
  what: 'a text, such as `"7.50"` or `"true"`',
  apply: (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value)),
  shows: (value) => typeof value === 'string',
};

export const asNumber: Change = {
  name: 'number',
  what: 'a number instead of a text of digits',
  apply: Number,
  shows: (value) => typeof value === 'number',
  fits: (value) => typeof value === 'string' && /^\d+$/.test(value),
};

export const withTail: Change = {
  name: 'tail',
  what: 'with a floating-point tail, such as `33.333333333333336`',
  apply: (value) => Number(value) + (Number(value) < 1 ? 1 : -1) / 3,
  shows: (value) => typeof value === 'number' && String(value).length > 12,
  fits: (value) => typeof value === 'number',
};

/** The smallest date of .NET, which stands for none. */
export const becomesYearOne = becomes('0001-01-01 00:00:00', 'year one');

const isoDates: Record<string, { what: string; write: (utcText: string, zone: string) => string; pattern: RegExp }> = {
  t: {
    what: 'ISO with `T`',
    write: (text, zone) => inZone(text, zone).replace(' ', 'T'),
    pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
  },
  milliseconds: {
    what: 'ISO with `T` and milliseconds',
    write: (text, zone) => `${inZone(text, zone).replace(' ', 'T')}.417`,
    pattern: /\.\d{3}$/,
  },
  offset: {
    what: 'ISO with an offset',
    write: (text, zone) => `${inZone(text, zone).replace(' ', 'T')}${offsetAt(text, zone)}`,
    pattern: /T.*[+-]\d\d:\d\d$/,
  },
  z: {
    what: 'ISO in UTC, with `Z`',
    write: (text) => `${text.replace(' ', 'T')}Z`,
    pattern: /Z$/,
  },
};

/** The ISO forms of a date. */
export const isoChanges: Change[] = Object.entries(isoDates).map(([name, { what, write, pattern }]) => ({
  name,
  what,
  apply: (value, zone) => (isDateText(value) ? write(value, zone) : value),
  shows: (value) => typeof value === 'string' && pattern.test(value),
  fits: isDateText,
}));

/** The ISO forms of a date, and the two ways in which it can be absent. */
export const dateChanges: readonly Change[] = [...isoChanges, becomesNull, becomesYearOne];

function kebab(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Rewrites a date of the service, which is in UTC, in another zone: `yyyy-MM-dd hh:mm:ss`. */
export function inZone(utcText: string, zone: string): string {
  return zone === 'UTC' ? utcText : format(zone).format(readUtc(utcText)).replace(',', '');
}

/** The offset of the zone at a date of the service, such as `-07:00`. */
function offsetAt(utcText: string, zone: string): string {
  const minutes = (readUtc(inZone(utcText, zone)) - readUtc(utcText)) / 60_000;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
}

/** Whether a value is a date of the service. The year 1 stands for no date. */
export function isDateText(value: unknown): value is string {
  return typeof value === 'string' && /^(?!0001)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value);
}

function readUtc(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

/** Swedish writes dates as the service does. */
function format(zone: string): Intl.DateTimeFormat {
  let found = formats.get(zone);
  if (!found) {
    found = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, found);
  }
  return found;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
