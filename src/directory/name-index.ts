/** What a typed name stands for. `several` gives the best of `count`. */
export type Match<Item> =
  | { kind: 'one'; item: Item }
  | { kind: 'several'; items: Item[]; count: number }
  | { kind: 'none'; nearest: Item[] };

export interface NameIndex<Item> {
  search(text: string, options: { limit: number; accepts?: (item: Item) => boolean }): Item[];
  match(text: string, options?: { accepts?: (item: Item) => boolean }): Match<Item>;
  byId(id: string): Item | undefined;
  named(name: string): readonly Item[];
}

export function createNameIndex<Item>(
  items: readonly Item[],
  keys: { id: (item: Item) => string; names: (item: Item) => readonly string[] },
): NameIndex<Item> {
  const entries = items.map((item) => ({ item, id: keys.id(item), names: keys.names(item).map(plainName) }));
  const find = (text: string, accepts: (item: Item) => boolean) => {
    const wanted = plainName(text);
    const words = wanted.split(' ');
    const rank = (names: string[]) => (names.some((name) => name.startsWith(wanted)) ? 0 : 1);
    return entries
      .filter(({ item, names }) => accepts(item) && words.every((word) => names.some((name) => name.includes(word))))
      .toSorted((a, b) => rank(a.names) - rank(b.names) || (a.names[0] ?? '').localeCompare(b.names[0] ?? ''))
      .map(({ item }) => item);
  };
  const named = (name: string) => entries.filter(({ names }) => names.includes(plainName(name))).map(({ item }) => item);
  return {
    search: (text, { limit, accepts = () => true }) => find(text, accepts).slice(0, limit),
    match(text, { accepts = () => true } = {}) {
      const byId = entries.find(({ id, item }) => id === text.trim() && accepts(item));
      if (byId) return { kind: 'one', item: byId.item };
      const exact = named(text).filter(accepts);
      const found = exact.length > 0 ? exact : find(text, accepts);
      const [first] = found;
      if (first === undefined) return { kind: 'none', nearest: [] };
      return found.length === 1 ? { kind: 'one', item: first } : { kind: 'several', items: found.slice(0, 25), count: found.length };
    },
    byId: (id) => entries.find((entry) => entry.id === id)?.item,
    named,
  };
}

export function plainName(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}+/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
