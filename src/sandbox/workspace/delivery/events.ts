import type { Core } from '../core.ts';
import type { Delivery } from '../model.ts';
import { botUserId } from '../people.ts';
import type { Retry } from './dispatcher.ts';
import { eventPayload } from './payloads.ts';

/** When Slack tries again: at once, after a minute, after five. https://docs.slack.dev/apis/events-api/#retries */
const retryDelaysMs = [0, 60_000, 300_000];

/** Sends an event the app has subscribed to, and again until it is acknowledged; resolves after the first try. */
export async function publishEvent(
  core: Core,
  subscription: string,
  event: Record<string, unknown>,
): Promise<Delivery | undefined> {
  if (!core.manifest.settings.event_subscriptions.bot_events.includes(subscription)) return undefined;
  const payload = eventPayload({ event, eventId: core.state.newId('Ev'), nowMs: core.clock.now(), botUserId });
  const first = await core.dispatcher.deliver('event', payload);
  if (first.error !== undefined) retryLater(core, payload, first, 0);
  return first;
}

function retryLater(core: Core, payload: Record<string, unknown>, failed: Delivery, attempt: number): void {
  const delayMs = retryDelaysMs[attempt];
  if (delayMs === undefined) return;
  core.clock.after(delayMs, () => {
    void retry(core, payload, failed, attempt);
  });
}

async function retry(core: Core, payload: Record<string, unknown>, failed: Delivery, attempt: number): Promise<void> {
  const delivery = await core.dispatcher.deliver('event', payload, { num: attempt + 1, reason: reasonOf(failed) });
  if (delivery.error !== undefined) retryLater(core, payload, delivery, attempt + 1);
}

function reasonOf(failed: Delivery): Retry['reason'] {
  if (failed.error === 'operation_timeout') return 'http_timeout';
  return failed.status === undefined ? 'connection_failed' : 'http_error';
}
