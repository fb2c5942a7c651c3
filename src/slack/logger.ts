import { LogLevel, type Logger } from '@slack/bolt';
import type { Log } from '../observability/log.ts';

/** Slack's SDK logs into the bot's log, one level lower than it thinks: its debug lines hold whole requests. */
export function slackLogger(log: Log): Logger {
  const sdk = log.child({ from: 'slack-sdk' });
  const text = (parts: unknown[]) => parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return {
    debug: (...parts) => sdk.trace(text(parts)),
    info: (...parts) => sdk.debug(text(parts)),
    warn: (...parts) => sdk.warn(text(parts)),
    error: (...parts) => sdk.error(text(parts)),
    setLevel: () => {},
    getLevel: () => (sdk.isLevelEnabled('trace') ? LogLevel.DEBUG : LogLevel.INFO),
    setName: () => {},
  };
}
