import { publicName } from '../../directory/names.ts';
import type { User } from '../../quiz-api/users.ts';
import { splitPeople } from '../typed-text.ts';
import { valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { acceptedBy, userKind, userTarget, resolveUser } from './user.ts';

/** Any number of users; `byName` as in `UserField`. */
export interface UsersField extends FieldBase {
  kind: 'users';
  byName?: true;
}

export const usersKind: FieldKind<UsersField, User[]> = {
  followsFromPlace: false,
  canName: (rights, field) => userKind.canName(rights, { ...field, kind: 'user' }),
  split: splitPeople,
  async resolve(typed, field, resolver) {
    const users = new Map<string, User>();
    for (const [index, text] of typed.entries()) {
      const resolved = await resolveUser(text, resolver, acceptedBy(field, resolver.visibility), index);
      if (resolved.kind !== 'value') return resolved;
      users.set(resolved.value.user_id, resolved.value);
    }
    return valueOf([...users.values()]);
  },
  identify: (users) => users.map(({ user_id }) => user_id),
  describe: (users) => new Intl.ListFormat('en').format(users.map(publicName)),
  targets: (users) => users.map(userTarget),
  /** One user costs a request, and so do several. The value is gone where one of them is. */
  async refetch([first, ...others], context) {
    if (first === undefined) return [];
    if (others.length === 0) {
      const user = await userKind.refetch(first, context);
      return user && [user];
    }
    await context.directory.users.refresh(context.call);
    const names = await context.directory.users.names(context.call);
    const users = [first, ...others].map(({ user_id }) => names.byId(user_id));
    return users.every((user) => user !== undefined) ? users : undefined;
  },
  async narrow(text, field, options) {
    return (await userKind.narrow(text, { ...field, kind: 'user' }, options)).map((user) => [user]);
  },
};
