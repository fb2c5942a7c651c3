import { knownTimeZone } from '../../time/wall-clock.ts';
import type { OperationContext } from '../context.ts';

/** The zone in which a person’s “tomorrow” begins: theirs on the platform, or the configured one. */
export function zoneOf({ actor, timeZone }: Pick<OperationContext, 'actor' | 'timeZone'>): string {
  return knownTimeZone(actor.timeZone) ?? timeZone;
}
