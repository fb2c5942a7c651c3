import { renameSync, writeFileSync } from 'node:fs';

/*
 * Loaded into a bot with `--import`: writes its process ID and the longest hold-up of its event loop to the file in
 * `HOLD_UPS_FILE`. A hold-up is CPU time of the main thread between two timers, in milliseconds, so that other programs on
 * the machine do not count. SIGUSR2 begins anew.
 */

const file = process.env['HOLD_UPS_FILE'] ?? '';
const everyMs = 5;

let longestMs = 0;
let before = process.threadCpuUsage();

/** Replaces the file in one step, so that a reader never sees half of it. */
function write(): void {
  writeFileSync(`${file}.new`, JSON.stringify({ pid: process.pid, longestMs }));
  renameSync(`${file}.new`, file);
}

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  const ms = (user + system) / 1000;
  if (ms <= longestMs) return;
  longestMs = ms;
  write();
}, everyMs).unref();

process.on('SIGUSR2', () => {
  longestMs = 0;
  write();
});
write();
