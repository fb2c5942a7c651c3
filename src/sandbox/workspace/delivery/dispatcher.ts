import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Delivery, DeliveryKind } from '../model.ts';
import { type State, remember } from '../state.ts';
import { encodeBody, sendHttp, signedHeaders } from './http-transport.ts';
import type { Envelope, Sockets } from './sockets.ts';

export interface Retry {
  num: number;
  reason: 'http_timeout' | 'http_error' | 'connection_failed';
}

/** Brings what happened in the workspace to the bot: through a socket when there is one, else by HTTP. */
export interface Dispatcher {
  /** Resolves when the bot has acknowledged, refused, or let its three seconds pass. */
  deliver(kind: DeliveryKind, payload: Record<string, unknown>, retry?: Retry): Promise<Delivery>;
  setBot(url: string | undefined): void;
}

class AcknowledgementTimeout extends Error {}

export function createDispatcher(options: {
  state: State;
  clock: Clock;
  sockets: Sockets;
  signingSecret: string;
  botUrl?: string | undefined;
}): Dispatcher {
  const { state, clock, sockets, signingSecret } = options;
  let { botUrl } = options;

  const send = async (
    delivery: Delivery,
    payload: Record<string, unknown>,
    retry: Retry | undefined,
    signal: AbortSignal,
  ): Promise<{ status: number; answer: unknown }> => {
    if (delivery.transport === 'socket') {
      const answer = await sockets.send(
        {
          type: envelopeType(delivery.kind),
          payload,
          ...(retry && { retryNum: retry.num, retryReason: retry.reason }),
        },
        signal,
      );
      return { status: 200, answer: withoutWrapping(answer) };
    }
    if (botUrl === undefined) throw new Error('no bot is connected');
    const { contentType, body } = encodeBody(delivery.kind, payload);
    const headers = {
      'content-type': contentType,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...signedHeaders(signingSecret, clock.now(), body),
      ...retryHeaders(retry),
    };
    return sendHttp(botUrl, { headers, body }, signal);
  };

  return {
    setBot(url) {
      botUrl = url;
    },
    async deliver(kind, payload, retry) {
      const delivery: Delivery = remember(state.deliveries, {
        id: state.newId('Q'),
        at: clock.now(),
        kind,
        transport: transportNow(sockets.connected, botUrl),
        body: payload,
        ...(retry && { retryNum: retry.num }),
      });
      state.changes.emit();
      const controller = new AbortController();
      const cancel = clock.after(limits.acknowledgementMs.max, () => {
        controller.abort(new AcknowledgementTimeout('no acknowledgement within 3 s'));
      });
      try {
        const { status, answer } = await send(delivery, payload, retry, controller.signal);
        delivery.status = status;
        if (answer !== undefined) delivery.answer = answer;
        if (status < 200 || status > 299) delivery.error = 'dispatch_failed';
      } catch (error) {
        delivery.error = error instanceof AcknowledgementTimeout ? 'operation_timeout' : 'dispatch_failed';
      } finally {
        cancel();
        delivery.durationMs = clock.now() - delivery.at;
        state.changes.emit();
      }
      return delivery;
    },
  };
}

function transportNow(connectedSockets: number, botUrl: string | undefined): Delivery['transport'] {
  if (connectedSockets > 0) return 'socket';
  return botUrl === undefined ? 'none' : 'http';
}

function envelopeType(kind: DeliveryKind): Envelope['type'] {
  if (kind === 'event') return 'events_api';
  return kind === 'command' ? 'slash_commands' : 'interactive';
}

const retryHeaders = (retry: Retry | undefined): Record<string, string> =>
  retry === undefined ? {} : { 'x-slack-retry-num': String(retry.num), 'x-slack-retry-reason': retry.reason };

/** A socket's bare acknowledgement carries an empty payload where HTTP has an empty body. */
const withoutWrapping = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0 ? undefined : answer;
