import type { QueueEntry } from '../domain/queue-entry.ts';
import { readQueue } from '../domain/queue-names.ts';
import type { ResultWait, WorkflowEvent } from '../domain/workflow.ts';
import type { Log } from '../observability/log.ts';
import type { Outbox } from '../storage/storage.ts';
import { backoffMs } from '../time/backoff.ts';
import type { TryEnding } from './ending.ts';
import type { ReadAttempts } from './read-attempts.ts';
import type { StepRunner } from './run-step.ts';
import { applyEvents, endingOf, nextOf, withAttempt, withNextCheck } from './waits.ts';

export interface WaitsState {
  waits: readonly ResultWait[];
}

/** Events applied in one step. */
const eventsAtMost = 500;
/** Runs ended at once, so that one slow answer of the platform does not hold up the others. */
const sentAtOnce = 10;
/** After the service failed. */
const retryMs = 60_000;
const marksBackoff = { firstMs: retryMs, longestMs: 60 * 60_000 };
/** How long the service may fail after the time is over. */
const lateMs = 24 * 3_600_000;

export const noLongerSeen = 'The person who published this workflow can’t see this result any more.';

/**
 * Carries open waits on: takes results, makes endings and sends them, and asks the service at the beginning of a wait, when
 * its time is over, and each hour while a result waits to be marked. An ending is stored before it is sent, so whatever is sent again is the same.
 *
 * @returns runs a queue, and returns when to run it next (milliseconds since the epoch); undefined: when something happens
 */
export function createWaitsQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit'>;
  runner: Pick<StepRunner, 'readResult' | 'maySee'>;
  readAttempts: ReadAttempts;
  tryEnding: TryEnding;
  log: Log;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, runner, now } = deps;

  return async (queue) => {
    const { teamId } = readQueue(queue);
    const { version, state } = await outbox.stateOf<WaitsState>(queue);
    const entries = await outbox.waiting(queue, { limit: eventsAtMost });
    const waits = state?.waits ?? [];
    if (entries.length > 0)
      return keep(
        applyEvents(waits, eventsOf(entries)),
        entries.map(({ position }) => position),
      );

    const due = waits.filter((wait) => nextOf(wait).at <= now());
    const needing = (kind: ReturnType<typeof nextOf>['kind']) => due.filter((wait) => nextOf(wait).kind === kind);
    const [toEnd, toSend, [toCheck]] = [needing('end'), needing('send').slice(0, sentAtOnce), needing('check')];
    const [toCheckMarks] = needing('check-marks');
    if (toEnd.length > 0) return replace(await Promise.all(toEnd.map(withEnding)));
    if (toSend.length > 0) return replace(await Promise.all(toSend.map(sent)), toSend);
    if (toCheck) return replace([await checked(toCheck)]);
    if (toCheckMarks) return replace(await withMarks(toCheckMarks.quizId));
    return waits.length === 0 ? undefined : Math.min(...waits.map((wait) => nextOf(wait).at));

    async function withEnding(wait: ResultWait): Promise<ResultWait> {
      try {
        const ending = (await runner.maySee(teamId, wait))
          ? endingOf(wait)
          : { kind: 'error' as const, message: noLongerSeen };
        return { ...wait, ending, failures: 0, notBefore: 0 };
      } catch (error) {
        deps.log.warn({ error, execution: wait.executionId }, 'a step of a workflow is ended later');
        return { ...wait, failures: wait.failures + 1, notBefore: now() + retryMs };
      }
    }

    /** Undefined: the run is over. */
    async function sent(wait: ResultWait): Promise<ResultWait | undefined> {
      if (wait.ending === undefined) return wait;
      const tried = await deps.tryEnding(wait.executionId, wait.ending, wait.failures);
      return tried.kind === 'over' ? undefined : { ...wait, failures: wait.failures + 1, notBefore: tried.at };
    }

    async function checked(wait: ResultWait): Promise<ResultWait> {
      const isOver = now() >= wait.until;
      const read = await runner.readResult(teamId, wait);
      if (read.kind === 'failed' && now() < wait.until + lateMs)
        return { ...wait, failures: wait.failures + 1, notBefore: now() + retryMs };
      if (read.kind !== 'read')
        return { ...wait, ending: { kind: 'error', message: read.message }, failures: 0, notBefore: 0 };
      const known: ResultWait = {
        ...(read.attempt ? withAttempt(wait, read.attempt) : wait),
        checkAt: wait.until,
        failures: 0,
        notBefore: 0,
      };
      return isOver ? { ...known, ending: endingOf(known) } : known;
    }

    /** One reading serves all waits for the quiz. */
    async function withMarks(quizId: string): Promise<ResultWait[]> {
      const marking = waits.filter((wait) => wait.quizId === quizId && nextOf(wait).kind === 'check-marks');
      try {
        const attempts = await deps.readAttempts(quizId, [...new Set(marking.map(({ userId }) => userId))]);
        return marking.map((wait) => {
          const attempt = attempts.get(wait.userId);
          return { ...(attempt ? withAttempt(wait, attempt) : wait), checkAt: wait.until, failures: 0, notBefore: 0 };
        });
      } catch (error) {
        deps.log.warn({ error, quiz: quizId }, 'the marks that workflows wait for are read later');
        return marking.map((wait) => {
          const failures = wait.failures + 1;
          return { ...wait, failures, notBefore: Math.min(wait.until, now() + backoffMs(failures, marksBackoff)) };
        });
      }
    }

    function replace(
      changed: readonly (ResultWait | undefined)[],
      of: readonly ResultWait[] = changed.flatMap((wait) => wait ?? []),
    ): Promise<number> {
      const ids = new Set(of.map(({ executionId }) => executionId));
      const byId = new Map(changed.flatMap((wait) => (wait ? [[wait.executionId, wait] as const] : [])));
      return keep(waits.flatMap((wait) => (ids.has(wait.executionId) ? (byId.get(wait.executionId) ?? []) : wait)));
    }

    async function keep(next: readonly ResultWait[], remove: readonly number[] = []): Promise<number> {
      const kept: WaitsState = { waits: next.map((wait) => withNextCheck(wait, now())) };
      await outbox.commit(queue, { version, state: kept, isBusy: next.length > 0, remove });
      return now();
    }
  };
}

export function eventsOf(entries: readonly QueueEntry[]): WorkflowEvent[] {
  return entries.flatMap(({ content }) => (content.kind === 'workflow-event' ? [content.event] : []));
}
