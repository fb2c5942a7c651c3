import { createLog, type Log } from '../../src/observability/log.ts';
import { slackSecretPatterns } from '../../src/slack/secret-patterns.ts';

/** A log that collects its lines. */
export function recordingLog(secrets: string[] = []): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    log: createLog({ level: 'trace', secrets, secretPatterns: slackSecretPatterns, write: (line) => lines.push(line) }),
  };
}
