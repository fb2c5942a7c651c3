/**
 * Preload module of the bot (`node --import`): its time runs `times` as fast as the system's since `beganAt`, both from the
 * URL. `Date`, `performance.now` and the timers are fast. The timeouts inside Node, `AbortSignal.timeout` and Redis are not.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';

const parameters = new URL(import.meta.url).searchParams;
const [times, beganAt] = [Number(parameters.get('times')), Number(parameters.get('beganAt'))];
const real = {
  Date,
  now: Date.now,
  performanceNow: performance.now.bind(performance),
  setTimeout,
  setInterval,
  delay: timersPromises.setTimeout,
};
const realTimeOrigin = performance.timeOrigin;

const now = () => Math.floor(beganAt + (real.now() - beganAt) * times);
// A timer that ends early would find its time not come.
const realMs = (ms = 0) => (ms <= 1 ? ms : Math.ceil(ms / times) + 1);

type Callback = (...args: unknown[]) => void;
const setTimeoutFast = (callback: Callback, ms?: number, ...args: unknown[]) =>
  real.setTimeout(callback, realMs(ms), ...args);
const delayFast: typeof real.delay = (ms, value, options) => real.delay(realMs(ms), value, options);
Object.defineProperty(setTimeoutFast, promisify.custom, { value: delayFast });
const fast = {
  setTimeout: setTimeoutFast,
  setInterval: (callback: Callback, ms?: number, ...args: unknown[]) => real.setInterval(callback, realMs(ms), ...args),
};
Object.assign(globalThis, fast);
Object.assign(timers, fast);
Object.assign(timersPromises, { setTimeout: delayFast });
syncBuiltinESMExports();

real.Date.now = now;
globalThis.Date = new Proxy(real.Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new real.Date(now()).toString(),
});
// The bot compares the two: what differs looks like a clock that was set.
Object.defineProperty(performance, 'timeOrigin', { get: () => beganAt + (realTimeOrigin - beganAt) * times });
performance.now = () => real.performanceNow() * times;
