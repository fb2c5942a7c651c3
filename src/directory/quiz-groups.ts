import { hourMs } from '../domain/durations.ts';
import { forEachAtOnce } from '../time/timers.ts';
import { isNotFound } from '../quiz-api/errors.ts';
import type { Group, User } from '../quiz-api/records.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';

/** The groups that quizzes are assigned to. The service has no list of them: each quiz costs a request. */
export type QuizGroups = ReturnType<typeof createQuizGroups>;

const readForPerson = 20;
const readsAtOnce = 4;
const agesAfterMs = hourMs;
/** A tenth of the service's 2,000 requests an hour. */
const backgroundReadsAnHour = 200;

export function createQuizGroups(deps: {
  api: QuizApi;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}) {
  const { api, now, onBackgroundError } = deps;
  const read = new Map<string, { groupIds: ReadonlySet<string>; at: number }>();
  /** Groups that the bot assigned to quizzes that were never read. */
  const assigned = new Map<string, ReadonlySet<string>>();
  const inFlight = new Map<string, Promise<void>>();
  /** What waits for the background. */
  const waiting = new Set<string>();
  let isReadingInBackground = false;
  let backgroundReads: number[] = [];

  const ageOf = (quizId: string) => now() - (read.get(quizId)?.at ?? -Infinity);

  /** Shows at once what was read for another purpose. */
  function put(quizId: string, groups: readonly Pick<Group, 'group_id'>[]): void {
    const groupIds = new Set(groups.map(({ group_id }) => group_id).filter((id) => id !== ''));
    read.set(quizId, { groupIds, at: now() });
    assigned.delete(quizId);
  }

  function readOne(quizId: string, call?: CallOptions): Promise<void> {
    const request =
      inFlight.get(quizId) ??
      api.quizzes
        // For everyone who has the quiz, so it counts towards nobody’s share: respondents have few requests of their own.
        .groups(quizId, { ...call, personId: undefined })
        .then(
          (groups) => put(quizId, groups),
          (error: unknown) => {
            if (!isNotFound(error)) throw error;
            read.set(quizId, { groupIds: new Set(), at: now() });
          },
        )
        .finally(() => inFlight.delete(quizId));
    inFlight.set(quizId, request);
    return request;
  }

  /** The quiz whose turn it is; undefined where there is none, or its hour has no request left. */
  function takeNext(): string | undefined {
    backgroundReads = backgroundReads.filter((at) => now() - at < hourMs);
    const [next] = waiting;
    if (next === undefined || backgroundReads.length >= backgroundReadsAnHour) return undefined;
    waiting.delete(next);
    return next;
  }

  async function readInBackground(): Promise<void> {
    if (isReadingInBackground) return;
    isReadingInBackground = true;
    try {
      for (let next = takeNext(); next !== undefined; next = takeNext()) {
        backgroundReads.push(now());
        await readOne(next, { priority: 'background' });
      }
    } catch (error) {
      onBackgroundError(error);
    } finally {
      isReadingInBackground = false;
    }
  }

  return {
    /** IDs of the quiz’s groups as they were read last; undefined before the first read. Never waits. */
    known: (quizId: string) => read.get(quizId)?.groupIds,
    /** The same, and before the first read those that the bot itself assigned. */
    knownInPart: (quizId: string): ReadonlySet<string> =>
      read.get(quizId)?.groupIds ?? assigned.get(quizId) ?? new Set(),
    /** The quizzes that are assigned to a group, as far as it is known. */
    assigned: () =>
      [...[...read].map(([quizId, { groupIds }]) => [quizId, groupIds] as const), ...assigned].flatMap(
        ([quizId, groupIds]) => (groupIds.size > 0 ? [quizId] : []),
      ),
    put,
    /** Shows our own write at once. */
    change(quizId: string, groupId: string, isAssigned: boolean): void {
      const before = read.get(quizId);
      const others = [...(before?.groupIds ?? assigned.get(quizId) ?? [])].filter((id) => id !== groupId);
      const groupIds = new Set(isAssigned ? [...others, groupId] : others);
      if (before) read.set(quizId, { groupIds, at: before.at });
      else assigned.set(quizId, groupIds);
    },
    /**
     * Reads up to 20 quizzes that were never read, and waits for them. In the background, it reads the rest and the quizzes
     * that were read more than an hour ago, with at most 200 requests an hour.
     *
     * @returns whether all these quizzes are known now
     * @throws QuizApiError if the service cannot be asked
     */
    async load(quizIds: readonly string[], call?: CallOptions): Promise<boolean> {
      const unknown = quizIds.filter((quizId) => !read.has(quizId));
      await forEachAtOnce(unknown.slice(0, readForPerson), readsAtOnce, async (quizId) => readOne(quizId, call));
      for (const quizId of quizIds) if (ageOf(quizId) > agesAfterMs) waiting.add(quizId);
      void readInBackground();
      return quizIds.every((quizId) => read.has(quizId));
    },
  };
}

/** Whether a user is in one of these groups, by their record. */
export function isIn(user: User, groups: readonly Pick<Group, 'group_id'>[]): boolean {
  return user.groups.some((own) => groups.some(({ group_id }) => group_id !== '' && group_id === own.group_id));
}

/** The groups of a user, without one. */
export function groupsWithout(user: User, group: Group): User['groups'] {
  return user.groups.filter(({ group_id }) => group_id !== group.group_id);
}

/** Whether the quiz is assigned to the user, directly or through one of these groups. */
export function hasQuiz(user: User, quizId: string, groups: readonly Pick<Group, 'group_id'>[]): boolean {
  return user.quizzes.some(({ quiz_id }) => quiz_id === quizId) || isIn(user, groups);
}
