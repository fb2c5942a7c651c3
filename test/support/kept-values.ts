import type { Keyv } from 'keyv';

/** Keyed values that are in a map. */
export function storeOf(values: Map<string, string>): Pick<Keyv<string>, 'get' | 'set' | 'delete'> {
  return {
    get: (async (key: string) => values.get(key)) as Keyv<string>['get'],
    set: async (key, value) => {
      values.set(key, String(value));
      return true;
    },
    delete: async (key) =>
      [key]
        .flat()
        .map((one) => values.delete(one))
        .includes(true),
  };
}
