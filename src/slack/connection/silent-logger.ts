import { LogLevel, type Logger } from '@slack/web-api';

/** For what asks Slack once and says itself what came of it. */
export const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};
