import type { Actor } from '../../directory/identity.ts';
import { operationNamed } from '../../operations/catalog.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { InputResolver } from '../../operations/fields/field-kind.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import type { ApprovalRequest, ChangePreview } from '../../domain/approval-request.ts';
import { canDecide, canHave } from '../policy.ts';
import { resolveInput, type ResolvedInput } from '../resolve-input.ts';
import { denialMessage, rightsOf } from '../rights.ts';
import { operationTimeoutMs, createOperationContext, type OperationContextDependencies } from '../operation-context.ts';
import { previewOf, refetch, type OperationInput } from './preview.ts';

/** A request read anew, with everything that running it takes. */
export interface Prepared {
  operation: Operation;
  input: OperationInput;
  /** The reviewer's: what they may not see or do is not done on their word. */
  context: OperationContext;
}

export type Preparation =
  | ({ kind: 'ready'; preview: ChangePreview } & Prepared)
  /** The reviewer may not decide on this, or nobody may ask for it any more. */
  | { kind: 'refused'; message: string }
  /** What it is about is not there any more. */
  | { kind: 'gone'; message: string };

export type RunResult = { kind: 'done'; result: OperationResult | undefined } | { kind: 'failed'; message: string };

/** Checks who decides and reads what it is about, both from the service. */
export type Prepare = (request: ApprovalRequest, reviewerId: string) => Promise<Preparation>;

export function createPrepare(deps: OperationContextDependencies & { allowsSelfApproval: boolean }): Prepare {
  const { identity, directory } = deps;

  return async (request, reviewerId) => {
    const operation = operationNamed(request.operation);
    if (operation === undefined) return { kind: 'refused', message: 'This version of the bot cannot do this any more.' };
    const call = { deadline: deps.now() + operationTimeoutMs };
    const reviewer = await identity.actorOf(reviewerId, { fresh: true, call });
    const context = createOperationContext(deps, reviewer, { teamId: request.teamId, call });
    if (!context.rights.has(operation.right)) {
      return { kind: 'refused', message: denialMessage(reviewer, operation.right) };
    }
    const requester = await identity.actorOf(request.requesterId, { fresh: true, call });
    if (!deps.allowsSelfApproval && isSamePerson(reviewer, requester)) {
      return { kind: 'refused', message: 'Nobody decides on their own request. Somebody else with the right has to.' };
    }
    if (!canHave(operation, rightsOf(requester))) {
      return { kind: 'refused', message: 'Who asked for this may not have it any more: their rights in the quiz account have changed. Deny it, or let it expire.' };
    }
    const gone = (message: string): Preparation =>
      canDecide(operation, {}, context.rights) ? { kind: 'gone', message } : { kind: 'refused', message: denialMessage(reviewer, 'administrator') };

    const reading = await resolveStored(operation, request, context);
    if (reading.kind !== 'read') return gone('What this is about is not in the quiz account any more.');
    const looked = await refetch(operation, reading.input, context);
    if ('gone' in looked) return gone(`“${looked.gone.name}” is not in the quiz account any more.`);
    const { input } = looked;
    if (!canDecide(operation, input, context.rights)) return { kind: 'refused', message: denialMessage(reviewer, 'administrator') };
    try {
      return { kind: 'ready', operation, input, context, preview: await previewOf(operation, input, context) };
    } catch (error) {
      if (error instanceof InvalidInputError) return gone(error.message);
      throw error;
    }
  };

  /** Reads the ids of a request; what the lists do not have may be newer than they are. */
  async function resolveStored(operation: Operation, request: ApprovalRequest, context: OperationContext & InputResolver): Promise<ResolvedInput> {
    const reading = await resolveInput(operation, request.input, context);
    if (reading.kind === 'read') return reading;
    await Promise.all([directory.quizzes, directory.users, directory.groups].map((list) => list.fresh(context.call)));
    return resolveInput(operation, request.input, context);
  }
}

/** Two accounts in Slack can be one user of the quiz account. */
function isSamePerson(one: Actor, other: Actor): boolean {
  return one.personId === other.personId || (one.user !== undefined && one.user.user_id === other.user?.user_id);
}
