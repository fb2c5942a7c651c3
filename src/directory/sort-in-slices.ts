/** With more of them, ranges are more alike in length, and sorting the samples takes longer. */
const samplesPerRange = 8;

/**
 * Sorts like `toSorted`, in slices: a sample sort, which compares half as long as a merge sort does. It distributes the items over
 * ranges between some of them, and sorts each range. It yields after every `itemsInSlice` items that it distributes, and after each
 * range. A range is about half as long as a slice, so that few ranges are too long for one.
 *
 * @returns the sorted items, when the slices have been consumed
 */
export function* sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  itemsInSlice: number,
): Generator<void, Item[]> {
  if (items.length <= itemsInSlice) return items.toSorted(compare);
  const samples = every(Math.max(2, Math.floor(itemsInSlice / 2 / samplesPerRange)), items);
  const bounds = every(samplesPerRange, yield* sortInSlices(samples, compare, itemsInSlice));
  const ranges = Array.from({ length: bounds.length + 1 }, (): Item[] => []);
  for (let start = 0; start < items.length; start += itemsInSlice) {
    distribute(items.slice(start, start + itemsInSlice));
    yield;
  }
  for (const [number, range] of ranges.entries()) {
    // Equal items share a range, however many they are.
    const isPart = range.length < items.length;
    ranges[number] = isPart ? yield* sortInSlices(range, compare, itemsInSlice) : range.toSorted(compare);
    yield;
  }
  return ranges.flat();

  /** Puts each item into the range that ends with the first bound that is not below it. */
  function distribute(slice: readonly Item[]): void {
    for (const item of slice) {
      let [from, to] = [0, bounds.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (compare(bounds[middle]!, item) < 0) from = middle + 1;
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
