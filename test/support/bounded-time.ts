const parts = 100;

/**
 * How many times as much a long text costs as a hundred parts of it, in time of the processor: about once where the work grows with
 * the length, and a hundred times where it grows with its square.
 */
export function growthOf(work: (length: number) => void, length: number): number {
  const inParts = cpuMs(() => {
    for (let part = 0; part < parts; part += 1) work(length / parts);
  });
  return cpuMs(() => work(length)) / Math.max(1, inParts);
}

function cpuMs(work: () => void): number {
  const begin = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begin);
  return (user + system) / 1_000;
}
