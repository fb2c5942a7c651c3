import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { ResultWait, WorkflowEvent } from '../../domain/workflow.ts';
import type { Keep, Machine } from '../../durable/machine.ts';
import { restFor } from '../../durable/rest.ts';
import type { Log } from '../../observability/log.ts';
import { backoffMs } from '../../time/backoff.ts';
import type { TryEnding } from './ending.ts';
import type { ReadAttempts } from './read-attempts.ts';
import { endingWithout, type FindGone } from './find-gone.ts';
import type { StepRunner } from './run-step.ts';
import { applyEvents, endingOf, nextOf, withAttempt, withNextCheck } from './waits.ts';

export interface WaitsState {
  waits: readonly ResultWait[];
  /** When it was last looked whether users and quizzes are there, in milliseconds since the epoch. */
  lookedAt?: number;
}

/** Events applied in one step. */
const eventsAtMost = 500;
/** Runs ended at once, so that one slow answer of the platform does not hold up the others. */
const sentAtOnce = 10;
/** After the service failed. */
const retryMs = 60_000;
const marksBackoff = { firstMs: retryMs, longestMs: 60 * 60_000 };
/** Nothing says when a user or a quiz is deleted. All mailboxes look at the same time, for which the lists are read once. */
const looksEveryMs = 60 * 60_000;
/** How long the service may fail after the time is over. */
const lateMs = 24 * 3_600_000;

/** What is to be done about waits now; undefined: nothing. An ending is stored before it is sent. */
export function dueOf(waits: readonly ResultWait[], now: number): Due | undefined {
  const due = waits.filter((wait) => nextOf(wait, now).at <= now);
  const needing = (kind: Due['kind']) => due.filter((wait) => nextOf(wait, now).kind === kind);
  return [
    { kind: 'end' as const, waits: needing('end') },
    { kind: 'send' as const, waits: needing('send').slice(0, sentAtOnce) },
    { kind: 'check' as const, waits: needing('check').slice(0, 1) },
    { kind: 'check-marks' as const, waits: ofOneQuiz(needing('check-marks')) },
  ].find((one) => one.waits.length > 0);
}

/** One reading serves all waits for a quiz. */
function ofOneQuiz(waits: readonly ResultWait[]): readonly ResultWait[] {
  return waits.filter(({ quizId }) => quizId === waits[0]?.quizId);
}

interface Due {
  kind: ReturnType<typeof nextOf>['kind'];
  waits: readonly ResultWait[];
}

interface WaitFacts {
  /** What became of the waits that were due, by run; undefined: the run is over. */
  done: ReadonlyMap<string, ResultWait | undefined>;
  /** What became of the waits whose user or quiz is gone. */
  gone: ReadonlyMap<string, ResultWait>;
}

/**
 * Carries open waits on: takes results, makes endings and sends them, and asks the service at the beginning of a wait, when
 * its time is over, and each hour while a result waits to be marked. An ending is stored before it is sent, so whatever is sent
 * again is the same.
 */
export function waitsMachine(deps: {
  runner: Pick<StepRunner, 'readResult' | 'refusalOf'>;
  readAttempts: ReadAttempts;
  findGone: FindGone;
  tryEnding: TryEnding;
  log: Log;
  now: () => number;
}): Machine<WaitsState, WaitFacts> {
  const { runner, now } = deps;

  return {
    mailAtMost: eventsAtMost,
    isBusy: ({ waits }) => waits.length > 0,
    isRetrying: ({ waits }) => waits.some(({ failures }) => failures > 0),
    step({ state, mail, facts, now: at }) {
      const waits = state?.waits ?? [];
      if (mail.length > 0) {
        const events = eventsOf(mail);
        const lookedAt = events.some(({ kind }) => kind === 'look') ? 0 : state?.lookedAt;
        return { ...keep(applyEvents(waits, events), at, lookedAt), take: mail.map(({ position }) => position) };
      }
      const { done, gone } = facts;
      if (done !== undefined)
        return keep(
          waits.flatMap((wait) => (done.has(wait.executionId) ? (done.get(wait.executionId) ?? []) : wait)),
          at,
          state?.lookedAt,
        );
      if (gone !== undefined)
        return keep(
          waits.map((wait) => gone.get(wait.executionId) ?? wait),
          at,
        );
      if (dueOf(waits, at) !== undefined) return { kind: 'ask', for: 'done' };
      if (waits.length === 0) return { kind: 'rest', until: undefined };
      const looksAt = nextLook(state?.lookedAt, at);
      if (looksAt <= at) return { kind: 'ask', for: 'gone' };
      return { kind: 'rest', until: Math.min(looksAt, ...waits.map((wait) => nextOf(wait, at).at)) };
    },
    facts: {
      gone: async ({ state }) => withoutGone((state?.waits ?? []).filter(({ ending }) => ending === undefined)),
      async done({ mailbox: { teamId }, state, now: at }) {
        const due = dueOf(state?.waits ?? [], at);
        if (due === undefined) return new Map();
        const { kind, waits } = due;
        if (kind === 'check-marks') return withMarks(waits);
        const act = { end: withEnding, send: sent, check: checked }[kind];
        return new Map(
          await Promise.all(waits.map(async (wait) => [wait.executionId, await act(wait, teamId)] as const)),
        );
      },
    },
  };

  async function withEnding(wait: ResultWait, teamId: string): Promise<ResultWait> {
    try {
      const refused = await runner.refusalOf(teamId, wait);
      const ending = refused === undefined ? endingOf(wait) : { kind: 'error' as const, message: refused };
      return { ...wait, ending, failures: 0, notBefore: 0 };
    } catch (error) {
      deps.log.warn({ error, execution: wait.executionId }, 'a step of a workflow is ended later');
      return { ...wait, failures: wait.failures + 1, ...restFor(retryMs, now()) };
    }
  }

  /** Undefined: the run is over. */
  async function sent(wait: ResultWait): Promise<ResultWait | undefined> {
    if (wait.ending === undefined) return wait;
    const tried = await deps.tryEnding(wait.executionId, wait.ending, wait.failures);
    return tried.kind === 'over'
      ? undefined
      : { ...wait, failures: wait.failures + 1, ...restFor(tried.at - now(), now()) };
  }

  async function checked(wait: ResultWait, teamId: string): Promise<ResultWait> {
    const isOver = now() >= wait.until;
    const read = await runner.readResult(teamId, wait);
    const gone = read.kind === 'read' ? undefined : (await withoutGone([wait])).get(wait.executionId);
    if (gone) return gone;
    if (read.kind === 'failed' && now() < wait.until + lateMs)
      return { ...wait, failures: wait.failures + 1, ...restFor(retryMs, now()) };
    if (read.kind !== 'read')
      return { ...wait, ending: { kind: 'error', message: read.message }, failures: 0, notBefore: 0 };
    const known: ResultWait = {
      ...read.attempts.reduce(withAttempt, wait),
      checkAt: wait.until,
      failures: 0,
      notBefore: 0,
    };
    return isOver ? { ...known, ending: endingOf(known) } : known;
  }

  /** The waits that end since their user or quiz is gone. None while the service does not answer. */
  async function withoutGone(waits: readonly ResultWait[]): Promise<WaitFacts['gone']> {
    const gone = await deps.findGone(waits).catch((error: unknown) => {
      deps.log.warn({ error }, 'whether users and quizzes that workflows wait for are there is looked at later');
      return undefined;
    });
    if (gone === undefined) return new Map();
    return new Map(
      waits.flatMap((wait) => {
        const ending = endingWithout(wait, gone);
        return ending ? [[wait.executionId, { ...wait, ending, failures: 0, notBefore: 0 }] as const] : [];
      }),
    );
  }

  /** @param marking waits for the same quiz */
  async function withMarks(marking: readonly ResultWait[]): Promise<WaitFacts['done']> {
    const quizId = marking[0]!.quizId;
    const next = await deps.readAttempts(quizId, [...new Set(marking.map(({ userId }) => userId))]).then(
      (attempts) => (wait: ResultWait) => {
        const known = (attempts.get(wait.userId) ?? []).reduce(withAttempt, wait);
        return { ...known, checkAt: wait.until, failures: 0, notBefore: 0 };
      },
      (error: unknown) => {
        deps.log.warn({ error, quiz: quizId }, 'the marks that workflows wait for are read later');
        return (wait: ResultWait) => {
          const failures = wait.failures + 1;
          const pauseMs = Math.min(wait.until - now(), backoffMs(failures, marksBackoff));
          return { ...wait, failures, ...restFor(pauseMs, now()) };
        };
      },
    );
    return new Map(marking.map((wait) => [wait.executionId, next(wait)]));
  }
}

function keep(waits: readonly ResultWait[], now: number, lookedAt = now): Keep<WaitsState> {
  return { kind: 'keep', state: { waits: waits.map((wait) => withNextCheck(wait, now)), lookedAt } };
}

/** At full hours. Never later because the clock was set back. */
function nextLook(lookedAt: number | undefined, now: number): number {
  if (lookedAt === undefined || lookedAt > now) return now;
  return (Math.floor(lookedAt / looksEveryMs) + 1) * looksEveryMs;
}

export function eventsOf(entries: readonly QueueEntry[]): WorkflowEvent[] {
  return entries.flatMap(({ content }) => (content.kind === 'workflow-event' ? [content.event] : []));
}
