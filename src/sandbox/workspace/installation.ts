import type { Core } from './core.ts';
import { botUserId } from './people.ts';

/**
 * Removes the app from the workspace, which revokes its token, or installs it again.
 * https://docs.slack.dev/reference/events/app_uninstalled and https://docs.slack.dev/reference/events/tokens_revoked
 */
export async function setInstalled({ state, dispatcher }: Core, isInstalled: boolean): Promise<void> {
  state.isTokenRevoked = !isInstalled;
  state.changes.emit();
  if (isInstalled) return;
  const events = [
    { type: 'tokens_revoked', tokens: { oauth: [], bot: [botUserId] } },
    { type: 'app_uninstalled' },
  ] as const;
  await Promise.all(events.map((event) => dispatcher.publish(event.type, { ...event, event_ts: state.newTs() })));
}
