import type { QueueEntry } from '../domain/queue-entry.ts';
import { readQueue, waitsQueue } from '../domain/queue-names.ts';
import type { ResultWait, StepEnding, StepExecution } from '../domain/workflow.ts';
import type { Approvals, Outbox } from '../storage/storage.ts';
import type { TryEnding } from './ending.ts';
import { workflowEntry } from './entries.ts';
import { endingOfRequest, usualDays, type StepRun, type StepRunner } from './run-step.ts';

/** A run, from its event to its end. `running` is stored before its operation runs: a crash leaves it open whether it ran. */
export type StepState =
  | { phase: 'new' | 'running'; execution: StepExecution; failures: number; notBefore: number }
  | { phase: 'requested'; execution: StepExecution; requestId: string }
  | { phase: 'ending'; execution: StepExecution; ending: StepEnding; failures: number; notBefore: number }
  /** It stays, so that a repeated event of the platform changes nothing. */
  | { phase: 'over' };

/** A request whose decision is missed on this instance is looked at again after this time, and while it is being carried out. */
const requestEveryMs = 30_000;
const carriedOutEveryMs = 1_000;
/** After the service failed. */
const retryMs = 60_000;
const triesAtMost = 10;
const dayMs = 24 * 3_600_000;

export const cutOff =
  'The bot stopped while this step ran. Check whether it was done before you run the workflow again.';

/**
 * Carries a run of a step from the platform’s event to its end.
 *
 * @param deps.onRequested called with a run that waits for a decision, and `onDecided` when it no longer does
 * @returns runs a queue, and returns when to run it next (milliseconds since the epoch); undefined: when something happens
 */
export function createStepQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit'>;
  approvals: Pick<Approvals, 'byId'>;
  runner: StepRunner;
  tryEnding: TryEnding;
  onRequested: (requestId: string, queue: string) => void;
  onDecided: (requestId: string) => void;
  wake: (queue: string) => Promise<void>;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, runner, now } = deps;

  return async (queue) => {
    const { teamId } = readQueue(queue);
    const { version, state: stored } = await outbox.stateOf<StepState>(queue);
    const entries = await outbox.waiting(queue, { limit: 100 });
    const state = stored ?? startIn(entries);
    if (state === undefined) return undefined;
    if (entries.length > 0) return keep(state, { remove: entries.map(({ position }) => position) });
    switch (state.phase) {
      case 'over':
        return undefined;
      case 'new':
        return state.notBefore > now() ? state.notBefore : begin(state);
      case 'running':
        return runner.isRepeatable(state.execution)
          ? begin(state)
          : end(state.execution, { kind: 'error', message: cutOff });
      case 'requested':
        return lookAtRequest(state);
      case 'ending':
        return state.notBefore > now() ? state.notBefore : sendEnding(state);
    }

    async function begin(current: Extract<StepState, { phase: 'new' | 'running' }>): Promise<number> {
      const { execution } = current;
      const running: StepState = { ...current, phase: 'running' };
      if (!(await commit(version, running))) return now();
      const ran = await runner.runStep(execution);
      return keep(afterRun(ran, current), ran.kind === 'waiting' ? { put: waitFor(execution, ran) } : {}, version + 1);
    }

    function afterRun(
      ran: StepRun,
      { execution, failures }: Extract<StepState, { phase: 'new' | 'running' }>,
    ): StepState {
      switch (ran.kind) {
        case 'waiting':
          return { phase: 'over' };
        case 'requested':
          return { phase: 'requested', execution, requestId: ran.requestId };
        case 'ended':
          return { phase: 'ending', execution, ending: ran.ending, failures: 0, notBefore: 0 };
        case 'failed':
          if (ran.isRepeatable && failures + 1 < triesAtMost)
            return { phase: 'new', execution, failures: failures + 1, notBefore: now() + retryMs };
          return {
            phase: 'ending',
            execution,
            ending: { kind: 'error', message: ran.message },
            failures: 0,
            notBefore: 0,
          };
      }
    }

    async function lookAtRequest({
      execution,
      requestId,
    }: Extract<StepState, { phase: 'requested' }>): Promise<number> {
      deps.onRequested(requestId, queue);
      const known = await deps.approvals.byId(teamId, requestId);
      const ending = endingOfRequest(known?.request);
      if (ending !== undefined) {
        deps.onDecided(requestId);
        return end(execution, ending);
      }
      return now() + (known?.request.state === 'decided' ? carriedOutEveryMs : requestEveryMs);
    }

    async function sendEnding(current: Extract<StepState, { phase: 'ending' }>): Promise<number | undefined> {
      const tried = await deps.tryEnding(current.execution.id, current.ending, current.failures);
      return keep(
        tried.kind === 'over' ? { phase: 'over' } : { ...current, failures: current.failures + 1, notBefore: tried.at },
      );
    }

    function end(execution: StepExecution, ending: StepEnding): Promise<number> {
      return keep({ phase: 'ending', execution, ending, failures: 0, notBefore: 0 });
    }

    function waitFor(execution: StepExecution, { personId, quizId, userId }: Extract<StepRun, { kind: 'waiting' }>) {
      const { id: executionId, inputs, startedAt } = execution;
      const until = startedAt + Number(inputs['days'] || usualDays) * dayMs;
      const wait: ResultWait = {
        executionId,
        personId,
        quizId,
        userId,
        needsPass: inputs['until_passed'] === 'true',
        until,
        checkAt: now(),
        result: null,
        failures: 0,
        notBefore: 0,
      };
      return [workflowEntry(waitsQueue(teamId, userId), { kind: 'wait', wait }, now())];
    }

    async function keep(
      next: StepState,
      change: { remove?: readonly number[]; put?: readonly ReturnType<typeof workflowEntry>[] } = {},
      from = version,
    ): Promise<number> {
      await commit(from, next, change);
      return now();
    }

    async function commit(
      from: number,
      next: StepState,
      change: { remove?: readonly number[]; put?: readonly ReturnType<typeof workflowEntry>[] } = {},
    ): Promise<boolean> {
      const isKept = await outbox.commit(queue, {
        version: from,
        state: next,
        isBusy: next.phase !== 'over',
        ...change,
      });
      // The sweep wakes what is not woken here.
      if (isKept)
        for (const to of new Set(change.put?.map((entry) => entry.queue))) await deps.wake(to).catch(() => {});
      return isKept;
    }
  };
}

function startIn(entries: readonly QueueEntry[]): StepState | undefined {
  for (const { content } of entries)
    if (content.kind === 'workflow-event' && content.event.kind === 'start')
      return { phase: 'new', execution: content.event.execution, failures: 0, notBefore: 0 };
  return undefined;
}
