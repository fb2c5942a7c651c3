import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { InvalidInputError, reasonField, type Operation } from '../operations/operation.ts';
import type { Result } from '../operations/operation-result.ts';
import { BadRequestError, NotFoundError, QuizApiError } from '../quiz-api/errors.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { AuditEntry } from '../domain/audit-chain.ts';
import type { Ask } from './approvals/ask.ts';
import { detailsOf, targetsIn, type ReadInput } from './approvals/preview.ts';
import type { Prepared, RunResult } from './approvals/prepare.ts';
import type { Audit } from './audit.ts';
import { explainFailure, mayBeDone } from './explain-failure.ts';
import { canHave, verdictOn } from './policy.ts';
import { readInput, type RawInput, type Reader, type Reading } from './resolve-input.ts';
import { explainLack } from './rights.ts';
import { patienceMs, worldOf, type WorldDependencies } from './operation-context.ts';

/** Where a request came from. */
export interface Request {
  operation: Operation;
  /** What was typed or chosen; where a line can be read in several ways, the likeliest first. */
  raws: readonly [RawInput, ...RawInput[]];
  slackId: string;
  /** The workspace the person is in. */
  teamId: string;
  /** The conversation it came from, where Slack tells. */
  channelId?: string | undefined;
  through: 'command' | 'form' | 'choice';
}

/** What became of it. Sentences are plain text, not escaped. */
export type Outcome =
  | { kind: 'done'; result: Result }
  /** It waits for somebody else's decision. */
  | { kind: 'requested'; request: ApprovalRequest }
  /** It needs approval, and so a reason. */
  | { kind: 'unexplained' }
  | { kind: 'refused'; sentence: string }
  | { kind: 'failed'; sentence: string }
  | Exclude<Reading, { kind: 'read' }>;

export type Execute = (request: Request) => Promise<Outcome>;
/** Runs what was asked for and is approved. Never rejects. */
export type Perform = (request: ApprovalRequest, prepared: Prepared, by: string) => Promise<RunResult>;

type Noted = Pick<AuditEntry, 'targets' | 'details'>;

/**
 * The one place where operations are run: who is it, may they, what did they mean, run or ask, record.
 * Rights come before reading, so that a refused person learns nothing of the account's names.
 */
export function createExecution(
  deps: WorldDependencies & {
    ask: Ask;
    audit: Audit;
    log: Log;
    metrics: Metrics;
    newReference: () => string;
  },
): { execute: Execute; perform: Perform } {
  const { directory, whoIsWho } = deps;

  async function execute(request: Request): Promise<Outcome> {
    const reference = deps.newReference();
    const noted: Noted = {};
    const outcome = await attempt(request, reference, noted);
    await record(request, outcome, reference, noted);
    return outcome;
  }

  async function attempt(request: Request, reference: string, noted: Noted): Promise<Outcome> {
    const { operation, raws, slackId, teamId, channelId } = request;
    try {
      const call: CallOptions = { deadline: deps.now() + patienceMs };
      // Right after a start nothing is at hand yet: what most operations need next loads meanwhile.
      directory.quizzes.get(call).catch(() => {});
      const actor = await whoIsWho.whoIs(slackId, { fresh: operation.access !== 'read', call });
      if (actor.user && operation.access !== 'read') directory.users.put(actor.user);
      const world = worldOf(deps, actor, { teamId, channelId, call });
      const refused: Outcome = { kind: 'refused', sentence: explainLack(actor, operation.right) };
      if (!canHave(operation, world.rights)) return refused;
      const reading = await readLikeliest(operation, raws, world);
      if (reading.kind !== 'read') return reading;
      const { input } = reading;
      Object.assign(noted, note(operation, input));
      operation.check?.(input);
      switch (verdictOn(operation, input, world.rights)) {
        case 'refused':
          return refused;
        case 'at once':
          return { kind: 'done', result: await operation.run(world, input) };
        case 'approval': {
          const [reason = ''] = raws[0][reasonField] ?? [];
          if (reason.trim() === '') return { kind: 'unexplained' };
          return { kind: 'requested', request: await deps.ask({ teamId, slackId, operation, input, reason: reason.trim(), world }) };
        }
      }
    } catch (error) {
      return failureOf(error, operation, reference);
    }
  }

  function failureOf(error: unknown, operation: Operation, reference: string): Extract<Outcome, { kind: 'invalid' | 'failed' }> {
    if (error instanceof InvalidInputError) return { kind: 'invalid', field: error.field, sentence: error.message };
    const { sentence, isOurs } = explainFailure(error, reference, deps.now());
    deps.log[isOurs ? 'error' : 'warn']({ error, reference, operation: operation.name }, 'operation failed');
    const field = error instanceof BadRequestError && error.serviceMessage ? fieldNamedIn(error.serviceMessage, operation) : undefined;
    const caution = operation.makesNew && isUnclear(error) ? ' It may have been done all the same: look, before you try again.' : '';
    return field === undefined ? { kind: 'failed', sentence: sentence + caution } : { kind: 'invalid', field, sentence };
  }

  async function runApproved(request: ApprovalRequest, { operation, input, world }: Prepared, reference: string): Promise<RunResult> {
    try {
      return { kind: 'done', result: await operation.run(world, input) };
    } catch (error) {
      // After a crash, a delete that went out before it leaves nothing to delete.
      if (error instanceof NotFoundError && operation.access === 'destructive' && request.startedAt !== undefined) return { kind: 'done', result: undefined };
      return { kind: 'failed', sentence: failureOf(error, operation, reference).sentence };
    }
  }

  async function perform(request: ApprovalRequest, prepared: Prepared, by: string): Promise<RunResult> {
    const { operation, input } = prepared;
    const reference = deps.newReference();
    const result = await runApproved(request, prepared, reference);
    deps.metrics.operations.inc({ operation: operation.name, outcome: result.kind });
    await deps.audit(request.teamId, {
      at: deps.now(),
      reference,
      by,
      operation: operation.name,
      action: result.kind,
      through: 'approval',
      request: request.id,
      ...note(operation, input),
      ...('sentence' in result && { sentence: result.sentence }),
    });
    return result;
  }

  /** What could not be read, or lacks a reason, has not begun: the person is asked, and nothing goes on the record. */
  async function record({ operation, slackId, teamId, through }: Request, outcome: Outcome, reference: string, noted: Noted): Promise<void> {
    deps.metrics.operations.inc({ operation: operation.name, outcome: outcome.kind });
    if (outcome.kind !== 'done' && outcome.kind !== 'requested' && outcome.kind !== 'refused' && outcome.kind !== 'failed') {
      deps.log.info({ operation: operation.name, by: slackId, through, outcome: outcome.kind, reference }, 'operation not begun');
      return;
    }
    await deps.audit(teamId, {
      at: deps.now(),
      reference,
      by: slackId,
      operation: operation.name,
      action: outcome.kind,
      through,
      ...noted,
      ...('sentence' in outcome && { sentence: outcome.sentence }),
      ...('request' in outcome && { request: outcome.request.id }),
    });
  }

  return { execute, perform };
}

/** Whether it was asked to change something and did not say what came of it. */
function isUnclear(error: unknown): boolean {
  return mayBeDone(error) && error instanceof QuizApiError && error.method !== 'GET';
}

function note(operation: Operation, input: ReadInput): Noted {
  return { targets: Object.values(input).flatMap(targetsIn), details: detailsOf(operation, input) };
}

/** The first way to read the line that makes sense; where none does, what is wrong with the likeliest. */
async function readLikeliest(operation: Operation, raws: Request['raws'], reader: Reader): Promise<Reading> {
  const [likeliest, ...others] = raws;
  const first = await readInput(operation, likeliest, reader);
  if (first.kind === 'read') return first;
  for (const raw of others) {
    const reading = await readInput(operation, raw, reader);
    if (reading.kind === 'read') return reading;
  }
  return first;
}

/** The field a refusal of the service is about, where its message names it: `user_name`, or “user name”. */
function fieldNamedIn(message: string, operation: Operation): string | undefined {
  const words = message.toLowerCase();
  const names = Object.keys(operation.fields).toSorted((a, b) => b.length - a.length);
  return names.find((name) => words.includes(name) || words.includes(name.replaceAll('_', ' ')));
}
