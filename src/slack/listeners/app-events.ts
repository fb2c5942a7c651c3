import type { App } from '@slack/bolt';
import type { Log } from '../../observability/log.ts';

/**
 * Takes what Slack says about the app itself. Events come late, so Slack is asked whether the token works. A workspace that
 * removed the app is asked again like one that is away: an administrator can install the app again.
 * https://docs.slack.dev/reference/events/app_uninstalled
 *
 * @param deps.confirmToken asks Slack, and rejects where it refuses the token
 */
export function registerAppEvents(
  app: App,
  { confirmToken, log }: { confirmToken: () => Promise<unknown>; log: Log },
): void {
  const look = async (what: string) => {
    try {
      await confirmToken();
    } catch (error) {
      log.error({ error }, `${what}: install the app again and set its token, or remove the bot`);
    }
  };
  app.event('app_uninstalled', async () => look('the workspace has removed the app'));
  app.event('tokens_revoked', async ({ event: { tokens } }) => {
    if ((tokens.bot?.length ?? 0) > 0) await look('Slack has revoked the bot token');
  });
}
