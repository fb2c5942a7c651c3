import type { WebClient } from '@slack/web-api';
import { callSlack } from '../errors.ts';

/** What a message carries in its metadata, where the history of its conversation shows it. */
export interface Mark {
  event_type: string;
  event_payload: Readonly<Record<string, string | number>>;
}

/** Messages in one page of a conversation's history, and the pages that a look reads at most. */
const pageSize = 200;
const pagesAtMost = 10;

/**
 * Looks for a message in a conversation, or in a thread there, the youngest first.
 *
 * @param options.after the `ts` of an older message, which bounds the look
 * @returns its `ts`
 * @throws {PlatformError}
 */
export async function findMessage(
  client: WebClient,
  channel: string,
  mark: Mark,
  { threadId, after }: { threadId?: string | undefined; after?: string | undefined },
): Promise<string | undefined> {
  return callSlack(async () => {
    for (let page = 0, cursor: string | undefined; page < pagesAtMost; page += 1) {
      const query = {
        channel,
        include_all_metadata: true,
        limit: pageSize,
        ...(after && { oldest: after }),
        ...(cursor && { cursor }),
      };
      const { messages = [], response_metadata } =
        threadId === undefined
          ? await client.conversations.history(query)
          : await client.conversations.replies({ ...query, ts: threadId });
      const found = messages.find(({ metadata }) => hasMark(metadata, mark));
      if (found) return found.ts;
      cursor = response_metadata?.next_cursor;
      if (!cursor) return undefined;
    }
    return undefined;
  });
}

function hasMark(
  metadata: { event_type?: string | undefined; event_payload?: object | undefined } | undefined,
  { event_type, event_payload }: Mark,
): boolean {
  const payload = (metadata?.event_payload ?? {}) as Record<string, unknown>;
  return (
    metadata?.event_type === event_type &&
    Object.entries(event_payload).every(([name, value]) => payload[name] === value)
  );
}
