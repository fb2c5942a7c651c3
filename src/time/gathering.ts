interface Gathered<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers the items of one turn of the event loop, and acts on them together: a command costs the bot and Redis little more for
 * twenty items than for one.
 *
 * @param atMost how many items share a call of `act`
 * @param act gives an answer for each item, in their order; where it fails, it fails for all of them
 */
export function createGathering<Item, Answer>(
  atMost: number,
  act: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let gathered: Gathered<Item, Answer>[] = [];

  async function actOn(some: readonly Gathered<Item, Answer>[]): Promise<void> {
    try {
      const answers = await act(some.map(({ item }) => item));
      for (const [n, { resolve }] of some.entries()) resolve(answers[n]!);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  function actOnAll(): void {
    const all = gathered;
    gathered = [];
    for (let first = 0; first < all.length; first += atMost) void actOn(all.slice(first, first + atMost));
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (gathered.push({ item, resolve, reject }) === 1) setImmediate(actOnAll);
    });
}
