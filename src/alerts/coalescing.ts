/** Does something for any number of calls: while it is under way, all that come are answered by once more. */
export function createCoalescing(act: () => Promise<void>): () => void {
  let isUnderWay = false;
  let isWanted = false;

  async function keepUp(): Promise<void> {
    isUnderWay = true;
    while (isWanted) {
      isWanted = false;
      await act();
    }
    isUnderWay = false;
  }

  return () => {
    isWanted = true;
    if (!isUnderWay) void keepUp();
  };
}
