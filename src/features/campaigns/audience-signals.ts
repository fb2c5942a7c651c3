import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import type { User } from '../../quiz-api/users.ts';
import type { CampaignLists } from './campaign-list.ts';
import { eventEntry } from './campaign-service.ts';
import { changesCoveredForMs } from './next-comparison.ts';

/** Users of the account came, went, were suspended or reinstated: anybody’s audience can have changed. */
const accountPart = 'account';

const partsAtMost = 10_000;

/**
 * Tells the campaigns that stand which parts of their audiences have changed. Changes in a row are one event for each campaign.
 * What is lost here, the daily comparison finds.
 *
 * @returns a function that takes parts as in `CampaignSummary`
 */
export function createAudienceSignals({
  lists,
  put,
  now,
}: {
  lists: Pick<CampaignLists, 'recent'>;
  put: (entries: readonly NewQueueEntry[]) => Promise<void>;
  now: () => number;
}): (teamId: string, parts: readonly string[]) => Promise<void> {
  const toldAt = new Map<string, number>();

  return async (teamId, parts) => {
    const at = now();
    const keyOf = (part: string) => `${teamId} ${part}`;
    const isCovered = (told: number | undefined) => told !== undefined && told <= at && at - told < changesCoveredForMs;
    const fresh = [...new Set(parts)].filter((part) => !isCovered(toldAt.get(keyOf(part))));
    if (fresh.length === 0) return;
    for (const part of fresh) toldAt.delete(keyOf(part));
    for (const part of fresh) toldAt.set(keyOf(part), at);
    for (const oldest of [...toldAt.keys()].slice(0, -partsAtMost)) toldAt.delete(oldest);
    try {
      const entries = (await lists.recent(teamId)).flatMap(({ id, endedAt, watches }) => {
        if (endedAt !== null || watches === undefined) return [];
        const own = fresh.filter((part) => part === accountPart || watches.includes(part));
        return own.length === 0 ? [] : [eventEntry({ teamId, id }, { kind: 'audience-changed', parts: own, at }, at)];
      });
      if (entries.length > 0) await put(entries);
    } catch (error) {
      for (const part of fresh) toldAt.delete(keyOf(part));
      throw error;
    }
  };
}

/** The parts of audiences that users changed: `before` and `after` are undefined for users who came and went. */
export function changedParts(
  changes: readonly { before: User | undefined; after: User | undefined }[],
): readonly string[] {
  const parts = new Set<string>();
  for (const { before, after } of changes) {
    if (before === undefined || after === undefined || before.suspended !== after.suspended) parts.add(accountPart);
    const [left, joined] = [groupIds(before), groupIds(after)];
    for (const id of left.symmetricDifference(joined)) parts.add(`group:${id}`);
  }
  return [...parts];
}

function groupIds(user: User | undefined): Set<string> {
  return new Set(user?.groups.map(({ group_id }) => group_id));
}
