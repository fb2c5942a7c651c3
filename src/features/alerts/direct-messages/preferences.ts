import type { Keyv } from 'keyv';
import type { Reach } from '../../../operations/services/people.ts';

/** Which people have turned direct messages off. */
export interface MessagePreferences {
  wantsMessages(teamId: string, personId: string): Promise<boolean>;
  turn(teamId: string, personId: string, to: 'on' | 'off'): Promise<void>;
}

/** Says of the people whom messages reach which of them have turned messages off. */
export function reachWith(
  { wantsMessages }: Pick<MessagePreferences, 'wantsMessages'>,
  { reach, teamId }: { reach: Reach; teamId: () => Promise<string> },
): Reach {
  return async (users, options) => {
    const [reached, team] = await Promise.all([reach(users, options), teamId()]);
    const entries = [...reached].map(async ([userId, person]) => {
      const isWanted = await wantsMessages(team, person.personId);
      return [userId, isWanted ? person : { ...person, isTurnedOff: true as const }] as const;
    });
    return new Map(await Promise.all(entries));
  };
}

/** @param store by workspace and person; it holds those who have turned them off */
export function createMessagePreferences(store: Pick<Keyv<'off'>, 'get' | 'set' | 'delete'>): MessagePreferences {
  const keyOf = (teamId: string, personId: string) => `${teamId}:${personId}`;
  return {
    wantsMessages: async (teamId, personId) => (await store.get(keyOf(teamId, personId))) !== 'off',
    async turn(teamId, personId, to) {
      if (to === 'off') await store.set(keyOf(teamId, personId), 'off');
      else await store.delete(keyOf(teamId, personId));
    },
  };
}
