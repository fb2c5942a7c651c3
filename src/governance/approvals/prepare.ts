import type { Actor } from '../../directory/identity.ts';
import { operationNamed } from '../../operations/catalog.ts';
import { InvalidInputError, type Operation, type World } from '../../operations/operation.ts';
import type { Result } from '../../operations/operation-result.ts';
import type { ApprovalRequest, Prospect } from '../../domain/approval-request.ts';
import { canDecide, canHave } from '../policy.ts';
import { readInput, type Reader, type Reading } from '../resolve-input.ts';
import { explainLack, rightsOf } from '../rights.ts';
import { patienceMs, worldOf, type WorldDependencies } from '../operation-context.ts';
import { foresee, lookAgain, type ReadInput } from './preview.ts';

/** A request read anew, with everything that running it takes. */
export interface Prepared {
  operation: Operation;
  input: ReadInput;
  /** The reviewer's: what they may not see or do is not done on their word. */
  world: World;
}

export type Preparation =
  | ({ kind: 'ready'; prospect: Prospect } & Prepared)
  /** The reviewer may not decide on this, or nobody may ask for it any more. */
  | { kind: 'refused'; sentence: string }
  /** What it is about is not there any more. */
  | { kind: 'gone'; sentence: string };

export type RunResult = { kind: 'done'; result: Result | undefined } | { kind: 'failed'; sentence: string };

/** Checks who decides and reads what it is about, both from the service. */
export type Prepare = (request: ApprovalRequest, reviewerId: string) => Promise<Preparation>;

export function createPrepare(deps: WorldDependencies & { allowsSelfApproval: boolean }): Prepare {
  const { whoIsWho, directory } = deps;

  return async (request, reviewerId) => {
    const operation = operationNamed(request.operation);
    if (operation === undefined) return { kind: 'refused', sentence: 'This version of the bot cannot do this any more.' };
    const call = { deadline: deps.now() + patienceMs };
    const reviewer = await whoIsWho.whoIs(reviewerId, { fresh: true, call });
    const world = worldOf(deps, reviewer, { teamId: request.teamId, call });
    if (!world.rights.has(operation.right)) {
      return { kind: 'refused', sentence: explainLack(reviewer, operation.right) };
    }
    const requester = await whoIsWho.whoIs(request.requesterId, { fresh: true, call });
    if (!deps.allowsSelfApproval && isSamePerson(reviewer, requester)) {
      return { kind: 'refused', sentence: 'Nobody decides on their own request. Somebody else with the right has to.' };
    }
    if (!canHave(operation, rightsOf(requester))) {
      return { kind: 'refused', sentence: 'Who asked for this may not have it any more: their rights in the quiz account have changed. Deny it, or let it expire.' };
    }
    const gone = (sentence: string): Preparation =>
      canDecide(operation, {}, world.rights) ? { kind: 'gone', sentence } : { kind: 'refused', sentence: explainLack(reviewer, 'administrator') };

    const reading = await readKept(operation, request, world);
    if (reading.kind !== 'read') return gone('What this is about is not in the quiz account any more.');
    const looked = await lookAgain(reading.input, world);
    if ('gone' in looked) return gone(`“${looked.gone.name}” is not in the quiz account any more.`);
    const { input } = looked;
    if (!canDecide(operation, input, world.rights)) return { kind: 'refused', sentence: explainLack(reviewer, 'administrator') };
    try {
      return { kind: 'ready', operation, input, world, prospect: await foresee(operation, input, world) };
    } catch (error) {
      if (error instanceof InvalidInputError) return gone(error.message);
      throw error;
    }
  };

  /** Reads the ids of a request; what the lists do not have may be newer than they are. */
  async function readKept(operation: Operation, request: ApprovalRequest, world: World & Reader): Promise<Reading> {
    const reading = await readInput(operation, request.input, world);
    if (reading.kind === 'read') return reading;
    await Promise.all([directory.quizzes, directory.users, directory.groups].map((list) => list.fresh(world.call)));
    return readInput(operation, request.input, world);
  }
}

/** Two accounts in Slack can be one user of the quiz account. */
function isSamePerson(one: Actor, other: Actor): boolean {
  return one.slackId === other.slackId || (one.user !== undefined && one.user.user_id === other.user?.user_id);
}
