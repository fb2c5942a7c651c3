/**
 * Preload module of tests and of the programs that they start (`node --import`): `Date` is so many milliseconds ahead as the URL
 * says. Timers do not move.
 */
const aheadMs = Number(new URL(import.meta.url).searchParams.get('ms'));
const real = { now: Date.now, Date };
const realTimeOrigin = performance.timeOrigin;
const now = () => real.now() + aheadMs;

real.Date.now = now;
globalThis.Date = new Proxy(real.Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new real.Date(now()).toString(),
});
Object.defineProperty(performance, 'timeOrigin', {
  get: () => realTimeOrigin + aheadMs,
  configurable: true,
});
