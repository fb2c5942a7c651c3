import { onTestFinished } from 'vitest';
import { openHouse, type House, type HouseOptions } from './open-test-bed.ts';

export { textOf, type House } from './open-test-bed.ts';

/** A house of the test's own, gone when it ends. */
export function startHouse(options: HouseOptions = {}): Promise<House> {
  return openHouse(options, onTestFinished);
}
