/**
 * Preload module of the bot (`node --import`): as if an operator set the clock of the machine. The file that the URL names
 * says by how many milliseconds `Date` is ahead. Timers and `performance.now` do not move, like those of the system.
 */
import { readFileSync } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const real = { now: Date.now, Date };
const readEveryMs = 50;
const readAheadMs = () => Number(readFileSync(file, 'utf8'));
let aheadMs = readAheadMs();
const now = () => real.now() + aheadMs;

real.Date.now = now;
globalThis.Date = new Proxy(real.Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new real.Date(now()).toString(),
});
setInterval(() => (aheadMs = readAheadMs()), readEveryMs).unref();
