import { redacted, type SecretPattern } from '../observability/log.ts';

/** What must not be in a log though nobody configured it: Slack's tokens, and addresses to which anyone can post. */
export const slackSecretPatterns: readonly SecretPattern[] = [
  // https://docs.slack.dev/authentication/tokens
  {
    hints: ['xox', 'xapp-', 'xwfp-', 'XOX', 'XAPP-'],
    pattern: /x(?:ox[a-z]|app|wfp)[-.][\w.-]+/gi,
    replacement: redacted,
  },
  {
    hints: ['hooks.slack'],
    pattern: /(hooks\.slack(?:-gov)?\.com)(?:\/|%2F)[^\s"'\\<>]*/gi,
    replacement: `$1/${redacted}`,
  },
];
