import type { Arguments } from './arguments.ts';
import { ApiError } from './method.ts';

/** Cursor-based pages: https://docs.slack.dev/apis/web-api/pagination */
export function page<T>(
  all: readonly T[],
  args: Arguments,
  defaultLimit = 100,
): { items: T[]; has_more: boolean; response_metadata: { next_cursor: string } } {
  const cursor = args.text('cursor');
  const from = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString());
  if (!Number.isInteger(from)) throw new ApiError('invalid_cursor');
  const to = from + Math.min(args.count('limit', defaultLimit), 1000);
  const hasMore = to < all.length;
  return {
    items: all.slice(from, to),
    has_more: hasMore,
    response_metadata: { next_cursor: hasMore ? Buffer.from(String(to)).toString('base64') : '' },
  };
}
