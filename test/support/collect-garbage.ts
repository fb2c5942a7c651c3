import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has everything collected that can be, also where Node was not told to expose it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
