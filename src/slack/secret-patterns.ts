/** What must not be in a log though nobody configured it: Slack's tokens, and addresses to which anyone can post. */
export const slackSecretPatterns: readonly RegExp[] = [
  // https://docs.slack.dev/authentication/tokens
  /x(?:ox[a-z]|app|wfp)[-.][\w.-]+/gi,
  /(?<=hooks\.slack(?:-gov)?\.com(?:\/|%2F))[^\s"'\\<>]*/gi,
];
