import { readQueue } from '../domain/queue-names.ts';

/** What has something to do, as the store lists it. */
interface Unfinished {
  queue: string;
  /** When the first of what waits came, in milliseconds since the epoch; undefined where nothing waits. */
  oldestAt: number | undefined;
}

/** Knows since when mailboxes have not done what was due. */
export interface Overdue {
  /**
   * A run has ended.
   * @param nextAt when the next is due (milliseconds since the epoch); undefined: when something comes
   * @param isRetrying the run could not do what was due, and left it to the next
   */
  ran(queue: string, nextAt: number | undefined, isRetrying: boolean): void;
  /**
   * @param unfinished every mailbox with something to do
   * @returns by kind, since when the next step of the one that is furthest behind is due; undefined: of none
   */
  sinceByKind(unfinished: readonly Unfinished[]): Record<string, number | undefined>;
}

/**
 * Of mailboxes that this process ran. What another instance ran since looks overdue here until the sweep has this process run
 * it: with several, the least of their figures holds.
 *
 * @param kinds of mailboxes that are watched
 */
export function createOverdue({ kinds, now }: { kinds: readonly string[]; now: () => number }): Overdue {
  const startedAt = now();
  const dueAt = new Map<string, number>();

  return {
    ran(queue, nextAt = Infinity, isRetrying) {
      if (!kinds.includes(readQueue(queue).kind)) return;
      dueAt.set(queue, isRetrying ? Math.min(dueAt.get(queue) ?? now(), now()) : nextAt);
    },
    sinceByKind(unfinished) {
      const names = new Set(unfinished.map(({ queue }) => queue));
      for (const queue of dueAt.keys()) if (!names.has(queue)) dueAt.delete(queue);
      return Object.fromEntries(kinds.map((kind) => [kind, oldestOf(kind, unfinished)]));
    },
  };

  function oldestOf(kind: string, unfinished: readonly Unfinished[]): number | undefined {
    const since = unfinished
      .filter(({ queue }) => readQueue(queue).kind === kind)
      .map(({ queue, oldestAt = Infinity }) => Math.min(dueAt.get(queue) ?? startedAt, oldestAt));
    const oldest = Math.min(...since, Infinity);
    return oldest <= now() ? oldest : undefined;
  }
}
