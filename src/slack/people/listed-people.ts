import type { WebClient } from '@slack/web-api';
import { createPace } from '../../features/alerts/direct-messages/pace.ts';
import { PlatformError } from '../../domain/errors.ts';
import { callSlack } from '../errors.ts';
import type { SlackUser } from './people.ts';

/** Lists everybody in the workspace, page by page. @throws {PlatformError} */
export type ListedPeople = () => AsyncGenerator<readonly SlackUser[]>;

/** Slack recommends no more than 200: https://docs.slack.dev/reference/methods/users.list */
const pageSize = 200;
const triesAtMost = 5;
/** The 20 pages a minute of `users.list`: https://docs.slack.dev/apis/web-api/rate-limits */
const pagePace = { everyMs: 3_000, burst: 15 };

/** All readings share the pages that Slack allows. */
export function createListedPeople({
  client,
  sleep,
  now,
}: {
  client: WebClient;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
}): ListedPeople {
  const pace = createPace({ ...pagePace, now });

  return async function* pages() {
    let cursor: string | undefined;
    do {
      const { members = [], response_metadata } = await readPage(cursor);
      yield members;
      cursor = response_metadata?.next_cursor || undefined;
    } while (cursor !== undefined);
  };

  /** Waits for the turn of a page, and as long as Slack asks for. */
  async function readPage(cursor: string | undefined) {
    for (let tried = 1; ; tried += 1) {
      for (let at = pace.turn('page'); at !== undefined; at = pace.turn('page')) await sleep(at - now());
      try {
        return await callSlack(async () =>
          client.users.list({ limit: pageSize, include_locale: true, ...(cursor !== undefined && { cursor }) }),
        );
      } catch (error) {
        if (tried === triesAtMost || !(error instanceof PlatformError) || error.kind !== 'rate_limited') throw error;
        await sleep(error.retryAfterMs ?? 0);
      }
    }
  }
}
