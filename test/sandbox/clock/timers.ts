import { setTimeout as delay } from 'node:timers/promises';

/** Runs with the sandbox's clock: sets timers of every kind, and prints what fires and at what time. */
const startMs = Date.now();
const print = (what: string): void => {
  process.stdout.write(`${what} ${Math.round((Date.now() - startMs) / 60_000)}\n`);
};

const minuteMs = 60_000;
setTimeout(print, 120 * minuteMs, 'later');
setTimeout(() => {
  print('first');
  clearTimeout(cleared);
}, 20 * minuteMs);
const cleared = setTimeout(print, 25 * minuteMs, 'cleared');
void delay(40 * minuteMs, 'promise').then(print);
const interval = setInterval(print, 50 * minuteMs, 'interval');
const refreshed = setTimeout(() => {
  print('refreshed');
  if (Date.now() - startMs < 60 * minuteMs) refreshed.refresh();
}, 30 * minuteMs);
const aborted = new AbortController();
delay(20 * minuteMs, 'aborted', { signal: aborted.signal }).then(print, (error: Error) => print(error.name));
aborted.abort();
process.on('SIGTERM', () => {
  clearInterval(interval);
  print(`${Math.abs(new Date().getTime() - Date.now()) < 1000} ${new Date(0).getTime()} ${new Date() instanceof Date}`);
  process.disconnect?.();
});
process.stdout.write('ready\n');
