import { ConfigError, readMoveConfig } from './config.ts';
import type { ChainCheck } from './domain/audit-chain.ts';
import { moveState } from './storage/move-state.ts';

process.umask(0o077);

try {
  const { copied, path } = await moveState({ ...readMoveConfig(), now: Date.now });
  if (copied === undefined) say('The move that had broken off is finished.');
  for (const [what, count] of Object.entries(copied?.counts ?? {})) say(`${String(count).padStart(9)} ${what}`);
  for (const { teamId, check } of copied?.trails ?? []) say(`The audit trail of ${teamId} ${verdict(check)}`);
  say(`All of it is in Redis. The file is kept as ${path}: a bot with REDIS_URL does not need it.`);
} catch (error) {
  const faults =
    error instanceof ConfigError
      ? error.faults
      : [`Nothing was moved: ${error instanceof Error ? error.message : String(error)}`];
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function verdict(check: ChainCheck): string {
  return check.kind === 'whole'
    ? `is whole: ${check.count} entries, the last with the hash ${check.hash}.`
    : `does not hold from entry ${check.at} on, as before the move.`;
}
