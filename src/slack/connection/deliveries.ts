import type { App, ReceiverEvent } from '@slack/bolt';
import type { BeginWork } from '../../observability/tracing.ts';
import type { Log } from '../../observability/log.ts';
import type { SlackMetrics } from '../metrics.ts';

/** Named after the kinds of Bolt's listeners. */
export type DeliveryKind = 'command' | 'action' | 'shortcut' | 'view' | 'options' | 'event' | 'other';

/**
 * Runs each delivery from Slack as its own piece of work, and measures the time until its acknowledgement. It wraps
 * `processEvent` because Bolt acknowledges events before it runs middleware.
 */
export function observeDeliveries(
  app: App,
  deps: { beginWork: BeginWork; metrics: Pick<SlackMetrics, 'acknowledgements'>; log: Log },
): void {
  const { beginWork, metrics, log } = deps;
  const process = app.processEvent.bind(app);

  app.processEvent = async (event: ReceiverEvent) => {
    const { kind, name } = describeDelivery(event.body);
    await beginWork(
      { from: kind, name: `slack ${kind}`, kind: 'server', attributes: { 'slack.name': name } },
      async () => {
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
        log.debug(
          { name, acknowledgedMs: rounded(acknowledgedMs), durationMs: rounded(performance.now() - begin) },
          'dealt with what Slack delivered',
        );
      },
    );
  };
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10;
}

/** The fields that identify a payload. None of them contains typed text. */
interface Body {
  command?: string;
  type?: string;
  callback_id?: string;
  action_id?: string;
  actions?: { action_id?: string }[];
  view?: { callback_id?: string };
  event?: { type?: string };
}

/** The kind of a delivery, and the name of its command, action or view. */
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
