import { isSamePerson, type Actor } from '../../directory/identity.ts';
import type { ApprovalRequest, ChangePreview } from '../../domain/approval-request.ts';
import { InvigilatorError } from '../../domain/errors.ts';
import { namedTarget, say } from '../../domain/said.ts';
import { erasedName } from '../../domain/sealed-entry.ts';
import type { Log } from '../../observability/log.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { OperationContext, Right } from '../../operations/context.ts';
import { InvalidInputError, type TextInput } from '../../operations/text-input.ts';
import type { Operation } from '../../operations/operation.ts';
import { failedFor, isNotFound } from '../../quiz-api/errors.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import { createContext, operationTimeoutMs, type OperationContextDependencies } from '../perform/operation-context.ts';
import type { Judged } from '../perform/carry-out.ts';
import type { GainedRights } from '../rights/user-protection.ts';
import { judge, mayDecide, requestsFor, type JudgeNow } from '../perform/judge.ts';
import { resolveInput, resolveStored, type StoredInput, refetch, type OperationInput } from '../perform/meaning.ts';
import { denialMessage, rightsOf } from '../rights/rights.ts';
import { previewOf } from './preview.ts';

export type Preparation =
  /** The context is the reviewer’s: an approval gives nobody more than the reviewer may see and do. */
  | ({ kind: 'ready'; preview: ChangePreview } & Judged)
  | Refusal
  /** The target is not in the quiz account any more. */
  | { kind: 'gone'; message: string }
  /** The reviewer may decide, and the change cannot be made: the request can only be denied. */
  | { kind: 'blocked'; message: string };

/** The requester may not ask for the change any more. */
interface Void {
  kind: 'void';
  message: string;
}

/** The reviewer may not decide. */
interface Refusal {
  kind: 'refused';
  message: string;
}

interface People {
  reviewer: Actor;
  requester: Actor;
}

interface Reviewed {
  /** Undefined if this version of the bot does not know it. */
  operation: Operation | undefined;
  context: OperationContext;
}

type Call = OperationContext['call'];

export type Prepare = ReturnType<typeof createPrepare>;

/**
 * Checks who asks and who decides, and reads what a request is about. Each step reads from the service what it needs:
 *
 * - a review: the target; rights come from the directory
 * - a denial: the reviewer
 * - a run: requester, reviewer and target, always
 *
 * The directory may be minutes old, so a review is refused or blocked only after requester and reviewer were read too.
 *
 * @throws QuizApiError if the service cannot be asked
 */
export function createPrepare(
  deps: OperationContextDependencies & {
    allowsSelfApproval: boolean;
    approvals: { ttlMs: number };
    judgeNow: JudgeNow;
    gainedRights: Pick<GainedRights, 'isThrough'>;
    log: Log;
  },
) {
  const { directory, identity, allowsSelfApproval } = deps;
  const newCall = (options?: CallOptions): Call => ({ deadline: deps.now() + operationTimeoutMs, ...options });
  const cached = (personId: string, call: Call) => identity.actorOf(personId, { fresh: false, call });
  const fresh = (personId: string, call: Call) => identity.actorOf(personId, { fresh: true, call });

  /** Checks the reviewer, as far as that is possible without the target. */
  async function checkReviewer(request: ApprovalRequest, people: People, call: Call): Promise<Refusal | Reviewed> {
    const operation = operationNamed(request.operation);
    const { reviewer, requester } = people;
    const right = rightFor(operation);
    if (!rightsOf(reviewer).has(right)) return refusal(denialMessage(reviewer, right, deps.platform));
    if (!allowsSelfApproval && isSamePerson(reviewer, requester)) return refusal(ownRequest);
    if (!allowsSelfApproval && (await deps.gainedRights.isThrough(request.teamId, reviewer, requester)))
      return refusal(throughRequester);
    const approval = { by: reviewer.personId, expiresAt: deps.now() + deps.approvals.ttlMs };
    const context = createContext(deps, reviewer, { teamId: request.teamId, call, requester, approval });
    return { operation, context };
  }

  async function prepare(request: ApprovalRequest, people: People, call: Call): Promise<Preparation | Void> {
    const reviewed = await checkReviewer(request, people, call);
    if ('message' in reviewed) return reviewed;
    const { operation, context } = reviewed;
    if (operation === undefined) return blocked(say`This version of the bot can’t do this any more.`);
    try {
      return await prepareKnown(request, people, { operation, context }, call);
    } catch (error) {
      if (isPassing(error)) throw error;
      deps.log.error({ error, request: request.id }, 'a request cannot be prepared, so it can only be denied');
      return mayDecide(operation, undefined, context.rights)
        ? blocked(say`The bot can’t tell what this would do.`)
        : refusal(denialMessage(people.reviewer, 'administrator', deps.platform));
    }
  }

  async function prepareKnown(
    request: ApprovalRequest,
    people: People,
    { operation, context }: Reviewed & { operation: Operation },
    call: Call,
  ): Promise<Preparation | Void> {
    const isForReviewer = (input: OperationInput | undefined) => mayDecide(operation, input, context.rights);
    const refused = refusal(denialMessage(people.reviewer, 'administrator', deps.platform));

    const found = await resolveNow(operation, request.input, context);
    if (found.kind === 'hidden') return isForReviewer(found.input) ? refusal(outOfSight) : refused;
    const isThere = found.kind === 'read' && !isOfErased(request);
    const looked = isThere ? await lookAt(operation, found.input, context) : { gone: goneFor(operation, found) };
    const known = found.kind === 'read' ? found.input : undefined;
    if ('gone' in looked) return isForReviewer(known) ? { kind: 'gone', message: looked.gone } : refused;
    const { teamId, channelId } = request;
    const requester = createContext(deps, people.requester, { teamId, channelId, call });
    const verdict = judge(requester, operation, looked.input, context);
    if (verdict.kind === 'refused')
      return verdict.why === 'approver'
        ? refusal(verdict.message)
        : { kind: 'void', message: verdict.why === 'own loss' ? aboutRequester : notForRequester };
    // The requester may have lost sight of what the request is about.
    if ((await resolveInput(operation, request.input, requester)).kind !== 'read')
      return { kind: 'void', message: notForRequester };
    return { kind: 'ready', operation, context, ...looked };
  }

  /** What a request is about. An id that the lists lack may be newer than the lists. */
  async function resolveNow(operation: Operation, input: TextInput, context: OperationContext): Promise<StoredInput> {
    const known = await resolveStored(operation, input, context);
    if (known.kind === 'read') return known;
    await Promise.all([directory.quizzes, directory.users, directory.groups].map((list) => list.fresh(context.call)));
    return resolveStored(operation, input, context);
  }

  /** The input as the lists know it; none where it is gone or cannot be resolved. */
  async function knownInput(
    operation: Operation,
    request: ApprovalRequest,
    context: OperationContext,
  ): Promise<{ input: OperationInput | undefined; isHidden: boolean }> {
    try {
      const found = await resolveStored(operation, request.input, context);
      return { input: 'input' in found ? found.input : undefined, isHidden: found.kind === 'hidden' };
    } catch (error) {
      if (isPassing(error)) throw error;
      return { input: undefined, isHidden: false };
    }
  }

  return {
    async forReview(request: ApprovalRequest, reviewerId: string): Promise<Preparation> {
      const call = newCall();
      const reviewAs = async (read: (personId: string, call: Call) => Promise<Actor>) =>
        prepare(
          request,
          { reviewer: await read(reviewerId, call), requester: await read(request.requesterId, call) },
          call,
        );
      const preparation = await reviewAs(cached);
      if (preparation.kind === 'ready' || preparation.kind === 'gone') return preparation;
      const final = await reviewAs(fresh);
      return final.kind === 'void' ? blocked(final.message) : final;
    },

    /** @returns why the person may not deny the request; undefined if they may */
    async forDenial(request: ApprovalRequest, reviewerId: string): Promise<string | undefined> {
      const call = newCall();
      const reviewer = await fresh(reviewerId, call);
      const reviewed = await checkReviewer(
        request,
        { reviewer, requester: await cached(request.requesterId, call) },
        call,
      );
      if ('message' in reviewed) return reviewed.message;
      const { operation, context } = reviewed;
      if (operation === undefined) return undefined;
      const known = await knownInput(operation, request, context);
      if (!mayDecide(operation, known.input, context.rights))
        return denialMessage(reviewer, 'administrator', deps.platform);
      return known.isHidden ? outOfSight : undefined;
    },

    /**
     * Asks the platform first, which may take seconds, and the service then. The reads and the change share the options.
     *
     * @throws QuizApiError also if a read would have to wait longer than `turns` permits
     */
    async forRun(
      request: ApprovalRequest,
      reviewerId: string,
      options: Pick<CallOptions, 'turns' | 'beforeChange'>,
    ): Promise<Preparation | Void> {
      const call = newCall(options);
      const [reviewer, requester] = await identity.actorsNow([reviewerId, request.requesterId], call);
      if (reviewer === undefined || requester === undefined) throw new Error('a person was not looked up');
      const preparation = await prepare(request, { reviewer, requester }, call);
      if (preparation.kind !== 'ready') return preparation;
      const { operation, input, context: approver } = preparation;
      const { teamId } = request;
      const person = createContext(deps, requester, { teamId, call });
      const verdict = await deps.judgeNow(person, operation, input, { teamId, approver });
      return verdict.kind === 'refused' ? refusal(verdict.message) : preparation;
    },

    /** @returns why the person may not see how the request ended; undefined if they may */
    async forHistory(request: ApprovalRequest, personId: string): Promise<string | undefined> {
      if (personId === request.requesterId) return undefined;
      const actor = await cached(personId, newCall());
      const right = rightFor(operationNamed(request.operation));
      if (!rightsOf(actor).has(right)) return denialMessage(actor, right, deps.platform);
      const [seen] = await requestsFor(
        [request],
        createContext(deps, actor, { teamId: request.teamId, call: newCall() }),
      );
      return seen ? undefined : outOfSight;
    },
  };
}

/** Only buttons name a plan: it was started, or it is too old. A campaign can be over. */
function goneFor({ fields }: Operation, found: StoredInput): string {
  if (found.kind === 'invalid' && fields[found.field]?.kind === 'campaign') return found.message;
  const isOfPlan = Object.values(fields).some(({ kind }) => kind === 'plan');
  return isOfPlan
    ? say`The preview that this would start is too old, or it was started already. The requester can make a new one.`
    : say`What this is about isn’t in the quiz account any more.`;
}

/** Whether everyone whom it is about was erased since it was made. The ID of such a person could be erased once more. */
function isOfErased({ asked: { targets } }: ApprovalRequest): boolean {
  return targets.length > 0 && targets.every(({ name }) => name === erasedName);
}

const ownRequest = say`You can’t decide on your own request. Someone else has to.`;
const throughRequester = say`You got rights through the requester within the last 30 days, so you can’t decide on their requests. Someone else has to.`;
const notForRequester = say`The requester no longer has the rights for this, so it can’t be done for them.`;
const aboutRequester = say`People can’t suspend or delete themselves, take away their own rights, or change the address by which the bot recognizes them.`;
const outOfSight = say`This is about a quiz, user or group that you don’t manage. An administrator of the quiz account can decide.`;

function refusal(message: string): Refusal {
  return { kind: 'refused', message };
}

function blocked(message: string): Preparation {
  return { kind: 'blocked', message };
}

/** Only an administrator decides on an operation that this version does not know. */
function rightFor(operation: Operation | undefined): Right {
  return operation?.right ?? 'administrator';
}

/** Whether the same reads can succeed in a minute. The others would keep a request from being decided for good. */
function isPassing(error: unknown): boolean {
  const isAboutTarget = failedFor(error, 'bad request', 'invalid answer') || isNotFound(error);
  return error instanceof InvigilatorError && !isAboutTarget;
}

/** Reads the target from the service, and what the operation would do to it. */
async function lookAt(
  operation: Operation,
  input: OperationInput,
  context: OperationContext,
): Promise<{ input: OperationInput; preview: ChangePreview } | { gone: string }> {
  const looked = await refetch(operation, input, context);
  if ('gone' in looked) return { gone: say`${namedTarget(looked.gone)} isn’t in the quiz account any more.` };
  try {
    return { input: looked.input, preview: await previewOf(operation, looked.input, context) };
  } catch (error) {
    if (error instanceof InvalidInputError) return { gone: error.message };
    throw error;
  }
}
