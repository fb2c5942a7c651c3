import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallOptions } from '../quiz-api/transport.ts';
import { buildNameIndex, createNameIndex, type NameIndex } from './name-index.ts';
import { isObject } from '../quiz-api/fields.ts';

/** A cached list whose items are found by name, for typed text and for pickers. */
export type NamedList<Item extends object> = ReturnType<typeof createNamedList<Item>>;

/** `before`: undefined for a new item; `after`: for one that is gone. */
interface ItemChange<Item> {
  before: Item | undefined;
  after: Item | undefined;
}

/** Reads the list of the service. @param known returns the item that is at hand already, if it is equal */
type Load<Item> = (call: CallOptions | undefined, known: (item: Item) => Item | undefined) => Promise<readonly Item[]>;

/** A longer list is indexed in slices of a few milliseconds, and lists of it are not read from the service each time. */
const longFrom = 2_000;
const recentMs = 60_000;
/** With more changes than this, a new index takes less time than changing the old one. */
const changesAtMost = 1_000;
/** What is changed in an index comes last among its equals. After this time, the items are put in order again. */
const orderedEveryMs = 15 * 60_000;
const comparedInSlice = 10_000;
const readsAtMost = 3;

/** An index, and the items that are in it. */
interface Indexed<Item extends object> {
  items: readonly Item[];
  index: NameIndex<Item>;
}

/**
 * Keeps a list and its index. When the list is read again, equal items stay the same objects, so memory holds them once, and
 * the index changes only where the list did.
 */
export function createNamedList<Item extends object>(options: {
  load: Load<Item>;
  /** `get` reloads a list older than this in the background. */
  agesAfterMs: number;
  /** The same for calls with background priority. */
  agesInBackgroundAfterMs?: number;
  id: (item: Item) => string;
  names: (item: Item) => readonly string[];
  privateNames?: (item: Item) => readonly string[];
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}) {
  const { id: idOf, now, onBackgroundError } = options;
  let indexed: Indexed<Item> | undefined;
  let building: Promise<void> | undefined;
  let orderedAt = -Infinity;
  let isInOrder = true;
  /** For each item that is being read: the items that we have changed since. */
  const changedDuringReads = new Set<Set<string>>();
  /** When items were read by themselves since the list was. */
  const readAt = new Map<string, number>();

  function known(item: Item): Item | undefined {
    const own = indexed?.index.byId(idOf(item));
    return own !== undefined && isSameRecord(own, item) ? own : undefined;
  }

  const list = createCachedList<Item>({
    ...options,
    async load(call) {
      const loaded = await options.load(call, known);
      readAt.clear();
      await tellOfReread(loaded);
      return loaded;
    },
  });
  const changedListeners = new Set<(changes: readonly ItemChange<Item>[]) => void>();

  function tell(changes: readonly ItemChange<Item>[]): void {
    if (changes.length > 0) for (const listener of changedListeners) listener(changes);
  }

  /** What is first read has not changed. */
  async function tellOfReread(loaded: readonly Item[]): Promise<void> {
    const items = list.known();
    if (items === undefined || changedListeners.size === 0) return;
    const gone = new Map<string, Item>();
    for await (const slice of inSlices(items)) for (const item of slice) gone.set(idOf(item), item);
    const changed: ItemChange<Item>[] = [];
    for await (const slice of inSlices(loaded))
      for (const after of slice) {
        const before = gone.get(idOf(after));
        gone.delete(idOf(after));
        if (before !== after) changed.push({ before, after });
      }
    tell([...changed, ...[...gone.values()].map((item) => ({ before: item, after: undefined }))]);
  }

  function itemNow(id: string): Item | undefined {
    return list.known()?.find((item) => idOf(item) === id);
  }

  async function indexOf(items: readonly Item[]): Promise<NameIndex<Item>> {
    return items.length <= longFrom
      ? createNameIndex(items, { ...options, id: idOf })
      : buildNameIndex(items, { ...options, id: idOf }, () => nextTurn());
  }

  async function build(items: readonly Item[]): Promise<void> {
    const changes = indexed && items.length > longFrom ? await changesTo(indexed, items) : undefined;
    if (!indexed || !changes) {
      indexed = { items, index: await indexOf(items) };
      orderedAt = now();
      isInOrder = true;
      return;
    }
    for (const id of changes.removed) indexed.index.remove(id);
    for (const item of changes.put) indexed.index.put(item);
    indexed.items = items;
    isInOrder &&= changes.put.length === 0;
    if (!isInOrder && now() - orderedAt >= orderedEveryMs) order(indexed).catch(onBackgroundError);
  }

  /** Replaces an index whose items are not in order. A change meanwhile leaves that to a later call. */
  async function order({ items }: Indexed<Item>): Promise<void> {
    orderedAt = now();
    const index = await indexOf(items);
    if (indexed?.items !== items) return;
    indexed.index = index;
    isInOrder = true;
  }

  /** What distinguishes a list from the one in the index; undefined for too many changes. */
  async function changesTo(
    { items: before, index }: Indexed<Item>,
    items: readonly Item[],
  ): Promise<{ put: Item[]; removed: string[] } | undefined> {
    const put: Item[] = [];
    const ids = new Set<string>();
    for await (const slice of inSlices(items))
      for (const item of slice) {
        ids.add(idOf(item));
        if (index.byId(idOf(item)) !== item) put.push(item);
        if (put.length > changesAtMost) return undefined;
      }
    const removed: string[] = [];
    for await (const slice of inSlices(before))
      for (const item of slice) if (!ids.has(idOf(item))) removed.push(idOf(item));
    return put.length + removed.length > changesAtMost ? undefined : { put, removed };
  }

  /** The index of the current list. Repeats if the list changes while it is indexed. */
  async function names(call?: CallOptions): Promise<NameIndex<Item>> {
    const items = await list.get(call);
    if (indexed?.items === items) return indexed.index;
    building ??= build(items).finally(() => (building = undefined));
    await building;
    return names(call);
  }

  /** For pickers, which must not wait: gives the previous index while a new one is built for a long list. */
  async function namesAtHand(call?: CallOptions): Promise<NameIndex<Item>> {
    const current = names(call);
    if (!indexed) return current;
    current.catch(() => {});
    return indexed.index;
  }

  function change(
    edit: (items: readonly Item[]) => readonly Item[],
    editIndex: (index: NameIndex<Item>) => void,
  ): void {
    const isCurrent = indexed?.items === list.known();
    list.change(edit);
    if (!indexed) return;
    editIndex(indexed.index);
    indexed.items = (isCurrent ? list.known() : undefined) ?? edit(indexed.items);
  }

  const removedListeners = new Set<(id: string) => void>();

  function show(item: Item): void {
    const id = idOf(item);
    if (changedListeners.size > 0 && list.known() !== undefined) tell([{ before: itemNow(id), after: item }]);
    isInOrder = false;
    change(
      (items) => [...items.filter((other) => idOf(other) !== id), item],
      (index) => index.put(item),
    );
  }

  function hide(id: string): void {
    const before = changedListeners.size > 0 ? itemNow(id) : undefined;
    if (before !== undefined) tell([{ before, after: undefined }]);
    change(
      (items) => items.filter((other) => idOf(other) !== id),
      (index) => index.remove(id),
    );
  }

  function noteWrite(id: string): void {
    for (const changed of changedDuringReads) changed.add(id);
  }

  /**
   * Shows an item that is read by itself. Where we change it meanwhile, nobody can tell whether the answer is from before, and
   * it is read again.
   *
   * @param load gives undefined for an item that is gone
   */
  async function read<Read extends Item | undefined>(
    id: string,
    load: () => Promise<Read>,
    readsLeft = readsAtMost,
  ): Promise<Read> {
    const changed = new Set<string>();
    changedDuringReads.add(changed);
    const item = await load().finally(() => changedDuringReads.delete(changed));
    if (changed.has(id) && readsLeft > 1) return read(id, load, readsLeft - 1);
    readAt.set(id, now());
    if (item === undefined) hide(id);
    else show(item);
    return item;
  }

  return {
    get: list.get,
    fresh: list.fresh,
    refresh: list.refresh,
    names,
    namesAtHand,
    /**
     * For lists that people read. A short list is the service’s, at most 5 seconds old. A long list is the one at hand, which
     * is read again in the background if it is more than a minute old.
     *
     * @returns the index, and when the service gave a list that is more than a minute old, in milliseconds since the epoch
     */
    async recentNames(call?: CallOptions) {
      if ((list.known()?.length ?? 0) <= longFrom) {
        await list.fresh(call);
        return { names: await names(call), readAt: undefined };
      }
      const isOld = now() - list.readAt() > recentMs;
      if (isOld) list.refresh({ priority: 'background' }).catch(onBackgroundError);
      return { names: await namesAtHand(call), readAt: isOld ? list.readAt() : undefined };
    },
    /** Shows at once what we made. */
    put(item: Item): void {
      noteWrite(idOf(item));
      show(item);
    },
    /** Shows our own write at once, in the item as it is known now. */
    edit(id: string, edit: (item: Item) => Item): void {
      noteWrite(id);
      isInOrder = false;
      const edited = new Map<Item, Item>();
      const once = (item: Item) => edited.get(item) ?? edited.set(item, edit(item)).get(item)!;
      change(
        (items) => {
          const found = items.find((item) => idOf(item) === id);
          if (found) tell([{ before: found, after: once(found) }]);
          return found ? [...items.filter((item) => item !== found), once(found)] : items;
        },
        (index) => {
          const found = index.byId(id);
          if (found) index.put(once(found));
        },
      );
    },
    remove(item: Item): void {
      noteWrite(idOf(item));
      hide(idOf(item));
      for (const listener of removedListeners) listener(idOf(item));
    },
    /** Calls back with what distinguishes the list from what it was before: read anew, or changed by us. Equal items can be among it. @returns a function that ends it */
    onChanged(listener: (changes: readonly ItemChange<Item>[]) => void): () => void {
      changedListeners.add(listener);
      return () => void changedListeners.delete(listener);
    },
    /** Calls back with the ID of an item that we remove. @returns a function that ends it */
    onRemoved(listener: (id: string) => void): () => void {
      removedListeners.add(listener);
      return () => void removedListeners.delete(listener);
    },
    read,
    /** Whether the service told of the item, in the list or by itself, so long ago that a list of that age is read again. */
    isOld: (id: string) => now() - Math.max(list.readAt(), readAt.get(id) ?? -Infinity) > options.agesAfterMs,
  };
}

/** Other work goes on in between. */
async function* inSlices<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[], void> {
  for (let from = 0; from < items.length; from += comparedInSlice) {
    if (from > 0) await nextTurn();
    yield items.slice(from, from + comparedInSlice);
  }
}

/**
 * Whether two records are equal: texts, numbers, flags and dates, and arrays and objects of them. Node's
 * `isDeepStrictEqual` takes several times as long, which shows with 100,000 users.
 */
export function isSameRecord(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameRecord(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameRecord(a[name], b[name]))
  );
}

const freshMs = 5_000;

/** A list of the quiz service, cached. */
export function createCachedList<Item>(options: {
  load: (call?: CallOptions) => Promise<readonly Item[]>;
  /** `get` reloads a list older than this in the background. */
  agesAfterMs: number;
  /** The same for calls with background priority: a campaign would otherwise read the list all the time. Default: `agesAfterMs`. */
  agesInBackgroundAfterMs?: number;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}) {
  let items: readonly Item[] | undefined;
  let loadedAt = -Infinity;
  let flight: Promise<readonly Item[]> | undefined;
  let editsInFlight: ((items: readonly Item[]) => readonly Item[])[] = [];

  async function load(call?: CallOptions): Promise<readonly Item[]> {
    editsInFlight = [];
    try {
      const loaded = await options.load(call);
      // The service may have made this list before it took our writes.
      items = editsInFlight.reduce((list, edit) => edit(list), loaded);
      loadedAt = options.now();
      return items;
    } finally {
      flight = undefined;
    }
  }

  /** Loads the list. Concurrent callers share one request. */
  function refresh(call?: CallOptions): Promise<readonly Item[]> {
    flight ??= load(call);
    return flight;
  }

  return {
    /** The cached list, however old; undefined before the first load. Never waits. */
    known: () => items,
    /** When the list was read last, in milliseconds since the epoch; -Infinity before the first load. */
    readAt: () => loadedAt,
    refresh,
    /** The list of the service, at most `maxAgeMs` old: 5 seconds unless given. */
    async fresh(call?: CallOptions, maxAgeMs = freshMs): Promise<readonly Item[]> {
      return items !== undefined && options.now() - loadedAt <= maxAgeMs ? items : refresh(call);
    },
    /** The cached list. Waits for the first load; reloads an old list in the background. */
    async get(call?: CallOptions): Promise<readonly Item[]> {
      if (items === undefined) return refresh(call);
      const { agesAfterMs, agesInBackgroundAfterMs = agesAfterMs } = options;
      const isOld =
        options.now() - loadedAt > (call?.priority === 'background' ? agesInBackgroundAfterMs : agesAfterMs);
      if (isOld) refresh({ priority: 'background' }).catch(options.onBackgroundError);
      return items;
    },
    /** Shows our own write at once. */
    change(edit: (items: readonly Item[]) => readonly Item[]): void {
      if (flight) editsInFlight.push(edit);
      items = items && edit(items);
    },
  };
}
