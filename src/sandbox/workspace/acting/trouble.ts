import type { Core } from '../core.ts';
import { notify } from '../messages.ts';
import type { Delivery, Person } from '../model.ts';

/** Tells a person, in Slack's words, that the app could not be reached or made no sense. */
export function reportTrouble(core: Core, person: Person, reasons: readonly string[]): void {
  notify(core.state, person.id, `We had some trouble connecting. Try again? (${reasons.join('; ')})`);
}

export function reportFailure(core: Core, person: Person, delivery: Delivery): Delivery {
  if (delivery.error !== undefined) reportTrouble(core, person, [delivery.error]);
  return delivery;
}
