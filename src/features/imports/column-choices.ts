import type { Keyv } from 'keyv';
import type { ColumnChoices } from '../../operations/services/files.ts';

/** Files of the same tool come again with the next season. */
const keptForMs = 400 * 24 * 60 * 60_000;

/** Remembers for each workspace what people said that the columns of files hold, by a digest of their titles. */
export function createColumnChoices(store: Pick<Keyv<string[]>, 'get' | 'set'>): (teamId: string) => ColumnChoices {
  return (teamId) => ({
    of: (digest) => store.get(`${teamId}:${digest}`),
    async keep(digest, choices) {
      await store.set(`${teamId}:${digest}`, [...choices], keptForMs);
    },
  });
}
