import { redisMissing } from '../support/redis.ts';
import { describeRollingRestart, runRollingRestart, type RollingRestartOptions } from '../support/rolling-restart.ts';
import type { BenchRow } from './bench-row.ts';

const size = { rounds: 10, perSecond: 20 };

/** Restarts two instances many times under load, in HTTP mode and in Socket Mode. */
export async function run(): Promise<BenchRow[]> {
  if (redisMissing !== null) return [];
  return [
    await measure('HTTP mode', { mode: 'http', ...size }),
    // A command that Slack sends while an instance closes its connection can fail: the protocol cannot pause deliveries.
    await measure('Socket Mode', { mode: 'socket', ...size }),
  ];
}

async function measure(name: string, options: RollingRestartOptions): Promise<BenchRow> {
  const outcome = await runRollingRestart(options);
  const met =
    outcome.failed.length + outcome.unanswered + outcome.refused.length + outcome.lost + outcome.duplicated === 0;
  if (!met) process.exitCode = 1;
  return {
    name: `rolling restart of two instances, ${options.perSecond} commands and webhooks a second, ${name}`,
    figure: describeRollingRestart(options, outcome),
    goal: 'none failed, unanswered or lost',
    met,
  };
}
