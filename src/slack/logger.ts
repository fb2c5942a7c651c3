import { LogLevel, type Logger } from '@slack/bolt';
import type { Log } from '../observability/log.ts';

/** Slack's SDK logs into the bot's log, but for its debug lines: they hold whole messages, and so personal data. */
export function slackLogger(log: Log): Logger {
  const sdk = log.child({ part: 'slack-sdk' });
  const text = (parts: unknown[]) => parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return {
    debug: () => {},
    info: (...parts) => sdk.debug(text(parts)),
    warn: (...parts) => sdk.warn(text(parts)),
    error: (...parts) => sdk.error(text(parts)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}
