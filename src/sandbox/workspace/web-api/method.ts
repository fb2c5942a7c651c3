import type { Core } from '../core.ts';
import { isRecord, parseJson } from '../json.ts';

/** https://docs.slack.dev/apis/web-api/rate-limits. Methods of the tier `special` have rules of their own. */
export type Tier = 1 | 2 | 3 | 4 | 'special';

export interface Method {
  tier: Tier;
  /** The token needs at least one of these scopes. */
  scopes: readonly string[];
  run(core: Core, args: Arguments): Record<string, unknown>;
}

export const method = (tier: Tier, scopes: readonly string[], run: Method['run']): Method => ({ tier, scopes, run });

/** An error response, which has `ok: false`. */
export class ApiError extends Error {
  readonly error: string;
  readonly extra: Record<string, unknown>;

  constructor(error: string, extra: Record<string, unknown> = {}) {
    super(error);
    this.error = error;
    this.extra = extra;
  }
}

export const missingScope = (needed: string, granted: readonly string[]): ApiError =>
  new ApiError('missing_scope', { needed, provided: granted.join(',') });

export type Arguments = ReturnType<typeof readArguments>;

/** Reads the arguments of a call, which arrive as JSON or as a form with JSON in some fields. */
export function readArguments(raw: Record<string, unknown>) {
  const text = (name: string): string | undefined => {
    const value = raw[name];
    if (value === undefined || value === null || value === '') return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return {
    text,
    required(name: string): string {
      const value = text(name);
      if (value === undefined)
        throw new ApiError('invalid_arguments', {
          response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
        });
      return value;
    },
    flag: (name: string): boolean => raw[name] === true || raw[name] === 'true' || raw[name] === '1',
    count(name: string, fallback: number): number {
      const value = Number(text(name) ?? fallback);
      return Number.isInteger(value) && value > 0 ? value : fallback;
    },
    /** A structured argument, or undefined when it is absent. */
    json(name: string, error = 'invalid_arguments'): unknown {
      const value = raw[name];
      if (typeof value !== 'string') return value ?? undefined;
      if (value === '') return undefined;
      const parsed = parseJson(value);
      if (parsed === undefined) throw new ApiError(error);
      return parsed;
    },
  };
}

/** Parses a request body by its content type. @throws ApiError */
export function parseBody(contentType: string, body: string): Record<string, unknown> {
  if (contentType.startsWith('application/json')) {
    const parsed = parseJson(body);
    if (isRecord(parsed)) return parsed;
    throw new ApiError(parsed === undefined ? 'invalid_json' : 'json_not_object');
  }
  if (contentType === '' || contentType.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body));
  throw new ApiError('invalid_post_type');
}

/**
 * Cuts a page out of a list by cursor: https://docs.slack.dev/apis/web-api/pagination
 * @param mostItems the size of the largest page
 */
export function page<T>(
  all: readonly T[],
  args: Arguments,
  mostItems = 1000,
): { items: T[]; has_more: boolean; response_metadata: { next_cursor: string } } {
  const cursor = args.text('cursor');
  const position = cursor === undefined ? '0' : Buffer.from(cursor, 'base64').toString();
  if (!/^\d+$/.test(position)) throw new ApiError('invalid_cursor');
  const from = Number(position);
  const to = from + Math.min(args.count('limit', 100), mostItems);
  const hasMore = to < all.length;
  return {
    items: all.slice(from, to),
    has_more: hasMore,
    response_metadata: { next_cursor: hasMore ? Buffer.from(String(to)).toString('base64') : '' },
  };
}
