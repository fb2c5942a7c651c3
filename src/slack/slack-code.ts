/** Slack's own code of an error that its SDK throws, such as `channel_not_found`; undefined where Slack did not say one. */
export function slackCodeOf(error: unknown): string | undefined {
  return (error as { data?: { error?: string } }).data?.error;
}
