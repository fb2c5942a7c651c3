import type { App, ReceiverEvent } from '@slack/bolt';
import type { BeginWork } from '../observability/work.ts';
import type { Log } from '../observability/log.ts';
import type { SlackMetrics } from './metrics.ts';

/** `event` and `options` go to Bolt’s listeners of that name, the others as well. */
export type DeliveryKind = 'command' | 'action' | 'shortcut' | 'view' | 'options' | 'event' | 'other';

/**
 * Makes everything that Slack delivers a piece of work of its own, and measures how long its acknowledgement takes.
 * Around `processEvent`, not as a middleware: Bolt acknowledges events before its middleware runs.
 */
export function observeDeliveries(app: App, deps: { beginWork: BeginWork; metrics: Pick<SlackMetrics, 'acknowledgements'>; log: Log }): void {
  const { beginWork, metrics, log } = deps;
  const process = app.processEvent.bind(app);

  app.processEvent = async (event: ReceiverEvent) => {
    const { kind, name } = describeDelivery(event.body);
    await beginWork({ from: kind, name: `slack ${kind}`, kind: 'server', attributes: { 'slack.name': name } }, async () => {
      const begin = performance.now();
      let acknowledgedMs: number | undefined;
      const ack: ReceiverEvent['ack'] = async (answer) => {
        await event.ack(answer);
        if (acknowledgedMs !== undefined) return;
        acknowledgedMs = performance.now() - begin;
        metrics.acknowledgements.observe({ kind }, acknowledgedMs / 1000);
      };
      log.debug({ name }, 'Slack delivers');
      await process({ ...event, ack });
      log.debug({ name, acknowledgedMs: rounded(acknowledgedMs), durationMs: rounded(performance.now() - begin) }, 'dealt with what Slack delivered');
    });
  };
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10;
}

/** What Slack's payloads tell of themselves; nothing that somebody typed. */
interface Body {
  command?: string;
  type?: string;
  callback_id?: string;
  action_id?: string;
  actions?: { action_id?: string }[];
  view?: { callback_id?: string };
  event?: { type?: string };
}

/** What was delivered, and which of its kind. */
function describeDelivery(body: Body): { kind: DeliveryKind; name: string | undefined } {
  if (body.command !== undefined) return { kind: 'command', name: body.command };
  switch (body.type) {
    case 'block_actions':
      return { kind: 'action', name: body.actions?.[0]?.action_id };
    case 'block_suggestion':
      return { kind: 'options', name: body.action_id };
    case 'view_submission':
    case 'view_closed':
      return { kind: 'view', name: body.view?.callback_id };
    case 'shortcut':
    case 'message_action':
      return { kind: 'shortcut', name: body.callback_id };
    case 'event_callback':
      return { kind: 'event', name: body.event?.type };
    default:
      return { kind: 'other', name: undefined };
  }
}
