import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Match, NameAccess, NameIndex } from '../name-index.ts';
import type { ItemChange, NamedList } from '../named-list.ts';

/** Which items of a list belong to a bot, and how they are shown. */
export interface ListBounds<Item> {
  belongs: (item: Item) => boolean;
  shown: (item: Item) => Item;
  /** All of a list that belongs to the bot, where that is known without looking at each item: the same array each time. */
  all?: (items: readonly Item[]) => readonly Item[] | undefined;
}

/**
 * The part of a list that belongs to a bot for some groups. There is one list and one index of the account, for all bots: this
 * is a view of them, and changes go to the list itself.
 *
 * @param deps.bounds the bounds by the account as it is known
 * @param deps.boundsAtHand the same without waiting; undefined where they are not known yet
 * @param deps.isNew whether the bot has just made an item that the list lacks
 */
export function boundList<Item extends object>(
  list: NamedList<Item>,
  deps: {
    id: (item: Item) => string;
    bounds: (items: readonly Item[], call: CallOptions | undefined) => Promise<ListBounds<Item>>;
    boundsAtHand: () => ListBounds<Item> | undefined;
    isNew: (id: string) => boolean;
    /** Finds out what the bounds do not know yet of items, where a person waits for a list of now. */
    complete?: (items: readonly Item[], call: CallOptions | undefined) => Promise<void>;
  },
): NamedList<Item> {
  let last: { items: readonly Item[]; shown: readonly Item[] } | undefined;

  /** The same array while nothing has changed: readers tell by it whether a list is another one. */
  async function shownOf(items: readonly Item[], call: CallOptions | undefined): Promise<readonly Item[]> {
    const { belongs, shown, all } = await deps.bounds(items, call);
    const known = all?.(items);
    if (known !== undefined) return known;
    const next = items.filter(belongs).map(shown);
    const isSame =
      last !== undefined &&
      last.items === items &&
      last.shown.length === next.length &&
      last.shown.every((item, at) => item === next[at]);
    last = { items, shown: isSame ? last!.shown : next };
    return last.shown;
  }

  async function boundIndex(index: NameIndex<Item>, call: CallOptions | undefined): Promise<NameIndex<Item>> {
    return withBounds(index, await deps.bounds(await list.get(call), call));
  }

  function shownChange({ before, after }: ItemChange<Item>, { belongs, shown }: ListBounds<Item>): ItemChange<Item>[] {
    const [was, is] = [before, after].map((item) => (item && belongs(item) ? shown(item) : undefined));
    return was === undefined && is === undefined ? [] : [{ before: was, after: is }];
  }

  return {
    get: async (call) => shownOf(await list.get(call), call),
    async fresh(call, maxAgeMs) {
      const items = await list.fresh(call, maxAgeMs);
      await deps.complete?.(items, call);
      return shownOf(items, call);
    },
    refresh: async (call) => shownOf(await list.refresh(call), call),
    names: async (call) => boundIndex(await list.names(call), call),
    namesAtHand: async (call) => boundIndex(await list.namesAtHand(call), call),
    async recentNames(call) {
      const { names, readAt } = await list.recentNames(call);
      await deps.complete?.(await list.get(call), call);
      return { names: await boundIndex(names, call), readAt };
    },
    put(item) {
      // What was read is in the list already, with what is not shown of it.
      if (deps.isNew(deps.id(item))) list.put(item);
    },
    edit: list.edit,
    remove: list.remove,
    onRemoved: list.onRemoved,
    onChanged: (listener) =>
      list.onChanged((changes) => {
        const bounds = deps.boundsAtHand();
        const shown = bounds === undefined ? [] : changes.flatMap((change) => shownChange(change, bounds));
        if (shown.length > 0) listener(shown);
      }),
    // The client of the bot has put what it read into the list itself.
    read: async (_id, load) => load(),
    isOld: list.isOld,
  };
}

function withBounds<Item>(index: NameIndex<Item>, { belongs, shown }: ListBounds<Item>): NameIndex<Item> {
  const within =
    (accepts: (item: Item) => NameAccess = () => true) =>
    (item: Item): NameAccess =>
      belongs(item) && accepts(shown(item));
  const shownMatch = (match: Match<Item>): Match<Item> => {
    if (match.kind === 'one') return { ...match, item: shown(match.item) };
    if (match.kind === 'several') return { ...match, items: match.items.map(shown) };
    return { ...match, nearest: match.nearest.map(shown) };
  };
  return {
    search: (text, { limit, accepts }) => index.search(text, { limit, accepts: within(accepts) }).map(shown),
    count: (text, { accepts } = {}) => index.count(text, { accepts: within(accepts) }),
    match: (text, { accepts, ...options } = {}) =>
      shownMatch(index.match(text, { ...options, accepts: within(accepts) })),
    byId(id) {
      const item = index.byId(id);
      return item !== undefined && belongs(item) ? shown(item) : undefined;
    },
    named: (name) => index.named(name).filter(belongs).map(shown),
    put: index.put,
    remove: index.remove,
  };
}
