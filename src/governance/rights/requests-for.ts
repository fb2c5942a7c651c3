import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { operationNamed } from '../../operations/catalog.ts';
import { mayDecide } from './admit.ts';
import type { ContextFor } from '../../operations/operation.ts';
import { resolveInput, withoutSuggestions } from '../perform/resolve-input.ts';

/**
 * The requests that the person asked or may decide on, by the lists in the directory. The others are none of their business:
 * a request tells who is to be changed, and why.
 */
export async function requestsFor(
  requests: readonly ApprovalRequest[],
  contextFor: ContextFor,
): Promise<ApprovalRequest[]> {
  const isTheirs = await Promise.all(requests.map(async (request) => isFor(request, contextFor)));
  return requests.filter((_, index) => isTheirs[index]);
}

async function isFor(
  { operation: name, input, requesterId }: ApprovalRequest,
  contextFor: ContextFor,
): Promise<boolean> {
  const operation = operationNamed(name);
  const context = contextFor(operation ?? { fields: {} });
  if (requesterId === context.actor.personId) return true;
  if (operation === undefined || !context.rights.has(operation.right)) return false;
  const directory = withoutSuggestions(context.directory);
  const resolved = await resolveInput(operation, input, { ...context, directory });
  // What is out of a trainer's sight looks like what is gone, or too new for the lists.
  return resolved.kind === 'read'
    ? mayDecide(operation, resolved.input, context.rights)
    : context.rights.has('administrator');
}
