import { createLog, type Log } from '../../src/observability/log.ts';
import { failedFor } from '../../src/quiz-api/errors.ts';
import { isRefusedToken } from '../../src/slack/slack-finding.ts';
import { slackSecretPatterns } from '../../src/slack/errors.ts';

/** A log that collects its lines. */
export function recordingLog(secrets: string[] = []): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    log: createLog({
      level: 'trace',
      secrets,
      secretPatterns: slackSecretPatterns,
      hasOwnLine: (error) => isRefusedToken(error) || failedFor(error, 'forbidden'),
      write: (line) => lines.push(line),
    }),
  };
}
