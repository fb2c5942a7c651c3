import type { PlannedManagers, PlannedMember } from '../../../domain/campaign-plan.ts';
import type { ManagersOf } from '../../../domain/managers.ts';
import { meansOneOf } from '../../../operations/other-words/meanings.ts';
import type { TextInput } from '../../../operations/text-input.ts';

/** The value of the flag in the input. */
export const toManagers = 'managers';

/** Takes “manager” out of the leads: `escalate 2d to manager, @ada` means each person’s manager, and Ada for those without one. */
export function withManagers({ lead, ...input }: TextInput): TextInput {
  const others = lead?.filter((text) => !isManagers(text)) ?? [];
  if (lead === undefined || others.length === lead.length) return { ...input, ...(lead && { lead }) };
  return { ...input, managers: [toManagers], ...(others.length > 0 && { lead: others }) };
}

function isManagers(text: string): boolean {
  if (meansOneOf(text, ['manager'])) return true;
  return /^(?:(?:the|their|his|her|each|every|everyone[’']s|each person[’']s|line) +)*managers?$/i.test(text.trim());
}

/** How many of these people have a manager on the platform. */
export async function countManaged(
  members: readonly Pick<PlannedMember, 'personId'>[],
  managersOf: ManagersOf,
): Promise<PlannedManagers> {
  const personIds = members.flatMap(({ personId }) => personId ?? []);
  const { managers, problem } = await managersOf(personIds);
  const known = personIds.filter((personId) => managers.has(personId));
  const managed = known.filter((personId) => managers.get(personId) !== null).length;
  return {
    managed,
    unmanaged: members.length - personIds.length + known.length - managed,
    unknown: personIds.length - known.length,
    ...(problem && { problem }),
  };
}
