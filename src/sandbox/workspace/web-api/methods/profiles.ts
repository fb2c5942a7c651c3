import type { ProfileField } from '../../model.ts';
import { ApiError, type Method } from '../method.ts';

const scopes = ['users.profile:read'];

/** A field of all profiles. Fields without options have `null` in Slack's examples. */
function fieldPayload({ id, label, type, isProtected, isScim, isHidden }: ProfileField, ordering: number) {
  const options = {
    ...(isProtected !== undefined && { is_protected: isProtected }),
    ...(isScim !== undefined && { is_scim: isScim }),
  };
  return {
    id,
    ordering,
    label,
    hint: '',
    type,
    possible_values: null,
    options: Object.keys(options).length === 0 ? null : options,
    is_hidden: isHidden === true,
  };
}

export const profiles: Record<string, Method> = {
  // Slack limits calls with `include_labels` far more, and says not by how much: they have no labels here.
  'users.profile.get': {
    tier: 4,
    scopes,
    run(core, args) {
      const person = core.state.people.get(args.required('user'));
      if (person === undefined) throw new ApiError('user_not_found');
      const fields = Object.entries(person.fields ?? {}).filter(([id]) => core.state.profileFields.has(id));
      return {
        profile: {
          title: person.title,
          real_name: person.realName,
          display_name: person.name,
          // Nobody's fields are an empty list, as PHP writes an empty object.
          fields: fields.length === 0 ? [] : Object.fromEntries(fields.map(([id, value]) => [id, { value, alt: '' }])),
        },
      };
    },
  },
  'team.profile.get': {
    tier: 3,
    isPerWorkspace: true,
    scopes,
    run: (core) => ({ profile: { fields: [...core.state.profileFields.values()].map(fieldPayload), sections: [] } }),
  },
};
