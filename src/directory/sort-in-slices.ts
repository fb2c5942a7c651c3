/**
 * Sorts like `toSorted`, in slices: a merge sort that yields after every `itemsInSlice` items that it sorts or merges.
 *
 * @returns the sorted items, when the slices have been consumed
 */
export function* sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  itemsInSlice: number,
): Generator<void, Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += itemsInSlice) {
    runs.push(items.slice(start, start + itemsInSlice).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2) merged.push(yield* merge(runs[index]!, runs[index + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];

  function* merge(first: readonly Item[], second: readonly Item[]): Generator<void, Item[]> {
    const both: Item[] = [];
    let [at, other] = [0, 0];
    while (at < first.length || other < second.length) {
      const isFirst = other === second.length || (at < first.length && compare(first[at]!, second[other]!) <= 0);
      both.push(isFirst ? first[at++]! : second[other++]!);
      if (both.length % itemsInSlice === 0) yield;
    }
    return both;
  }
}
