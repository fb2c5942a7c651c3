import type { Keyv } from 'keyv';

/** Which people have turned direct messages off. */
export interface MessagePreferences {
  wantsMessages(teamId: string, personId: string): Promise<boolean>;
  turn(teamId: string, personId: string, to: 'on' | 'off'): Promise<void>;
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
