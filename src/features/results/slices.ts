import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work on this many responses takes a few milliseconds. */
const itemsInSlice = 1_000;

/** The items in slices, between which other work has a turn: a quiz may have 50,000 responses. */
export async function* slicesOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[], void> {
  for (let start = 0; start < items.length; start += itemsInSlice) {
    if (start > 0) await nextTurn();
    yield items.slice(start, start + itemsInSlice);
  }
}

/** Like `filter`, in slices. */
export async function filterInSlices<Item>(items: readonly Item[], fits: (item: Item) => boolean): Promise<Item[]> {
  const found: Item[] = [];
  for await (const slice of slicesOf(items)) found.push(...slice.filter(fits));
  return found;
}
