import { say } from '../../domain/said.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { NewQueueEntry, QueueEntry } from '../../domain/queue-entry.ts';
import { waitsQueue } from '../../domain/queue-names.ts';
import type { ResultWait, StepEnding, StepExecution } from '../../domain/workflow.ts';
import type { Machine, Step } from '../../durable/machine.ts';
import { restFor, restsUntil, type Rest } from '../../durable/rest.ts';
import type { Approvals } from '../../storage/storage.ts';
import type { EndingTry, TryEnding } from './ending.ts';
import { workflowEntry } from './entries.ts';
import { endingOfRequest, usualDays, type StepRun, type StepRunner } from './run-step.ts';

/** A run, from its event to its end. `running` is stored before its operation runs: a crash leaves it open whether it ran. */
export type StepState =
  | ({ phase: 'new' | 'running'; execution: StepExecution; failures: number } & Rest)
  | { phase: 'requested'; execution: StepExecution; requestId: string }
  | ({ phase: 'ending'; execution: StepExecution; ending: StepEnding; failures: number } & Rest)
  /** It stays, so that a repeated event of the platform changes nothing. */
  | { phase: 'over' };

/** A request whose decision is missed on this instance is looked at again after this time, and while it is being carried out. */
const requestEveryMs = 30_000;
const carriedOutEveryMs = 1_000;
/** After the service failed. */
const retryMs = 60_000;
const triesAtMost = 10;
const dayMs = 24 * 3_600_000;

export const cutOff = say`The bot stopped while this step ran. Check whether it was done before you run the workflow again.`;

interface StepFacts {
  /** How the request stands for whose decision the run waits. */
  request: ApprovalRequest | undefined;
  tried: EndingTry;
}

/**
 * Carries a run of a step from the platform’s event to its end.
 *
 * @param deps.onRequested called with a run that waits for a decision, and `onDecided` when it no longer does
 */
export function stepMachine(deps: {
  approvals: Pick<Approvals, 'byId'>;
  runner: StepRunner;
  tryEnding: TryEnding;
  onRequested: (requestId: string, queue: string) => void;
  onDecided: (requestId: string) => void;
}): Machine<StepState, StepFacts, StepExecution, StepRun> {
  const { runner } = deps;

  return {
    mailAtMost: 100,
    keptAtRestMs: 30 * 24 * 3_600_000,
    isBusy: ({ phase }) => phase !== 'over',
    isRetrying: (state) => 'failures' in state && state.failures > 0,
    step({ state: stored, mail, facts, now }) {
      const state = stored ?? startIn(mail);
      if (state === undefined) return { kind: 'rest', until: undefined };
      if (mail.length > 0) return { kind: 'keep', state, take: mail.map(({ position }) => position) };
      const restingUntil = 'notBefore' in state ? restsUntil(state, now) : undefined;
      switch (state.phase) {
        case 'over':
          return { kind: 'rest', until: undefined };
        case 'new':
          return restingUntil === undefined ? begin(state) : { kind: 'rest', until: restingUntil };
        case 'running':
          return { kind: 'look', deed: state.execution };
        case 'requested':
          return 'request' in facts ? afterRequest(state, facts.request, now) : { kind: 'ask', for: 'request' };
        case 'ending':
          if (restingUntil !== undefined) return { kind: 'rest', until: restingUntil };
          return facts.tried
            ? { kind: 'keep', state: afterTry(state, facts.tried, now) }
            : { kind: 'ask', for: 'tried' };
      }
    },
    facts: {
      async request({ mailbox: { name, teamId }, state }) {
        const { requestId = '' } = state?.phase === 'requested' ? state : {};
        deps.onRequested(requestId, name);
        const request = (await deps.approvals.byId(teamId, requestId))?.request;
        if (endingOfRequest(request) !== undefined) deps.onDecided(requestId);
        return request;
      },
      async tried({ state }) {
        if (state?.phase !== 'ending') return { kind: 'over' };
        return deps.tryEnding(state.execution.id, state.ending, state.failures);
      },
    },
    deeds: {
      do: (execution) => runner.runStep(execution),
      // What changes nothing twice is run again; of the rest nobody can tell.
      look: async (execution) =>
        runner.isRepeatable(execution)
          ? runner.runStep(execution)
          : { kind: 'ended', ending: { kind: 'error', message: cutOff } },
      settle(execution, ran, { mailbox: { teamId }, state, now }) {
        return {
          kind: 'keep',
          state: ran ? afterRun(ran, state, execution, now) : state,
          ...(ran?.kind === 'waiting' && { put: waitFor(execution, ran, teamId, now) }),
        };
      },
    },
  };
}

function begin(state: Extract<StepState, { phase: 'new' | 'running' }>): Step<StepState, StepFacts, StepExecution> {
  return { kind: 'do', deed: state.execution, keep: { kind: 'keep', state: { ...state, phase: 'running' } } };
}

function afterRun(ran: StepRun, state: StepState, execution: StepExecution, now: number): StepState {
  switch (ran.kind) {
    case 'waiting':
      return { phase: 'over' };
    case 'requested':
      return { phase: 'requested', execution, requestId: ran.requestId };
    case 'ended':
      return ending(execution, ran.ending);
    case 'failed': {
      const failures = (state.phase === 'running' ? state.failures : 0) + 1;
      return ran.isRepeatable && failures < triesAtMost
        ? { phase: 'new', execution, failures, ...restFor(retryMs, now) }
        : ending(execution, { kind: 'error', message: ran.message });
    }
  }
}

function afterRequest(
  state: Extract<StepState, { phase: 'requested' }>,
  request: ApprovalRequest | undefined,
  now: number,
): Step<StepState> {
  const ended = endingOfRequest(request);
  return ended
    ? { kind: 'keep', state: ending(state.execution, ended) }
    : { kind: 'rest', until: now + (request?.state === 'decided' ? carriedOutEveryMs : requestEveryMs) };
}

function afterTry(state: Extract<StepState, { phase: 'ending' }>, tried: EndingTry, now: number): StepState {
  if (tried.kind === 'over') return { phase: 'over' };
  return { ...state, failures: state.failures + 1, ...restFor(tried.at - now, now) };
}

function ending(execution: StepExecution, how: StepEnding): StepState {
  return { phase: 'ending', execution, ending: how, failures: 0, notBefore: 0 };
}

/** The clock of the service can be behind by so much. */
const clocksDifferMs = 60_000;

function waitFor(
  { id: executionId, inputs, startedAt }: StepExecution,
  { personId, grantId, quizId, userId, names }: Extract<StepRun, { kind: 'waiting' }>,
  teamId: string,
  now: number,
): NewQueueEntry[] {
  const wait: ResultWait = {
    executionId,
    personId,
    ...(grantId !== undefined && { grantId }),
    quizId,
    userId,
    ...(names && { names }),
    ...(inputs['any_time'] !== 'true' && { countsFrom: startedAt - clocksDifferMs }),
    needsPass: inputs['until_passed'] === 'true',
    until: startedAt + Number(inputs['days'] || usualDays) * dayMs,
    checkAt: now,
    result: null,
    failures: 0,
    notBefore: 0,
  };
  return [workflowEntry(waitsQueue(teamId, userId), { kind: 'wait', wait }, now)];
}

function startIn(entries: readonly QueueEntry[]): StepState | undefined {
  for (const { content } of entries)
    if (content.kind === 'workflow-event' && content.event.kind === 'start')
      return { phase: 'new', execution: content.event.execution, failures: 0, notBefore: 0 };
  return undefined;
}
