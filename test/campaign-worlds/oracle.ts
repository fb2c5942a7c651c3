/// <reference lib="esnext.temporal" />
import type { Fact } from './journal.ts';

/**
 * How a campaign stands, worked out from docs/campaigns.md and from what happened. Shares no code with the bot. Times are
 * milliseconds since the epoch.
 */
export interface Standing {
  startedAt: number | undefined;
  /** When it ended: by a person, or when its final post came. */
  endedAt: number | undefined;
  members: readonly number[];
  addedAt: ReadonlyMap<number, number>;
  dueAt: number;
  /** When the due time was last set. */
  dueSetAt: number;
  remindMs: readonly number[];
  overdueMs: number | undefined;
  escalateMs: number | undefined;
  completeWhen: 'passed' | 'submitted';
  /** How long a pass counts; undefined: for good. */
  validMonths: number | undefined;
  excused: ReadonlyMap<number, { reason: string; at: number; until: number | undefined }>;
  /** Of the excuses that were not taken back, also where they are over. */
  reasons: ReadonlyMap<number, string>;
  notMe: ReadonlySet<number>;
  quiz: 'open' | 'closed' | 'deleted';
  /** Since when the quiz is so. */
  quizSince: number;
  /** Those that the service has. */
  attempts: readonly Attempt[];
  /** Those that a campaign knows: their webhook came, or it read the responses since, and they were there. */
  known: readonly Attempt[];
  /** The same, where what was read for a command counts as well. */
  read: readonly Attempt[];
  /** Deleted a moment after they became known. Lists of the service lag, so an attempt that they lack then still counts. */
  justDeleted: readonly Attempt[];
  /** Attempts of deleted users of whom the campaign may know what was read for a command instead. */
  unsure: ReadonlyMap<number, readonly Attempt[]>;
  deleted: ReadonlyMap<number, number>;
  suspended: ReadonlyMap<number, number>;
  left: ReadonlyMap<number, number>;
  isBotUp: boolean;
}

export interface Attempt {
  attempt: string;
  who: number;
  passed: boolean;
  submittedAt: number;
  /** When the service had it. */
  at: number;
}

/** How long a list of the service may lack a new attempt. */
const listedWithinMs = 2 * 60_000;

/** @param facts about the campaign, in the order of their times */
export function standingAt(facts: readonly Fact[], at: number): Standing {
  const members: number[] = [];
  const addedAt = new Map<number, number>();
  const excused = new Map<number, { reason: string; at: number; until: number | undefined }>();
  const notMe = new Set<number>();
  const unsure = new Map<number, readonly Attempt[]>();
  const attempts = new Map<string, Attempt>();
  let known = new Map<string, Attempt>();
  let read = new Map<string, Attempt>();
  let readAt = -Infinity;
  const knownAt = new Map<string, number>();
  const deletedAttempts: Attempt[] = [];
  const people = {
    deleted: new Map<number, number>(),
    suspended: new Map<number, number>(),
    left: new Map<number, number>(),
  };
  const standing = {
    startedAt: undefined as number | undefined,
    endedAt: undefined as number | undefined,
    dueAt: Infinity,
    dueSetAt: 0,
    remindMs: [] as readonly number[],
    overdueMs: undefined as number | undefined,
    escalateMs: undefined as number | undefined,
    completeWhen: 'passed' as 'passed' | 'submitted',
    validMonths: undefined as number | undefined,
    quiz: 'open' as 'open' | 'closed' | 'deleted',
    quizSince: 0,
    isBotUp: true,
  };
  const idsOf = (some: ReadonlyMap<string, Attempt>, who: number) =>
    [...some.values()]
      .flatMap((one) => (one.who === who ? one.attempt : []))
      .toSorted()
      .join();
  const isOfDeletedUser = (id: string) => people.deleted.has(known.get(id)?.who ?? -1);
  for (const fact of facts) {
    if (fact.at > at) break;
    switch (fact.kind) {
      case 'started': {
        const { at: startedAt, kind: _, members: first, ...schedule } = fact;
        Object.assign(standing, { ...schedule, startedAt, dueSetAt: startedAt });
        for (const who of first) addedAt.set(who, startedAt);
        members.push(...first);
        // A campaign starts with what was read for its start.
        if (readAt === startedAt) known = new Map(read);
        break;
      }
      case 'added':
        members.push(fact.who);
        addedAt.set(fact.who, fact.at);
        break;
      case 'excused':
        excused.set(fact.who, { reason: fact.reason, at: fact.at, until: fact.until });
        break;
      case 'included':
        excused.delete(fact.who);
        notMe.delete(fact.who);
        break;
      case 'not me':
        notMe.add(fact.who);
        break;
      case 'extended':
        Object.assign(standing, { dueAt: fact.dueAt, dueSetAt: fact.at });
        break;
      case 'ended':
      case 'over':
        // What a command reads can be what ends the campaign, which then knows it.
        if (standing.endedAt === undefined && readAt === fact.at) known = new Map(read);
        standing.endedAt ??= fact.at;
        break;
      case 'submitted':
        attempts.set(fact.attempt, fact);
        break;
      case 'attempt deleted':
        if (isOfDeletedUser(fact.attempt)) break;
        deletedAttempts.push(...[...attempts.values()].filter(({ attempt }) => attempt === fact.attempt));
        attempts.delete(fact.attempt);
        break;
      case 'heard': {
        const attempt = attempts.get(fact.attempt);
        if (!attempt) break;
        // After the end, a report reads what is so then.
        if (standing.endedAt === undefined) known.set(fact.attempt, attempt);
        read.set(fact.attempt, attempt);
        if (!knownAt.has(fact.attempt)) knownAt.set(fact.attempt, fact.at);
        break;
      }
      case 'read':
        // Of a quiz that is deleted, there is nothing to read.
        if (standing.quiz === 'deleted') break;
        read = new Map(attempts);
        readAt = fact.at;
        for (const id of read.keys()) if (!knownAt.has(id)) knownAt.set(id, fact.at);
        if (!fact.forCommand && standing.endedAt === undefined) known = new Map(attempts);
        break;
      case 'quiz':
        if (fact.status !== standing.quiz) standing.quizSince = fact.at;
        standing.quiz = fact.status;
        if (fact.status === 'deleted') attempts.clear();
        break;
      case 'bot':
        standing.isBotUp = fact.isUp;
        break;
      case 'suspended':
      case 'deleted':
      case 'left':
        if (!fact.is) people[fact.kind].delete(fact.who);
        else if (!people[fact.kind].has(fact.who)) people[fact.kind].set(fact.who, fact.at);
        // The service keeps the attempts of a user whom it deletes, and does not say any more whose they are. What is known of them
        // stays, whatever becomes of it there.
        if (fact.kind === 'deleted' && fact.is) {
          // A reading for a command may have told of more, or that some are deleted.
          if (idsOf(read, fact.who) !== idsOf(known, fact.who))
            unsure.set(
              fact.who,
              [...read.values()].filter(({ who }) => who === fact.who),
            );
          for (const { attempt, who } of attempts.values()) if (who === fact.who) attempts.delete(attempt);
          for (const [id, attempt] of known) if (attempt.who === fact.who) attempts.set(id, attempt);
        }
        break;
    }
  }
  const reasons = new Map([...excused].map(([who, { reason }]) => [who, reason]));
  for (const [who, { until }] of excused) if (until !== undefined && at >= until) excused.delete(who);
  return {
    ...standing,
    members,
    addedAt,
    excused,
    reasons,
    notMe,
    attempts: [...attempts.values()],
    known: [...known.values()],
    read: [...read.values()],
    justDeleted: deletedAttempts.filter(({ attempt }) => (knownAt.get(attempt) ?? -Infinity) > at - listedWithinMs),
    unsure,
    deleted: people.deleted,
    suspended: people.suspended,
    left: people.left,
  };
}

export type MemberStanding = 'done' | 'excused' | 'says it isn’t for them' | 'missing';

/** What the campaign asks of a member, by the attempts that count. */
export function stateOf(standing: Standing, who: number, attempts: readonly Attempt[]): MemberStanding {
  if (standing.excused.has(who)) return 'excused';
  if (isDone(standing, who, attempts)) return 'done';
  return standing.notMe.has(who) ? 'says it isn’t for them' : 'missing';
}

type Asked = Pick<Standing, 'completeWhen' | 'validMonths' | 'dueAt'>;

export function isDone(asked: Asked, who: number, attempts: readonly Attempt[]): boolean {
  return attempts.some(
    (attempt) =>
      attempt.who === who &&
      (asked.completeWhen === 'submitted' || attempt.passed) &&
      validUntil(asked, attempt) > asked.dueAt,
  );
}

/** The end of the day so many months later, on the clock of the lead, which shows UTC. */
export function validUntil({ validMonths }: Pick<Standing, 'validMonths'>, { submittedAt }: Attempt): number {
  if (validMonths === undefined) return Infinity;
  const day = Temporal.Instant.fromEpochMilliseconds(submittedAt).toZonedDateTimeISO('UTC').toPlainDate();
  const last = day.add({ months: validMonths });
  return last.add({ days: 1 }).toZonedDateTime('UTC').epochMilliseconds;
}

/** The attempt that a report names: of those that are not too old, the first one that is passed, otherwise the latest. */
export function countedAttempt(asked: Asked, who: number, attempts: readonly Attempt[]): Attempt | undefined {
  const own = attempts
    .filter((attempt) => attempt.who === who && validUntil(asked, attempt) > asked.dueAt)
    .toSorted((a, b) => a.submittedAt - b.submittedAt);
  return own.find(({ passed }) => passed) ?? own.at(-1);
}
