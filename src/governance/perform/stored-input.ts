import { createHash } from 'node:crypto';
import { named } from '../../domain/sentence.ts';
import type { AnyContext } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { targetsOf, type OperationInput } from './operation-input.ts';
import { resolveInput, withoutSuggestions } from './resolve-input.ts';
import { everything } from '../rights/visibility.ts';
import { say } from '../../domain/said.ts';

/** What an input that was stored by IDs means now. `hidden`: the account has it, and the person may not see it. */
export type StoredInput =
  | { kind: 'read'; input: OperationInput }
  | { kind: 'hidden'; input: OperationInput }
  | { kind: 'gone' }
  /** `message`: a sentence of `domain/sentence.ts`. */
  | { kind: 'invalid'; message: string };

/** Resolves an input that was stored by IDs, as the person may choose it now. */
export async function resolveStored(operation: Operation, input: TextInput, person: AnyContext): Promise<StoredInput> {
  const resolver = { ...person, directory: withoutSuggestions(person.directory) };
  const resolved = await resolveInput(operation, input, resolver);
  if (resolved.kind === 'read') return resolved;
  const hidden = await resolveInput(operation, input, { ...resolver, visibility: everything });
  if (hidden.kind === 'read') return { kind: 'hidden', input: hidden.input };
  return resolved.kind === 'invalid' ? { kind: 'invalid', message: resolved.message } : { kind: 'gone' };
}

/** Why a change of what is hidden or gone is not made. @param name what the person calls it */
export function whyNotFound(
  found: Exclude<StoredInput, { kind: 'read' }>,
  operation: Operation,
  name: string,
  { visibility }: Pick<AnyContext, 'visibility'>,
): string {
  if (found.kind === 'invalid') return found.message;
  if (found.kind === 'gone') return say`${named(name)} is no longer in the quiz account.`;
  const quiz = targetsOf(operation, found.input).find(
    ({ kind, id }) => kind === 'quiz' && !visibility.quiz({ quiz_id: id }),
  );
  return quiz === undefined
    ? say`You don’t manage them.`
    : say`No quiz is called ${named(quiz.name)} that you can see.`;
}

const digestLength = 16;

/**
 * A digest of the users that an operation changes: type, rights, suspension and addresses. An approval is for users as they
 * were shown. It names nobody, so it can be stored.
 */
export function digestOfUsers(operation: Operation, input: OperationInput): string | undefined {
  const users = targetsOf(operation, input).filter(({ kind }) => kind === 'user');
  if (users.length === 0) return undefined;
  const facts = users.map(({ id, facts: { Name: _name, ...others } }) => [id, others]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, digestLength);
}
