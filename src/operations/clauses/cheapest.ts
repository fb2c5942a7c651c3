/** Picks from each list, the combinations first whose picks are nearest to the beginnings of the lists. */
export function cheapest<Item>(lists: readonly (readonly Item[])[], most: number): Item[][] {
  const combinations: Item[][] = [];
  const total = lists.reduce((sum, { length }) => sum + length - 1, 0);
  for (let cost = 0; cost <= total && combinations.length < most; cost += 1)
    combinations.push(...ofCost(lists, cost).slice(0, most - combinations.length));
  return combinations;
}

function ofCost<Item>([list, ...others]: readonly (readonly Item[])[], cost: number): Item[][] {
  if (list === undefined) return cost === 0 ? [[]] : [];
  return list
    .slice(0, cost + 1)
    .flatMap((item, index) => ofCost(others, cost - index).map((rest) => [item, ...rest]))
    .toReversed();
}
