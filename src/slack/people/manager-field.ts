import type { TeamProfileGetResponse } from '@slack/web-api';
import type { NoManagers } from '../../domain/managers.ts';

type ProfileField = NonNullable<NonNullable<TeamProfileGetResponse['profile']>['fields']>[number];

const usualLabel = 'manager';

/**
 * Chooses the field of profiles that names a person’s manager. Unless it is configured, only a field counts that people cannot
 * edit themselves. https://docs.slack.dev/reference/methods/team.profile.get
 *
 * @param configured its label, or its ID (`Xf…`); undefined: the field “Manager”
 */
export function managerFieldIn(
  fields: readonly ProfileField[],
  configured: string | undefined,
): { id: string; label: string } | { problem: NoManagers } {
  const known = fields.flatMap((field) => (field.id === undefined ? [] : [{ ...field, id: field.id }]));
  const named = known.filter(({ id, label }) => id === configured || isSame(label, configured ?? usualLabel));
  // The other direction of such a field holds whom a person manages.
  const ofPeople = named.filter(({ type, is_inverse: isInverse }) => type === 'user' && !isInverse);
  const [chosen] =
    configured === undefined ? ofPeople.filter((field) => !field.is_hidden && isLocked(field)) : ofPeople;
  if (chosen !== undefined) return { id: chosen.id, label: chosen.label ?? chosen.id };
  if (configured !== undefined) return { problem: named.length > 0 ? 'not_people' : 'unknown_field' };
  return { problem: ofPeople.some((field) => !isLocked(field)) ? 'editable' : 'no_field' };
}

function isSame(label: string | undefined, wanted: string): boolean {
  return label?.trim().toLowerCase() === wanted.trim().toLowerCase();
}

/** Slack also sends 1 for true, and null for no options. A field that the company’s directory fills is changed there. */
function isLocked({ options, permissions }: ProfileField): boolean {
  return Boolean(options?.is_protected || options?.is_scim) && !permissions?.ui;
}
