import { hourMs, dayMs } from '../../domain/durations.ts';
import { say } from '../../domain/said.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { QueueEntry } from '../../domain/queues.ts';
import type { AttemptResult, ResultWait, StepEnding, StepExecution } from '../../domain/workflow.ts';
import {
  type Keep,
  type Machine,
  type Mailbox,
  type Step,
  restFor,
  restsUntil,
  type Rest,
} from '../../durable/machine.ts';
import type { Log } from '../../observability/log.ts';
import type { Approvals } from '../../storage/records.ts';
import { endingOfRequest, usualDays, type StepRun, type StepRunner } from './run-step.ts';
import { endingOf, endingWithout, eventsOf, isFulfilled, listEntry, withAttempt, type LookFor } from './waiting.ts';
import { PlatformError } from '../../domain/errors.ts';
import { backoffMs } from '../../time/timers.ts';

/** A run, from its event to its end. `running` is stored before its operation runs: a crash leaves it open whether it ran. */
export type StepState =
  | ({ phase: 'new' | 'running'; execution: StepExecution; failures: number } & Rest)
  | { phase: 'requested'; execution: StepExecution; requestId: string }
  | Waiting
  | ({ phase: 'ending'; execution: StepExecution; ending: StepEnding; failures: number } & Rest)
  /** It stays, so that a repeated event of the platform changes nothing. */
  | { phase: 'over' };

/** A run that waits for a result. */
type Waiting = {
  phase: 'waiting';
  execution: StepExecution;
  wait: ResultWait;
  /** Whether the service has to be asked now. Otherwise the list of those that wait wakes it. */
  isToLook: boolean;
  failures: number;
} & Rest;

/** A request whose decision is missed on this instance is looked at again after this time, and while it is being carried out. */
const requestEveryMs = 30_000;
const carriedOutEveryMs = 1_000;
/** After the service failed. */
const retryMs = 60_000;
const triesAtMost = 10;
/** How long the service may fail after the time of a wait is over. */
const lateMs = dayMs;
/** Webhooks may not find a run in the list that has been on it for less: the service is asked afterwards. */
export const listedAfterMs = 2_000;
/** A run can wait for 180 days while the bot is away. */
const keptAtRestMs = 210 * dayMs;

export const neverAnswered = say`The quiz service hasn’t answered for a day, so the result isn’t known.`;
export const cutOff = say`The bot stopped while this step ran. Check whether it was done before you run the workflow again.`;

/** What a run that waits knows now, and how it ends; undefined: nobody can tell. */
type Looked = { wait: ResultWait; ending: StepEnding | undefined } | undefined;

/**
 * Carries a run of a step from the platform’s event to its end.
 *
 * @param deps.onRequested called with a run that waits for a decision, and `onDecided` when it no longer does
 */
export function stepMachine(deps: {
  approvals: Pick<Approvals, 'byId'>;
  runner: StepRunner;
  lookFor: LookFor;
  tryEnding: TryEnding;
  log: Log;
  onRequested: (requestId: string, queue: string) => void;
  onDecided: (requestId: string) => void;
}): Machine<StepState, StepExecution, StepRun> {
  const { runner } = deps;

  return {
    mailAtMost: 100,
    keptAtRestMs,
    isBusy: (state) => (state.phase === 'waiting' ? state.isToLook : state.phase !== 'over'),
    isRetrying: (state) => 'failures' in state && state.failures > 0,
    async step(view) {
      const { mailbox, state, mail, now } = view;
      const { teamId } = mailbox;
      if (mail.length > 0) return withMail(state, mail, teamId, now);
      if (state === undefined) return { kind: 'rest', until: undefined };
      const restingUntil = 'notBefore' in state ? restsUntil(state, now) : undefined;
      switch (state.phase) {
        case 'over':
          return { kind: 'rest', until: undefined };
        case 'new':
          return restingUntil === undefined ? begin(state) : { kind: 'rest', until: restingUntil };
        case 'running':
          return { kind: 'look', deed: state.execution };
        case 'requested':
          return afterRequest(state, await requestOf(state, mailbox), view.now);
        case 'waiting':
          if (!state.isToLook) return { kind: 'rest', until: undefined };
          if (restingUntil !== undefined) return { kind: 'rest', until: restingUntil };
          return afterLook(state, await look(teamId, state, now), teamId, view.now);
        case 'ending':
          if (restingUntil !== undefined) return { kind: 'rest', until: restingUntil };
          return {
            kind: 'keep',
            state: afterTry(state, await deps.tryEnding(state.execution.id, state.ending, state.failures), view.now),
          };
      }
    },
    deeds: {
      do: (execution) => runner.runStep(execution),
      // What changes nothing twice is run again; of the rest nobody can tell.
      look: async (execution) =>
        runner.isRepeatable(execution)
          ? runner.runStep(execution)
          : { kind: 'ended', ending: { kind: 'error', message: cutOff } },
      settle(execution, ran, { mailbox: { teamId }, state, now }) {
        if (ran?.kind === 'waiting') return begun(execution, waitFor(execution, ran), teamId, now);
        return { kind: 'keep', state: ran ? afterRun(ran, state, execution, now) : state };
      },
    },
  };

  /** How the request stands for whose decision the run waits. */
  async function requestOf({ requestId }: Extract<StepState, { phase: 'requested' }>, { name, teamId }: Mailbox) {
    deps.onRequested(requestId, name);
    const request = (await deps.approvals.byId(teamId, requestId))?.request;
    if (endingOfRequest(request) !== undefined) deps.onDecided(requestId);
    return request;
  }

  async function look(teamId: string, { execution, wait }: Waiting, now: number): Promise<Looked> {
    try {
      return await lookAt(teamId, wait, now);
    } catch (error) {
      deps.log.warn({ error, execution: execution.id }, 'a step of a workflow looks for its result later');
      return undefined;
    }
  }

  async function lookAt(teamId: string, known: ResultWait, now: number): Promise<Looked> {
    const ask = async () => (isFulfilled(known) ? [] : deps.lookFor(known));
    const seen = await ask();
    const refused = typeof seen === 'string' ? undefined : await runner.refusalOf(teamId, known);
    // Who was deleted since is not among those whom the person may see, either.
    const found = refused === undefined ? seen : await ask();
    if (typeof found === 'string') return { wait: known, ending: endingWithout(known, found) };
    if (refused !== undefined) return { wait: known, ending: { kind: 'error', message: refused } };
    const wait = found.reduce(withAttempt, known);
    return { wait, ending: isFulfilled(wait) || now >= wait.until ? endingOf(wait) : undefined };
  }
}

/** The state after its mail. Mail that comes twice changes nothing the second time. */
function withMail(
  stored: StepState | undefined,
  mail: readonly QueueEntry[],
  teamId: string,
  now: number,
): Keep<StepState> {
  const take = mail.map(({ position }) => position);
  let state = stored;
  for (const event of eventsOf(mail)) {
    if (event.kind === 'start') state ??= { phase: 'new', execution: event.execution, failures: 0, notBefore: 0 };
    else if (event.kind === 'wait' && event.ending) state = ending(event.execution, event.ending);
    else if (event.kind === 'wait') return { ...begun(event.execution, event.wait, teamId, now), take };
    else if (state?.phase === 'waiting' && event.kind === 'look') state = { ...state, isToLook: true };
    else if (state?.phase === 'waiting' && event.kind === 'result') state = withResult(state, event.result);
  }
  return { kind: 'keep', state: state ?? { phase: 'over' }, take };
}

function withResult(state: Waiting, result: AttemptResult): Waiting {
  const wait = withAttempt(state.wait, result);
  return { ...state, wait, isToLook: state.isToLook || isFulfilled(wait) };
}

/** A run that begins to wait. */
function begun(execution: StepExecution, wait: ResultWait, teamId: string, now: number): Keep<StepState> {
  const { quizId, userId, until } = wait;
  const listed = { executionId: execution.id, quizId, userId, until };
  const pause = isFulfilled(wait) ? { notBefore: 0 } : restFor(listedAfterMs, now);
  return {
    kind: 'keep',
    state: { phase: 'waiting', execution, wait, isToLook: true, failures: 0, ...pause },
    put: [listEntry(teamId, { kind: 'listed', wait: listed }, now)],
  };
}

function afterLook(state: Waiting, looked: Looked, teamId: string, now: number): Keep<StepState> {
  const { execution } = state;
  const how =
    looked === undefined && now >= state.wait.until + lateMs
      ? ({ kind: 'error', message: neverAnswered } as const)
      : looked?.ending;
  if (how !== undefined)
    return {
      kind: 'keep',
      state: ending(execution, how),
      put: [listEntry(teamId, { kind: 'over', executionId: execution.id }, now)],
    };
  const next = looked
    ? { wait: looked.wait, isToLook: false, failures: 0, notBefore: 0 }
    : { failures: state.failures + 1, ...restFor(retryMs, now) };
  return { kind: 'keep', state: { ...state, ...next } };
}

function begin(state: Extract<StepState, { phase: 'new' | 'running' }>): Step<StepState, StepExecution> {
  return { kind: 'do', deed: state.execution, keep: { kind: 'keep', state: { ...state, phase: 'running' } } };
}

function afterRun(
  ran: Exclude<StepRun, { kind: 'waiting' }>,
  state: StepState,
  execution: StepExecution,
  now: number,
): StepState {
  switch (ran.kind) {
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
  { inputs, startedAt }: StepExecution,
  { personId, grantId, quizId, userId, names, attempts }: Extract<StepRun, { kind: 'waiting' }>,
): ResultWait {
  const wait: ResultWait = {
    personId,
    grantId,
    quizId,
    userId,
    names,
    countsFrom: inputs['any_time'] !== 'true' ? startedAt - clocksDifferMs : undefined,
    needsPass: inputs['until_passed'] === 'true',
    until: startedAt + Number(inputs['days'] || usualDays) * dayMs,
    result: null,
  };
  return attempts.reduce(withAttempt, wait);
}

/** Tells the platform how a run ended. `gone`: it had ended before, or its workflow is gone. @throws {PlatformError} */
export type Complete = (executionId: string, ending: StepEnding) => Promise<'ended' | 'gone'>;

/** A try to end a run. `later`: in milliseconds since the epoch. */
type EndingTry = { kind: 'over' } | { kind: 'later'; at: number };

type TryEnding = (executionId: string, ending: StepEnding, failures: number) => Promise<EndingTry>;

const backoff = { firstMs: 2_000, longestMs: hourMs };
/** Over a week, most of it an hour apart. */
const endingTriesAtMost = 180;

/**
 * Ends runs. The platform has no look-up for a run, but refuses to end a run twice, so an ending whose answer was lost is sent
 * again: either it counts now, or it counted then.
 */
export function createTryEnding({
  complete,
  log,
  now,
}: {
  complete: Complete;
  log: Log;
  now: () => number;
}): TryEnding {
  let pause: Rest = { notBefore: 0 };

  return async (executionId, how, failures) => {
    const pausedUntil = restsUntil(pause, now());
    if (pausedUntil !== undefined) return { kind: 'later', at: pausedUntil };
    try {
      const ended = await complete(executionId, how);
      if (ended === 'gone')
        log.info(
          { execution: executionId, failures },
          'a step of a workflow had ended before, or its workflow is gone',
        );
      return { kind: 'over' };
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // The limit is of all runs together.
      if (error.kind === 'rate_limited') {
        pause = restFor(error.retryAfterMs ?? backoff.firstMs, now());
        return { kind: 'later', at: pause.notBefore };
      }
      if (failures + 1 >= endingTriesAtMost) {
        log.error({ error, execution: executionId }, 'a step of a workflow could not be ended, and is given up');
        return { kind: 'over' };
      }
      log.warn({ error, execution: executionId }, 'a step of a workflow is ended later');
      return { kind: 'later', at: now() + backoffMs(failures + 1, backoff) };
    }
  };
}
