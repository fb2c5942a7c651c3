import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { InputResolver } from '../../operations/fields/field-kind.ts';
import { mayDecide } from '../admit.ts';
import { resolveInput, withoutSuggestions } from '../resolve-input.ts';

/**
 * The requests that the person asked or may decide on, by the lists in the directory. The others are none of their business:
 * a request tells who is to be changed, and why.
 */
export async function requestsFor(
  requests: readonly ApprovalRequest[],
  person: InputResolver,
): Promise<ApprovalRequest[]> {
  const resolver = { ...person, directory: withoutSuggestions(person.directory) };
  const isTheirs = await Promise.all(
    requests.map(async (request) => request.requesterId === person.actor.personId || isDecidedBy(request, resolver)),
  );
  return requests.filter((_, index) => isTheirs[index]);
}

async function isDecidedBy({ operation: name, input }: ApprovalRequest, resolver: InputResolver): Promise<boolean> {
  const operation = operationNamed(name);
  if (operation === undefined || !resolver.rights.has(operation.right)) return false;
  const resolved = await resolveInput(operation, input, resolver);
  // What is out of a trainer's sight looks like what is gone, or too new for the lists.
  return resolved.kind === 'read'
    ? mayDecide(operation, resolved.input, resolver.rights)
    : resolver.rights.has('administrator');
}
