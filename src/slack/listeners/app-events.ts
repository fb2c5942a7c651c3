import type { App } from '@slack/bolt';
import type { Log } from '../../observability/log.ts';

/**
 * Takes what Slack says about the app itself. A workspace that removed it, or revoked its token, is asked again like one that
 * is away, since an administrator can install it again: https://docs.slack.dev/reference/events/app_uninstalled
 */
export function registerAppEvents(app: App, { forgetIdentity, log }: { forgetIdentity: () => void; log: Log }): void {
  const say = (what: string) => {
    forgetIdentity();
    log.error(`${what}: install the app again and set its token, or remove the bot`);
  };
  app.event('app_uninstalled', async () => say('the workspace has removed the app'));
  app.event('tokens_revoked', async ({ event: { tokens } }) => {
    if ((tokens.bot?.length ?? 0) > 0) say('Slack has revoked the bot token');
  });
}
