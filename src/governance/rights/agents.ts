import type { Value } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';

/** Whether software asks in a person’s name, and what it asks can come from a text that it read. */
export function isByAgent(through: string): boolean {
  return through === 'assistant' || through === 'agent';
}

/** A token reads on for no longer than this after the platform has deactivated its person. */
export const knownToAgentsForMs = 60_000;

/** Whether agents may ask for an operation at all. People alone make and revoke tokens: an agent must not extend its own reach. */
export function isForAgents({ isTyped, forPeopleOnly }: Operation): boolean {
  return isTyped !== false && forPeopleOnly !== true;
}

/**
 * Whether the person has to press a button before an operation runs that an agent asked for: where it cannot be undone, where
 * it gives rights or an address to a user, and where it shows results to everyone in a channel.
 */
export function needsPress(operation: Operation, input: Readonly<Record<string, Value | undefined>>): boolean {
  const { access, fields } = operation;
  if (access === 'destructive' || operation.needsPress?.(input)) return true;
  return access === 'write' && Object.values(fields).some(({ kind }) => kind === 'channel' || kind === 'board');
}
