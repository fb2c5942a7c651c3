export interface Scale {
  min: number;
  max: number;
  ticks: number[];
}

/** A scale with round ticks that covers all values and zero. */
export function niceScale(values: readonly number[], wantedTicks = 4): Scale {
  const low = Math.min(0, ...values);
  const highest = Math.max(0, ...values);
  const high = highest === low ? low + 1 : highest;
  const step = niceStep((high - low) / wantedTicks);
  const min = Math.floor(low / step) * step;
  const max = Math.ceil(high / step) * step;
  const ticks = Array.from({ length: Math.round((max - min) / step) + 1 }, (_one, index) =>
    Number((min + index * step).toPrecision(12)),
  );
  return { min, max, ticks };
}

function niceStep(rough: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / magnitude;
  const nice = [1, 2, 2.5, 5, 10].find((candidate) => candidate >= lead) ?? 10;
  return nice * magnitude;
}
