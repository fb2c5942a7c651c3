import { expect } from 'vitest';
import { nowMs, retryAfterSeconds, type Fault, type Sample } from './service-fixture.ts';
import type { Arguments, OperationName } from './operations.ts';

export type Side = 'wire' | 'typed';

/** A value that differs between the wire and the client. */
class TwoSided implements Record<Side, unknown> {
  readonly wire: unknown;
  readonly typed: unknown;

  constructor(sides: Record<Side, unknown>) {
    this.wire = sides.wire;
    this.typed = sides.typed;
  }
}

const absent = Symbol('absent');

/** A field that only the client has. */
export function typedOnly(typed: unknown): TwoSided {
  return new TwoSided({ wire: absent, typed });
}

/** An array whose items all match `item`. */
class ListOf {
  readonly item: unknown;
  readonly minLength: number;

  constructor(item: unknown, minLength: number) {
    this.item = item;
    this.minLength = minLength;
  }
}

export function listOf(item: unknown): ListOf {
  return new ListOf(item, 0);
}

/** A list with at least one item. */
export function someOf(item: unknown): ListOf {
  return new ListOf(item, 1);
}

/** A date that the client leaves as text. */
export const writtenDate: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** A date that the client turns into a `Date`. */
export function date(written: string): TwoSided {
  return new TwoSided({ wire: written, typed: new Date(`${written.replace(' ', 'T')}Z`) });
}

export const anyDate = new TwoSided({ wire: writtenDate, typed: expect.any(Date) });

export const writtenDateOrNull: unknown = expect.toBeOneOf([writtenDate, null]);

export const dateOrNull = new TwoSided({
  wire: writtenDateOrNull,
  typed: expect.toBeOneOf([expect.any(Date), null]),
});

/** The value of a missing link: on the wire an empty string or a marker. */
export function noLink(written: string): TwoSided {
  return new TwoSided({ wire: written, typed: null });
}

/** The outcome of a call on both sides. */
export type Expectation = Record<Side, unknown>;

/** Status 200 with this body, which the client converts to its result. */
export function answer(body: unknown): Expectation {
  return {
    wire: { status: 200, contentType: jsonType, body: seenFrom('wire', body) },
    typed: { result: seenFrom('typed', body) },
  };
}

const jsonType: unknown = expect.stringMatching(/^application\/json\b/);
const anyMessage: unknown = expect.stringMatching(/^\S.+\.$/);

/** The success message of section 2.6, which the client ignores. */
export const success = answer(new TwoSided({ wire: { message: '200: OK' }, typed: undefined }));

/** The id of a created or found resource. */
export function id(field: 'quiz_id' | 'user_id', value: unknown): Expectation {
  return answer(new TwoSided({ wire: { [field]: value }, typed: value }));
}

/** The content of a file, which is not JSON. */
export function file({
  name,
  contentType,
  content,
}: {
  name: string;
  contentType: string;
  content: string;
}): Expectation {
  const disposition = `attachment; filename*=UTF-8''${name}`;
  return {
    wire: { status: 200, contentType, disposition, body: content },
    typed: { result: { fileName: name, contentType, content, contentLength: Buffer.byteLength(content) } },
  };
}

/** The errors of section 7 and the client's classes for them. */
const refusals = {
  'bad request': { status: 400, reason: 'bad request' },
  forbidden: { status: 403, reason: 'forbidden' },
  'SSL required': { status: 403, reason: 'SSL required', message: expect.stringMatching(/^403\.4: /) },
  'not found': { status: 404, reason: 'gone', isFromService: true },
  unprocessable: { status: 422, reason: 'bad request' },
  'rate limit exceeded': {
    status: 429,
    reason: 'rate limited',
    availableAt: new Date(nowMs + retryAfterSeconds * 1000),
  },
  'server error': { status: 500, reason: 'service failed' },
};

export type Refusal = keyof typeof refusals;

export function refusal(kind: Refusal): Expectation {
  const { status, message, ...details } = { message: anyMessage, ...refusals[kind] };
  const retryAfter = kind === 'rate limit exceeded' ? { retryAfter: String(retryAfterSeconds) } : {};
  return {
    wire: { status, contentType: jsonType, body: { message }, ...retryAfter },
    typed: { error: expect.objectContaining({ ...details, status, serviceMessage: message }) },
  };
}

/** A user name that nobody has: the service refuses it, and the client returns null because real accounts differ in how. */
export function nobody(kind: Refusal): Expectation {
  return { wire: refusal(kind).wire, typed: { result: null } };
}

function seenFrom(side: Side, value: unknown): unknown {
  if (value instanceof TwoSided) return value[side];
  if (value instanceof ListOf) return everyItem(seenFrom(side, value.item), value.minLength);
  if (Array.isArray(value)) return value.map((item: unknown) => seenFrom(side, item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, seenFrom(side, field)] as const)
      .filter(([, field]) => field !== absent),
  );
}

function everyItem(item: unknown, minLength: number): unknown {
  return expect.toSatisfy((items: unknown) => {
    if (!Array.isArray(items) || items.length < minLength) return false;
    for (const candidate of items) expect(candidate).toStrictEqual(item);
    return true;
  });
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A call and its expected outcome. `createdId` is the id that the first call of the case returned. */
export interface Call {
  operation: OperationName;
  given: (sample: Sample, createdId: string) => Arguments;
  expected: (sample: Sample, createdId: string) => Expectation;
}

/** A rule of the contract: a call on a fresh sample account, and the calls that show its effect. */
export interface Case extends Call {
  /** Completes the sentence that starts with the name of the operation. */
  title: string;
  fault?: Fault;
  afterwards?: Call[];
}

export function call(operation: OperationName, given: Call['given'], expected: Call['expected']): Call {
  return { operation, given, expected };
}
