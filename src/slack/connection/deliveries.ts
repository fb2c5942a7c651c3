import type { App, ReceiverEvent } from '@slack/bolt';
import type Keyv from 'keyv';
import type { OneAtATime } from '../../durable/one-at-a-time.ts';
import type { BeginWork } from '../../observability/tracing.ts';
import type { Log } from '../../observability/log.ts';
import type { Clock } from '../../time/clock.ts';
import { channelOf } from '../incoming-text.ts';
import type { SlackMetrics } from '../metrics.ts';

/** Named after the kinds of Bolt's listeners. */
type DeliveryKind = 'command' | 'action' | 'shortcut' | 'view' | 'options' | 'event' | 'other';

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

/** A message as its event has it. */
export interface WrittenMessage {
  type: string;
  channel_type?: string;
  user?: string;
  bot_id?: string;
  subtype?: string | undefined;
  text?: string;
  channel: string;
  ts: string;
  thread_ts?: string;
  files?: unknown;
}

/** Slack can deliver events late, up to a day: by then, nobody waits for the answer. */
const answeredWithinMs = 10 * 60_000;
/** Longer than a message is answered at all. */
const knownForMs = 15 * 60_000;
/** Slack waits 3 s. */
const acknowledgedWithinMs = 2_000;

/** Messages that people write; the others are about messages, such as an edit, or come from apps. */
const writtenSubtypes: ReadonlySet<string | undefined> = new Set([undefined, 'file_share', 'thread_broadcast']);

/**
 * What a message is known by that a person wrote to the bot, in its direct messages or with a mention; undefined for everything
 * that is not answered. In direct messages, the mention is an event beside that of the message.
 */
export function messageKey(event: WrittenMessage, nowMs: number): string | undefined {
  const { type, channel_type: place, channel, ts, user, bot_id: botId, subtype } = event;
  const isToBot = type === 'message' ? place === 'im' : type === 'app_mention' && channelOf(channel) !== undefined;
  const isWritten = user !== undefined && botId === undefined && writtenSubtypes.has(subtype);
  return isToBot && isWritten && nowMs - Number(ts) * 1_000 <= answeredWithinMs ? `${channel} ${ts}` : undefined;
}

/** Where it is known which messages were answered. */
export interface AnsweredMessages {
  oneAtATime: Pick<OneAtATime, 'inTurn'>;
  known: Keyv<true>;
  clock: Pick<Clock, 'now' | 'setTimer'>;
  log: Log;
}

/**
 * Has each message answered once, however often Slack delivers it, to whichever instance, and over restarts.
 *
 * A message is acknowledged once it is answered, or after two seconds. Where an instance dies before that, Slack delivers the
 * message again at once, after one minute and after five, and it is answered then. A delivery that finds another instance at
 * work waits for its turn, and answers only where that one died. An instance that dies between its answer and the note of it
 * has the person read the answer twice; nothing changes twice, because a message never changes anything.
 */
export function answerMessagesOnce(app: App, { oneAtATime, known, clock, log }: AnsweredMessages): void {
  const process = app.processEvent.bind(app);

  app.processEvent = async (event) => {
    const { event: written } = event.body as { event?: WrittenMessage };
    const key = written && messageKey(written, clock.now());
    if (key === undefined) return process(event);
    let isAcknowledged = false;
    const acknowledge = async () => {
      if (isAcknowledged) return;
      isAcknowledged = true;
      await event.ack();
    };
    const cancel = clock.setTimer(() => {
      acknowledge().catch((error: unknown) => log.warn({ error }, 'a message could not be acknowledged'));
    }, acknowledgedWithinMs);
    await once(key, async () => process({ ...event, ack: async () => {} })).finally(cancel);
    await acknowledge();
  };

  async function once(key: string, answer: () => Promise<void>): Promise<void> {
    let isBegun = false;
    try {
      await oneAtATime.inTurn(`message/${key}`, async () => {
        if (await known.get(key)) return;
        isBegun = true;
        await answer();
        await known.set(key, true, knownForMs);
      });
    } catch (error) {
      // The answer says what is wrong with the store, if it needs it.
      log.warn({ error }, 'the store does not say whether a message was answered before');
      if (!isBegun) await answer();
    }
  }
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
