import type { Unreadable } from './list-answer.ts';

/** The lists whose unreadable records are counted. */
const countedLists = ['users', 'quizzes', 'groups', 'responses', 'questions'] as const;
export type CountedList = (typeof countedLists)[number];

/** The records that the latest reading of a list left out. */
export interface UnreadableRecords extends Unreadable {
  list: CountedList;
}

/** The responses of a quiz are a list, and so are the questions of a response. The list read longest ago is dropped first. */
const pathsAtMost = 1_000;

/**
 * Knows which records could not be read.
 *
 * @param onFirst called once for each list and reason
 * @param onChange called when the counts change
 */
export function createUnreadableRecords(deps: {
  onFirst: (records: UnreadableRecords) => void;
  onChange: (records: UnreadableRecords[]) => void;
}) {
  const byPath = new Map<string, UnreadableRecords>();
  const known = new Set<string>();

  function counted(): UnreadableRecords[] {
    return countedLists.flatMap((list) => {
      const found = [...byPath.values()].filter((records) => records.list === list);
      const [first] = found;
      return first ? [{ list, reason: first.reason, count: found.reduce((sum, { count }) => sum + count, 0) }] : [];
    });
  }

  return {
    /** What the latest readings left out, a line for each list that has unreadable records. */
    counted,
    /** Takes what a reading of the list at this path left out. */
    take(list: CountedList, path: string, { count, reason }: Unreadable): void {
      const hadAny = byPath.delete(path);
      if (count === 0 && !hadAny) return;
      const records = { list, count, reason };
      if (count > 0) {
        byPath.set(path, records);
        announce(records);
      }
      for (const oldest of byPath.keys()) if (byPath.size > pathsAtMost) byPath.delete(oldest);
      deps.onChange(counted());
    },
    announce,
  };

  /** Announces a reason when it is new. Reasons are made of the names of fields, so there are few. */
  function announce(records: UnreadableRecords): void {
    const key = `${records.list} ${records.reason}`;
    if (known.has(key)) return;
    known.add(key);
    deps.onFirst(records);
  }
}
