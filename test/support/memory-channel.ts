import type { AnnouncementChannel } from '../../src/operations/services/platform.ts';
import { canBeShorter, type Announcement } from '../../src/domain/announcement.ts';
import { PlatformError } from '../../src/domain/errors.ts';

/**
 * What happens to one call: nothing special, an error (before anything is done), an answer that is lost before or after
 * the call was carried out, or the death of the process at one of these points. With `lateMs`, the answer is lost, and the
 * call is carried out that much later.
 */
export type Fate = 'ok' | 'lost' | 'taken' | 'crash' | 'taken, crash' | { lateMs: number } | PlatformError;

interface PostedAnnouncement {
  channelId: string;
  messageId: string;
  key: string | undefined;
  threadId: string | undefined;
  announcement: Announcement;
  at: number;
}

/** The answer to a call during which the process dies. */
const never = new Promise<never>(() => {});

type Call = Exclude<keyof AnnouncementChannel, 'countFitting' | 'fingerprint' | 'closedReason'>;

/**
 * Channels that last as long as a test. Message ids grow. `fates` are those of the calls to come, by method. `limits` can be
 * changed.
 */
export function createMemoryChannel(now: () => number = () => 0) {
  const posted: PostedAnnouncement[] = [];
  const updates: { channelId: string; messageId: string; announcement: Announcement; at: number }[] = [];
  const direct: { personId: string; announcement: Announcement }[] = [];
  const lookups: { channelId: string; key: string; threadId: string | undefined; after: string | undefined }[] = [];
  const limits = { itemsAtMost: Infinity };
  const fates: Record<Call, Fate[]> = {
    post: [],
    find: [],
    update: [],
    sendDirect: [],
    openDirect: [],
    whyClosed: [],
  };
  const late: { at: number; act: () => unknown }[] = [];
  let lastId = 0;

  function carryOutLate(): void {
    for (const call of late.filter(({ at }) => at <= now())) {
      late.splice(late.indexOf(call), 1);
      call.act();
    }
  }

  async function carryOut<Answer>(method: Call, act: () => Answer): Promise<Answer> {
    carryOutLate();
    const fate = fates[method].shift() ?? 'ok';
    if (fate instanceof PlatformError) throw fate;
    if (fate === 'lost') throw unclear();
    if (fate === 'crash') return never;
    if (typeof fate === 'object') {
      late.push({ at: now() + fate.lateMs, act });
      throw unclear();
    }
    const answer = act();
    if (fate === 'taken') throw unclear();
    return fate === 'taken, crash' ? never : answer;
  }

  const channel: AnnouncementChannel = {
    closedReason: (code) => ({ why: code, remedy: '' }),
    fingerprint: (announcement) => JSON.stringify({ ...announcement, now: 0 }),
    countFitting: ({ items }) => Math.min(items.length, limits.itemsAtMost),
    post: async (channelId, announcement, { key, threadId } = {}) => {
      const [fate] = fates.post;
      if (fate instanceof PlatformError && fate.kind === 'too_long' && !canBeShorter(announcement))
        fates.post[0] = 'ok';
      return carryOut('post', () => {
        const messageId = String((lastId += 1));
        posted.push({ channelId, messageId, key, threadId, announcement: structuredClone(announcement), at: now() });
        return messageId;
      });
    },
    whyClosed: async () => carryOut('whyClosed', () => undefined),
    find: async (channelId, key, { threadId, after }) =>
      carryOut('find', () => {
        lookups.push({ channelId, key, threadId, after });
        const isLookedFor = (one: PostedAnnouncement) =>
          one.channelId === channelId &&
          one.key === key &&
          one.threadId === threadId &&
          Number(one.messageId) > Number(after ?? 0);
        return posted.find(isLookedFor)?.messageId;
      }),
    update: async (channelId, messageId, announcement) =>
      carryOut('update', () => {
        if (!posted.some((one) => one.channelId === channelId && one.messageId === messageId))
          throw new Error(`there is no message ${messageId} in ${channelId}`);
        updates.push({ channelId, messageId, announcement: structuredClone(announcement), at: now() });
      }),
    openDirect: async (personId) => carryOut('openDirect', () => `D-${personId}`),
    sendDirect: async (personId, announcement) =>
      carryOut('sendDirect', () => {
        direct.push({ personId, announcement: structuredClone(announcement) });
      }),
  };
  return { channel, posted, updates, direct, lookups, fates, limits };
}

export function platformError(
  kind: PlatformError['kind'],
  details: { code?: string; retryAfterMs?: number } = {},
): PlatformError {
  const { code = `code of ${kind}`, ...rest } = details;
  return new PlatformError(code, { kind, ...rest });
}

function unclear(): PlatformError {
  return platformError('unclear', { code: 'connection_lost' });
}

/** The names of people in a message, each once; `P001` and the like. */
export function announcedNames({ announcement }: Pick<PostedAnnouncement, 'announcement'>): string[] {
  return [...new Set([...JSON.stringify(announcement).matchAll(/P\d{3}/g)].map(([name]) => name))];
}
