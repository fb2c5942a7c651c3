import type { AttemptResult, ResultWait, StepEnding, WorkflowEvent } from '../../domain/workflow.ts';
import { restsUntil } from '../../durable/rest.ts';
import { betterAttempt, resultOutputs } from './result-outputs.ts';

/** Nothing says that the service sends a webhook when a person marks a result. */
const checksMarksEveryMs = 60 * 60_000;

/** The waits after these events. Events that come twice change nothing the second time. */
export function applyEvents(waits: readonly ResultWait[], events: readonly WorkflowEvent[]): ResultWait[] {
  return events.reduce<ResultWait[]>(
    (now, event) => {
      if (event.kind === 'wait')
        return now.some(({ executionId }) => executionId === event.wait.executionId) ? now : [...now, event.wait];
      if (event.kind !== 'result') return now;
      return now.map((wait) =>
        wait.userId === event.userId && wait.quizId === event.quizId ? withAttempt(wait, event.result) : wait,
      );
    },
    [...waits],
  );
}

/** The wait after an attempt. One that was submitted before it counts changes nothing. */
export function withAttempt(wait: ResultWait, attempt: AttemptResult): ResultWait {
  const isEarlier = (attempt.submittedAt ?? Infinity) < (wait.countsFrom ?? 0);
  return wait.ending || isEarlier ? wait : { ...wait, result: betterAttempt(wait.result, attempt) };
}

/** Whether the person has done what the wait is for. */
export function isFulfilled({ needsPass, result }: ResultWait): boolean {
  return result !== null && (!needsPass || result.outcome === 'passed');
}

export function endingOf(wait: ResultWait): StepEnding {
  return { kind: 'success', outputs: { ...resultOutputs(wait.result), in_time: isFulfilled(wait) } };
}

/** The wait with its next check within the hour while its result waits to be marked. */
export function withNextCheck(wait: ResultWait, now: number): ResultWait {
  return isMarking(wait) ? { ...wait, checkAt: Math.min(wait.checkAt, now + checksMarksEveryMs) } : wait;
}

/**
 * What a wait needs next, and from when on: its ending sent, its ending made, or the service asked, on behalf of the person or
 * only for marks. Nothing is later because the clock was set back.
 */
export function nextOf(wait: ResultWait, now: number): { kind: 'send' | 'end' | 'check' | 'check-marks'; at: number } {
  const restingUntil = restsUntil(wait, now) ?? 0;
  if (wait.ending) return { kind: 'send', at: restingUntil };
  if (isFulfilled(wait)) return { kind: 'end', at: restingUntil };
  const isSetBack = isMarking(wait) && wait.checkAt < wait.until && wait.checkAt > now + checksMarksEveryMs;
  const at = Math.max(isSetBack ? now : wait.checkAt, restingUntil);
  return { kind: isMarking(wait) && at < wait.until ? 'check-marks' : 'check', at };
}

function isMarking({ needsPass, result, ending }: ResultWait): boolean {
  return needsPass && result?.outcome === 'unmarked' && ending === undefined;
}
