import type { Actor } from '../../directory/identity.ts';
import { channelMention, joinSaid, namedTarget, say } from '../../domain/said.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { BatchService } from '../../operations/services/features.ts';
import type { Field } from '../../operations/fields/fields.ts';
import type { Operation, Confirmation } from '../../operations/operation.ts';
import type { OperationResult } from '../../operations/page.ts';
import { previewOf } from '../../operations/define-plan.ts';
import { reasonField, confirmationField, confirmationOf, type TextInput } from '../../operations/text-input.ts';
import type { Readings } from '../../operations/typed-text.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Ask } from '../approvals/requests.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { judge, type JudgeNow } from './judge.ts';
import {
  isByAgent,
  isForAgents,
  knownToAgentsForMs,
  needsPress,
  canHave,
  offeredBy,
  reasonFor,
} from '../rights/policy.ts';
import { denialMessage, rightsOf } from '../rights/rights.ts';
import type { UserProtection } from '../rights/user-protection.ts';
import { createContext, operationTimeoutMs, type OperationContextDependencies } from './operation-context.ts';
import {
  idsOf,
  meaningNow,
  resolveLikeliest,
  type OperationInput,
  type ResolvedInput,
  type StoredInput,
  targetsOf,
} from './meaning.ts';
import { resultOnRecord, type RecordOperation } from '../audit/record.ts';
import { noChange, type CarryOut, type RunOperation, type Failure } from './carry-out.ts';
import { sharedChannelInWords } from '../../operations/wording/words.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';

/** How long after its deadline a request may still be busy with looking up and recording what came of it. */
const heldOnForMs = 10_000;

export type Execute = (request: OperationRequest) => Promise<ExecutionResult>;

/**
 * Runs operations for people: who is it, may they, what do they mean, at once or with approval, run or ask, record.
 */
export function createExecute(
  deps: OperationContextDependencies & {
    runOperation: RunOperation;
    ask: Ask;
    passwords: Pick<Passwords, 'offer'>;
    userProtection: Pick<UserProtection, 'inTurn'>;
    judgeNow: JudgeNow;
    carryOut: CarryOut;
    /** The other companies that read a channel with this workspace. */
    findCompanies: (channelId: string) => Promise<readonly string[]>;
    record: RecordOperation;
    log: Log;
    metrics: Metrics;
    newCorrelationId: () => string;
  },
): Execute {
  const { directory, identity, userProtection } = deps;
  const recordOutcome = createRecordOutcome(deps);

  return async (request) => {
    const { operation, personId, teamId, channelId } = request;
    const turn: Turn = { correlationId: deps.newCorrelationId(), isNobody: false };

    const ended = await deps.runOperation<ExecutionResult>(operation, turn.correlationId, async () => {
      const call: CallOptions = { deadline: deps.now() + operationTimeoutMs, personId, onQueued: request.onQueued };
      // Most operations need the quizzes next: right after a start, they load while the person is looked up.
      directory.quizzes.get(call).catch(() => {});
      const proceed = (actor: Actor) => {
        turn.isNobody = actor.nobody !== undefined;
        return decideAndRun(request, createContext(deps, actor, { teamId, channelId, call }), turn);
      };
      const personMaxAgeMs = isByAgent(request.through) ? knownToAgentsForMs : undefined;
      const cached = await identity.actorOf(personId, { fresh: false, call, personMaxAgeMs });
      if (!needsFresh(operation, cached)) return proceed(cached);
      return userProtection.inTurn(operation, teamId, async (calls) => {
        Object.assign(call, calls);
        return proceed(await identity.actorOf(personId, { fresh: true, call }));
      });
    });
    const outcome: ExecutionResult = ended.kind === 'invalid' && turn.input ? { ...ended, isUnderstood: true } : ended;
    await recordOutcome(request, outcome, turn);
    // A change that was held and is called off too late is made once more, which changes nothing.
    await turn.held?.callOff().catch((error: unknown) => {
      const { correlationId } = turn;
      deps.log.warn({ error, correlationId }, 'a change is looked at again, although it was made');
    });
    return outcome;
  };

  async function decideAndRun(
    request: OperationRequest,
    context: OperationContext,
    turn: Turn,
  ): Promise<ExecutionResult> {
    const { operation, inputs, rescues, rivals, personId, teamId } = request;
    const done = (result: OperationResult): ExecutionResult => ({
      kind: 'done',
      result,
      offered: offeredBy(context.rights),
    });
    // Before the input is resolved, so that a refused person learns no names.
    if (!canHave(operation, context.rights))
      return { kind: 'refused', message: denialMessage(context.actor, operation.right, deps.platform, operation) };
    if (isByAgent(request.through) && !isForAgents(operation))
      return { kind: 'refused', message: say`Only people can do this, not agents.` };

    const found = await resolveLikeliest(operation, inputs, context, rescues, rivals);
    if (found.kind !== 'read') return found;
    let { input } = found;
    turn.input = input;
    operation.check?.(input);
    if (dependsOnTarget(operation, input, context) && judge(context, operation, input).kind === 'run') {
      const now = await meaningNow(operation, input, context);
      if (now.kind !== 'read') return changedMeanwhile(now);
      input = turn.input = now.input;
    }
    const verdict = await deps.judgeNow(context, operation, input, { teamId });
    if (verdict.kind === 'refused') return { kind: 'refused', message: verdict.message };
    const wanted: Wanted = { ...request, context, input };
    const preview = await previewOfMany(wanted);
    if (preview) return done(preview);
    const isAtOnce = verdict.kind === 'run';
    // What is looked up again by its ID doesn’t say what it was called, such as “everyone”.
    const question = await operation.confirm?.(found.input, context);
    if (question) return unconfirmed(question, wanted, isAtOnce);

    const isOffered = request.through === 'message' && operation.access !== 'read';
    if (isAtOnce) {
      const unchanged = isOffered ? await noChange(wanted) : undefined;
      if (unchanged) return done(unchanged);
      if (isOffered || (isByAgent(request.through) && needsPress(operation, input)))
        return unconfirmed(pressOf(wanted), wanted, isAtOnce);
      const warned = await warningAbout(wanted);
      if (warned) return warned;
      await holdSeveral(wanted, turn);
      return done(await runAtOnce(wanted));
    }
    // Not for other people: they may not see how things are.
    const unchanged = context.rights.has(operation.right) ? await noChange(wanted) : undefined;
    if (unchanged) return done(unchanged);
    const reason = inputs[0][reasonField]?.[0]?.trim() ?? '';
    if (reason === '') return { kind: 'unexplained', input: idsOf(operation, input) };
    if (isOffered) return unconfirmed(pressOf(wanted), wanted, isAtOnce);
    const isOfStep = request.through === 'workflow';
    return {
      kind: 'requested',
      request: await deps.ask({ teamId, personId, operation, input, reason, isOfStep, context }),
    };
  }

  /**
   * Before the first of several changes, puts them on the record, and stores them: where the process ends in the middle, a batch
   * makes what is left.
   */
  async function holdSeveral(
    { operation, personId, teamId, through, context, input }: Wanted,
    turn: Turn,
  ): Promise<void> {
    const rows = (await operation.rows?.(context, input)) ?? [];
    if (rows.length < 2) return;
    const action = operation.action?.(input) ?? operation.summary;
    const plan = { kind: 'batch', operation: operation.name, action, rows, approval: null } as const;
    const notBefore = (context.call.deadline ?? deps.now() + operationTimeoutMs) + heldOnForMs;
    const { correlationId } = turn;
    turn.held = await context.batches.hold(plan, personId, { correlationId, notBefore });
    await deps.record({ teamId, by: personId, through, correlationId }, { operation, input }, { action: 'begun' });
  }

  /** Asks everything at once: the yes to the question also confirms a warning. */
  async function unconfirmed(
    { question, label, input: yes }: Confirmation,
    wanted: Wanted,
    isAtOnce: boolean,
  ): Promise<ExecutionResult> {
    const [{ [reasonField]: reason }] = wanted.inputs;
    const warned = isAtOnce ? await warningAbout(wanted) : undefined;
    return {
      kind: 'unconfirmed',
      question: warned ? `${question} ${warned.message}` : question,
      label,
      input: {
        ...yes,
        ...(reason && { [reasonField]: reason }),
        ...(warned && { [confirmationField]: [warned.confirmation] }),
      },
    };
  }

  /** What can go wrong, where the person has not read and confirmed it. */
  async function warningAbout({
    operation,
    inputs,
    through,
    context,
    input,
  }: Wanted): Promise<Extract<ExecutionResult, { kind: 'warned' }> | undefined> {
    // What changes nothing needs no confirmation.
    if (operation.isDone?.(input, context.directory)) return undefined;
    const warnings = [...(await sharedChannels(operation, input)), await operation.warn?.(context, input, through)];
    const message = warnings.filter((warning) => warning !== undefined).join(' ');
    if (message === '') return undefined;
    const confirmation = confirmationOf(message);
    const isConfirmed = inputs[0][confirmationField]?.includes(confirmation) ?? false;
    return isConfirmed ? undefined : { kind: 'warned', message, input: idsOf(operation, input), confirmation };
  }

  /** Says which channels that an operation is about are shared with other companies. */
  async function sharedChannels({ fields }: Operation, input: OperationInput): Promise<string[]> {
    const said = Object.keys(fields).map(async (name) => {
      const value = input[name];
      const channelId = typeof value === 'object' && 'channel_id' in value ? value.channel_id : undefined;
      const companies = channelId === undefined ? [] : await deps.findCompanies(channelId);
      return channelId === undefined || companies.length === 0 ? [] : [sharedChannelInWords(channelId, companies)];
    });
    return (await Promise.all(said)).flat();
  }

  async function runAtOnce({ operation, personId, teamId, context, input }: Wanted): Promise<OperationResult> {
    const result = await deps.carryOut({ operation, context, input }, { teamId, personId });
    if (result.kind === 'done' && result.passwordOf) {
      // The change is made: an offer that fails must not make it look failed.
      await deps.passwords
        .offer(teamId, personId, result.passwordOf)
        .catch((error: unknown) =>
          deps.log.error(
            { error, operation: operation.name, by: personId },
            'a new password could not be offered: /quiz-user reset-password offers another',
          ),
        );
    }
    return result;
  }
}

/** What becomes of a request while it is worked on. `input`: once it is understood. */
interface Turn {
  correlationId: string;
  isNobody: boolean;
  input?: OperationInput;
  held?: Awaited<ReturnType<BatchService['hold']>>;
}

/** A request that is understood. */
interface Wanted extends OperationRequest {
  context: OperationContext;
  input: OperationInput;
}

/** What the operation would do in the background, for the person to start; undefined where it changes little enough to run at once. */
async function previewOfMany({ operation, through, context, input }: Wanted): Promise<OperationResult | undefined> {
  const planned = await operation.plan?.(context, input);
  if (planned === undefined) return undefined;
  const { plan, entered } = planned;
  const warning = await operation.warn?.(context, input, through);
  return previewOf(context, plan, entered && { operation: operation.name, input: entered }, { warning });
}

/**
 * The rights in the directory are good enough for reading and for asking for approval, which change nothing. Before a
 * change is run, or refused, the person is read from the service. What is a person’s own needs no right.
 */
function needsFresh(operation: Operation, cached: Actor): boolean {
  const isKnown = cached.user !== undefined || cached.isOwner;
  const isOfAccount = operation.access !== 'read' && operation.access !== 'own';
  return isOfAccount && isKnown && reasonFor(operation, rightsOf(cached)) !== 'required';
}

const kindsOfUsers: ReadonlySet<Field['kind']> = new Set(['user', 'users', 'audience']);

/**
 * Whether the state of a user decides if the person may do this at once. It does not for administrators, unless the user
 * would be an administrator and may not be one yet, and except for an owner without a quiz user, who might change the last
 * administrator.
 */
function dependsOnTarget(
  { access, fields }: Operation,
  { user_type: userType }: OperationInput,
  { rights, actor }: OperationContext,
): boolean {
  if (access === 'read' || !Object.values(fields).some(({ kind }) => kindsOfUsers.has(kind))) return false;
  return !rights.has('administrator') || userType === 'administrator' || actor.user === undefined;
}

/** About what cannot be chosen any more. */
function changedMeanwhile({ field = '', ...found }: Exclude<StoredInput, { kind: 'read' }>): ExecutionResult {
  const message =
    found.kind === 'gone' && found.gone
      ? say`${namedTarget(found.gone)} is no longer in the quiz account.`
      : say`This has just changed in the quiz account, so you can’t choose it any more.`;
  return { kind: 'invalid', field, message };
}

/** The question before what a message or an agent asked for runs. An agent can leave the name of a channel out, or give another one. */
function pressOf({ operation, through, input }: Wanted): Confirmation {
  const action = operation.action?.(input) ?? operation.name.replaceAll('-', ' ');
  const channel = targetsOf(operation, input).find(({ kind }) => kind === 'channel');
  const question =
    through === 'message'
      ? say`Nothing has changed yet. Press the button to ${action}.`
      : say`An agent wants to ${action}.`;
  return {
    question: joinSaid([question, channel && say`In ${channelMention(channel.id)}`], '\n'),
    label: operation.submit,
    input: idsOf(operation, input),
  };
}

/** An operation that a person wants, where they want it from, and the ways to read what was typed; one for what was chosen. */
export interface OperationRequest extends Readings {
  operation: Operation;
  personId: string;
  /** The workspace the person is in. */
  teamId: string;
  /** The conversation the person is in, if it is known. */
  channelId?: string | undefined;
  /** `message`: people wrote it to the bot, `assistant`: the platform’s own, `agent`: one with a token of the person, `workflow`: a step of a workflow that they published. */
  through: 'command' | 'message' | 'form' | 'choice' | 'assistant' | 'agent' | 'workflow';
  /** Called where the person waits for large lists that others read. */
  onQueued?: CallOptions['onQueued'];
}

/** What came of it. Messages are sentences of `domain/said.ts`. */
export type ExecutionResult =
  /** `offered`: the names of the operations that the person may run or request, for next steps. */
  | { kind: 'done'; result: OperationResult; offered: ReadonlySet<string> }
  /** It waits for another person's decision. */
  | { kind: 'requested'; request: ApprovalRequest }
  /** It waits for the person to say yes; the input is what they say yes to. */
  | ({ kind: 'unconfirmed' } & Confirmation)
  /** It needs approval, and the person gave no reason. `input`: what was resolved, as texts. */
  | { kind: 'unexplained'; input: TextInput }
  /** Something can go wrong, and the person has not confirmed it. `input`: likewise. */
  | { kind: 'warned'; message: string; input: TextInput; confirmation: string }
  | { kind: 'refused'; message: string }
  | Failure
  | Exclude<ResolvedInput, { kind: 'read' }>;

const refusalsEveryMs = 10 * 60_000;
const refusedAtMost = 10_000;

/**
 * Records what came of a person’s request. Input that was not understood, lacks a reason or needs a confirmation goes into
 * the log only: the person is asked for it. So does a preview, a repeated refusal, and what is a person’s own: what keeps it
 * records what there is to record.
 */
function createRecordOutcome(deps: { record: RecordOperation; log: Log; metrics: Metrics; now: () => number }) {
  /** When the refusals of people without a quiz user go on the record again. */
  const refusalsFrom = new Map<string, number>();

  /** People whom the account does not know could fill the audit trail, so it gets one entry for each in ten minutes. */
  function wasRefusedLately({ personId, teamId }: OperationRequest): boolean {
    const key = `${teamId}:${personId}`;
    const time = deps.now();
    if ((refusalsFrom.get(key) ?? 0) > time) return true;
    if (refusalsFrom.size >= refusedAtMost) refusalsFrom.clear();
    refusalsFrom.set(key, time + refusalsEveryMs);
    return false;
  }

  return async (request: OperationRequest, outcome: ExecutionResult, { correlationId, input, isNobody }: Turn) => {
    const { operation, personId, teamId, through } = request;
    deps.metrics.operations.inc({ operation: operation.name, outcome: outcome.kind });
    const isRepeated = isNobody && outcome.kind === 'refused' && wasRefusedLately(request);
    if (operation.access === 'own' || isRepeated || isPreview(operation, outcome) || !isRecorded(outcome)) {
      deps.log.info(
        { operation: operation.name, by: personId, through, outcome: outcome.kind, correlationId },
        'operation not begun',
      );
      return;
    }
    if (outcome.kind === 'done' && outcome.result.kind === 'done' && outcome.result.isStarted) return;
    await deps.record(
      { teamId, by: personId, through, correlationId, ...('request' in outcome && { request: outcome.request.id }) },
      { operation, input },
      {
        action: outcome.kind,
        ...('message' in outcome && { message: outcome.message }),
        ...(outcome.kind === 'done' && resultOnRecord(outcome.result)),
      },
    );
  };
}

function isRecorded(
  outcome: ExecutionResult,
): outcome is Extract<ExecutionResult, { kind: 'done' | 'requested' | 'refused' | 'failed' }> {
  return ['done', 'requested', 'refused', 'failed'].includes(outcome.kind);
}

/** A preview of a change, which is on the record when it is started. */
function isPreview({ access }: Operation, outcome: ExecutionResult): boolean {
  return access !== 'read' && outcome.kind === 'done' && outcome.result.kind === 'preview';
}
