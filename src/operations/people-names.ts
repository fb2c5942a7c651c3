import { publicName } from '../directory/names.ts';
import { nameOrId } from '../domain/name-or-id.ts';
import type { OperationContext } from './context.ts';

/** The names of people of the platform, by their IDs: those of their users, where they have one. */
export async function namesOfPeople(
  { identity, call }: Pick<OperationContext, 'identity' | 'call'>,
  personIds: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(personIds)].map(async (id) => {
    const { user, name } = await identity.actorOf(id, { fresh: false, isListed: true, call });
    return [id, user ? publicName(user) : nameOrId('person', name ?? '')] as const;
  });
  return new Map(await Promise.all(names));
}
