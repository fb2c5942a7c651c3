import { plainName, hasWordThatBegins } from './names.ts';
import { nearestNames } from './nearest-names.ts';

/**
 * Whether a search may find an item, and by which of its names. Somebody who may not read a name must not find its item by
 * it either: otherwise, searching would tell whose name it is.
 */
export type NameAccess = boolean | 'public names';

type Accepts<Item> = (item: Item) => NameAccess;

/** An index of items by the names that people type. */
export type NameIndex<Item extends object> = ReturnType<typeof startNameIndex<Item>>['index'];

export type Match<Item> =
  | { kind: 'one'; item: Item }
  /** The best 25 of `count`. */
  | { kind: 'several'; items: Item[]; count: number }
  /** Up to three items with similar names. */
  | { kind: 'none'; nearest: Item[] };

const offeredAtMost = 25;
const itemsInSlice = 1_000;
const any = () => true;

interface Keys<Item> {
  id: (item: Item) => string;
  /** The public names. */
  names: (item: Item) => readonly string[];
  /** Names that only some people may read. */
  privateNames?: (item: Item) => readonly string[];
}

/** Takes 3 to 5 µs per item. For many items, `buildNameIndex` leaves time for other work. */
export function createNameIndex<Item extends object>(items: readonly Item[], keys: Keys<Item>): NameIndex<Item> {
  const { index, slices } = startNameIndex(items, keys);
  slices.forEach(() => {});
  return index;
}

/** Builds the index in slices of a few milliseconds, with a `pause` after each. */
export async function buildNameIndex<Item extends object>(
  items: readonly Item[],
  keys: Keys<Item>,
  pause: () => Promise<void>,
): Promise<NameIndex<Item>> {
  const { index, slices } = startNameIndex(items, keys);
  for (const _ of slices) await pause();
  return index;
}

/** An index that is complete when its slices have been consumed. */
function startNameIndex<Item extends object>(items: readonly Item[], keys: Keys<Item>) {
  const placed: (Item | undefined)[] = [];
  /** The plain names of each item, every name between line ends, the public names first. */
  const names: string[] = [];
  /** How much of an item's names is public. */
  const publicLengths: number[] = [];
  const places = new Map<string, number>();
  /** The places by plain name, also of items that were removed meanwhile. */
  const placesNamed = new Map<string, number[]>();

  const index = {
    /**
     * Best matches first: exact names, names that begin with the text, names in which every typed word begins a word, names
     * that contain all typed words; each in the order of names. An id finds its item, and empty text finds every item.
     */
    search(text: string, { limit, accepts = any }: { limit: number; accepts?: Accepts<Item> }): Item[] {
      const known = acceptedById(text, accepts);
      const found = new Set(known === undefined ? [] : [known]);
      for (const item of bestFirst(plainName(text), accepts)) {
        if (found.size >= limit) break;
        found.add(item);
      }
      return [...found].slice(0, limit);
    },

    /** How many items `search` would find without a limit. */
    count(text: string, { accepts = any }: { accepts?: Accepts<Item> } = {}): number {
      const words = containsWords(plainName(text));
      const known = acceptedById(text, accepts);
      const isCounted = known === undefined || words(readableNames(places.get(keys.id(known))!, accepts) ?? '');
      return countOf(words, accepts) + Number(!isCounted);
    },

    /**
     * The item with this id, this name or an unambiguous part of its name. Ignores case and accents.
     * @param options.suggests false skips the nearest names, which take most of the time
     */
    match(text: string, options: { accepts?: Accepts<Item>; suggests?: boolean } = {}): Match<Item> {
      const { accepts = any, suggests = true } = options;
      const known = acceptedById(text, accepts);
      if (known !== undefined) return { kind: 'one', item: known };
      const plain = plainName(text);
      if (plain === '') return { kind: 'none', nearest: [] };
      const exact = [...named(plain, accepts)];
      if (exact.length > 0) return oneOrSeveral(exact, exact.length);
      const best = bestFirst(plain, accepts).take(offeredAtMost).toArray();
      if (best.length === 0) return { kind: 'none', nearest: suggests ? nearest(plain, accepts) : [] };
      if (best.length < offeredAtMost) return oneOrSeveral(best, best.length);
      return oneOrSeveral(best, countOf(containsWords(plain), accepts));
    },

    byId,

    /** Every item with exactly this name, public or not. Ignores case but not accents: addresses that differ in an accent belong to two people. */
    named(name: string): readonly Item[] {
      const wanted = name.toLowerCase();
      const isExactly = (item: Item) => allNamesOf(item).some((each) => each.toLowerCase() === wanted);
      return [...named(plainName(name), any)].filter(isExactly);
    },

    /** Shows our own write at once, without a new index. Until the next index, the item comes last among its equals. */
    put(item: Item): void {
      place(item, namesOf(item));
    },

    remove,
  };

  return { index, slices: fill() };

  function* fill(): Generator<void, void> {
    const withNames: { item: Item; itsNames: string }[] = [];
    for (const slice of slicesOf(items)) {
      yield;
      for (const item of slice) withNames.push({ item, itsNames: namesOf(item) });
    }
    const sorted = yield* sortInSlices(withNames, (a, b) => compare(a.itsNames, b.itsNames), itemsInSlice);
    for (const slice of slicesOf(sorted)) {
      yield;
      for (const { item, itsNames } of slice) place(item, itsNames);
    }
  }

  function allNamesOf(item: Item): readonly string[] {
    return keys.privateNames ? [...keys.names(item), ...keys.privateNames(item)] : keys.names(item);
  }

  function namesOf(item: Item): string {
    return inLines(allNamesOf(item));
  }

  function place(item: Item, itsNames: string): void {
    const id = keys.id(item);
    remove(id);
    places.set(id, placed.length);
    placed.push(item);
    names.push(itsNames);
    publicLengths.push(keys.privateNames ? inLines(keys.names(item)).length : itsNames.length);
    for (const name of itsNames.split('\n')) {
      const same = placesNamed.get(name);
      if (same !== undefined) same.push(placed.length - 1);
      else if (name !== '') placesNamed.set(name, [placed.length - 1]);
    }
  }

  function remove(id: string): void {
    const number = places.get(id);
    if (number === undefined) return;
    places.delete(id);
    placed[number] = undefined;
    names[number] = '';
  }

  function byId(id: string): Item | undefined {
    const number = places.get(id);
    return number === undefined ? undefined : placed[number];
  }

  function acceptedById(text: string, accepts: Accepts<Item>): Item | undefined {
    const item = byId(text.trim());
    return item !== undefined && accepts(item) ? item : undefined;
  }

  /** The names by which the item may be found; undefined for none. */
  function readableNames(number: number, accepts: Accepts<Item>): string | undefined {
    const item = placed[number];
    const access = item !== undefined && accepts(item);
    if (access === false) return undefined;
    return access === true ? names[number] : names[number]!.slice(0, publicLengths[number]);
  }

  /** Those of which a name equals `plain`. */
  function named(plain: string, accepts: Accepts<Item>, settled?: Uint8Array<ArrayBuffer>): Generator<Item, void> {
    return fitting(has(`\n${plain}\n`), accepts, settled, placesNamed.get(plain) ?? []);
  }

  /** In the order of names. Skips items that are `settled`: already yielded or refused. */
  function* fitting(
    condition: Condition,
    accepts: Accepts<Item>,
    settled = new Uint8Array(placed.length),
    among: Iterable<number> = placed.keys(),
  ): Generator<Item, void> {
    for (const number of among) {
      if (settled[number]) continue;
      const readable = readableNames(number, accepts);
      if (readable !== undefined && !condition(readable)) continue;
      settled[number] = 1;
      if (readable !== undefined) yield placed[number]!;
    }
  }

  function countOf(condition: Condition, accepts: Accepts<Item>): number {
    let count = 0;
    for (const number of placed.keys()) {
      const readable = readableNames(number, accepts);
      if (readable !== undefined && condition(readable)) count += 1;
    }
    return count;
  }

  function* bestFirst(plain: string, accepts: Accepts<Item>): Generator<Item, void> {
    const settled = new Uint8Array(placed.length);
    yield* named(plain, accepts, settled);
    for (const rank of ranksOf(plain)) yield* fitting(rank, accepts, settled);
  }

  function nearest(plain: string, accepts: Accepts<Item>): Item[] {
    const readable = placed.keys().map((number) => readableNames(number, accepts));
    return nearestNames(plain, [...readable]).map((number) => placed[number]!);
  }
}

function* slicesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += itemsInSlice) yield items.slice(start, start + itemsInSlice);
}

function oneOrSeveral<Item>(bestFound: readonly Item[], count: number): Match<Item> {
  const [first] = bestFound;
  return first !== undefined && count === 1
    ? { kind: 'one', item: first }
    : { kind: 'several', items: bestFound.slice(0, offeredAtMost), count };
}

/** The different plain names, every name between line ends. */
function inLines(names: readonly string[]): string {
  const plain = names.map(plainName);
  return ['', ...plain.filter((name, at) => name !== '' && plain.indexOf(name) === at), ''].join('\n');
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** A condition on the plain names of an item, each of them between line ends. */
type Condition = (names: string) => boolean;

/** The names contain all the words, in any order. */
function containsWords(plain: string): Condition {
  const words = wordsOf(plain);
  return (names) => words.every((word) => names.includes(word));
}

/** Below an equal name, from the best rank to the lowest. Names that fit a rank also fit those after it. */
function ranksOf(plain: string): Condition[] {
  const words = wordsOf(plain);
  return [has(`\n${plain}`), (names) => words.every((word) => hasWordThatBegins(names, word)), containsWords(plain)];
}

const has =
  (part: string): Condition =>
  (names) =>
    names.includes(part);

/** “Almeida, Rosa” is two words, and “Rosa A.” begins two. */
const wordsOf = (plain: string): string[] => [
  ...new Set((plain.match(/[^ ,]+/g) ?? [plain]).map((word) => word.replace(/(?<=.)\.$/, ''))),
];

/** With more of them, ranges are more alike in length, and sorting the samples takes longer. */
const samplesPerRange = 8;

/**
 * Sorts like `toSorted`, in slices: a sample sort, which compares half as long as a merge sort does. It distributes the items over
 * ranges between some of them, and sorts each range. It yields after every `sliceSize` items that it distributes, and after each
 * range. A range is about half as long as a slice, so that few ranges are too long for one.
 *
 * @returns the sorted items, when the slices have been consumed
 */
export function* sortInSlices<Item>(
  items: readonly Item[],
  order: (a: Item, b: Item) => number,
  sliceSize: number,
): Generator<void, Item[]> {
  if (items.length <= sliceSize) return items.toSorted(order);
  const samples = every(Math.max(2, Math.floor(sliceSize / 2 / samplesPerRange)), items);
  const bounds = every(samplesPerRange, yield* sortInSlices(samples, order, sliceSize));
  const ranges = Array.from({ length: bounds.length + 1 }, (): Item[] => []);
  for (let start = 0; start < items.length; start += sliceSize) {
    distribute(items.slice(start, start + sliceSize));
    yield;
  }
  for (const [number, range] of ranges.entries()) {
    // Equal items share a range, however many they are.
    const isPart = range.length < items.length;
    ranges[number] = isPart ? yield* sortInSlices(range, order, sliceSize) : range.toSorted(order);
    yield;
  }
  return ranges.flat();

  /** Puts each item into the range that ends with the first bound that is not below it. */
  function distribute(slice: readonly Item[]): void {
    for (const item of slice) {
      let [from, to] = [0, bounds.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (order(bounds[middle]!, item) < 0) from = middle + 1;
        else to = middle;
      }
      ranges[from]!.push(item);
    }
  }
}

/** Each item whose number, counted from 1, is a multiple of `step`. */
function every<Item>(step: number, items: readonly Item[]): Item[] {
  return items.filter((_, index) => (index + 1) % step === 0);
}
