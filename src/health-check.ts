import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The health check of the image: exits with 0 if the bot answers `/healthz`. Docker does not restart an unhealthy container,
 * so after three failures in a row it kills what the container’s init has started; the container ends, and its restart
 * policy starts it again.
 *
 * Parameters: the address of `/healthz`, and the process ID of the init. Without an init, the bot is process 1, which
 * nothing inside the container can kill.
 */
const [url = '', initPid = ''] = process.argv.slice(2);
const failuresAtMost = 3;
const timeoutMs = 4_000;
const countFile = join(tmpdir(), 'invigilator-health-failures');

if (await isWell()) {
  rmSync(countFile, { force: true });
} else {
  process.exitCode = 1;
  const failures = failuresBefore() + 1;
  writeFileSync(countFile, String(failures));
  if (failures >= failuresAtMost) {
    rmSync(countFile, { force: true });
    for (const pid of childrenOf(initPid)) process.kill(pid, 'SIGKILL');
  }
}

async function isWell(): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false;
  }
}

function failuresBefore(): number {
  try {
    return Number(readFileSync(countFile, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_task_tid_children.5.html */
function childrenOf(pid: string): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children
    .split(' ')
    .map(Number)
    .filter((child) => child > 1);
}
