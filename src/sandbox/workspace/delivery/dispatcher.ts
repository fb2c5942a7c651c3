import { afterTurns, type Clock } from '../clock.ts';
import type { EventFault } from '../faults.ts';
import { limits } from '../limits.ts';
import type { Delivery, DeliveryKind, Enterprise } from '../model.ts';
import { appId, botUserId, teamId } from '../people.ts';
import { type State, record } from '../state.ts';
import { verificationToken } from './payloads.ts';
import type { Envelope, Sockets } from './sockets.ts';
import { createHmac } from 'node:crypto';
import { parseJson } from '../json.ts';

interface RetryInfo {
  num: number;
  reason: 'http_timeout' | 'http_error' | 'connection_failed';
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

/**
 * Slack retries an event at once, after 1 minute and after 5 minutes: https://docs.slack.dev/apis/events-api/#retries
 */
const retryDelaysMs = [0, 60_000, 300_000];

class AcknowledgementTimeout extends Error {}

/**
 * Delivers commands, interactions and events to the bot: through a socket if one is connected, else over HTTP. Records every
 * request and its outcome in the state.
 */
export function createDispatcher(options: {
  state: State;
  clock: Clock;
  sockets: Sockets;
  signingSecret: string;
  /** The event subscriptions in the app's manifest. */
  subscriptions: readonly string[];
  botUrl?: string | undefined;
  enterprise?: Enterprise | undefined;
  /** Default: every event arrives. */
  faultOf?: (type: string) => EventFault | undefined;
}) {
  const { state, clock, sockets, signingSecret, subscriptions } = options;
  let { botUrl } = options;

  const send = async (
    delivery: Delivery,
    payload: Record<string, unknown>,
    retry: RetryInfo | undefined,
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
      return { status: 200, answer: unwrapAcknowledgement(answer) };
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

  const deliver = async (
    kind: DeliveryKind,
    content: Record<string, unknown>,
    retryInfo?: RetryInfo,
  ): Promise<Delivery> => {
    const payload = inEnterprise(content, options.enterprise);
    const delivery: Delivery = record(state.deliveries, {
      id: state.newId('Q'),
      at: clock.now(),
      kind,
      transport: transportNow(sockets.connected, botUrl),
      body: payload,
      ...(retryInfo && { retryNum: retryInfo.num }),
    });
    state.changes.emit();
    const controller = new AbortController();
    const cancel = afterTurns(clock, limits.acknowledgementMs.max, () => {
      controller.abort(new AcknowledgementTimeout('no acknowledgement within 3 s'));
    });
    try {
      const { status, answer } = await send(delivery, payload, retryInfo, controller.signal);
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
  };

  const retryLater = (payload: Record<string, unknown>, failed: Delivery, attempt: number): void => {
    const delayMs = retryDelaysMs[attempt];
    if (delayMs === undefined) return;
    clock.after(delayMs, () => {
      void retry(payload, failed, attempt);
    });
  };

  const retry = async (payload: Record<string, unknown>, failed: Delivery, attempt: number): Promise<void> => {
    const delivery = await deliver('event', payload, { num: attempt + 1, reason: reasonFor(failed) });
    if (delivery.error !== undefined) retryLater(payload, delivery, attempt + 1);
  };

  const deliverEvent = async (payload: Record<string, unknown>): Promise<Delivery> => {
    const delivery = await deliver('event', payload);
    if (delivery.error !== undefined) retryLater(payload, delivery, 0);
    return delivery;
  };

  return {
    setBot(url: string | undefined): void {
      botUrl = url;
    },
    /** Resolves once the bot has acknowledged or refused the request, or after 3 s. Never rejects. */
    deliver: (kind: DeliveryKind, payload: Record<string, unknown>) => deliver(kind, payload),
    /**
     * Delivers an event if the app subscribes to it, and retries in the background until the bot acknowledges.
     * Resolves after the first attempt. Without a type of its own, the event has the name of the subscription.
     */
    async publish(subscription: string, content: Record<string, unknown>): Promise<Delivery | undefined> {
      if (!subscriptions.includes(subscription)) return undefined;
      const fault = options.faultOf?.(subscription);
      if (fault?.kind === 'lost') return undefined;
      const event = { type: subscription, event_ts: state.newTs(), ...content };
      const isInstall = { user_id: botUserId, is_bot: true, is_enterprise_install: false };
      // The envelope of the Events API: https://docs.slack.dev/apis/events-api/
      const payload = {
        token: verificationToken,
        team_id: teamId,
        api_app_id: appId,
        event,
        type: 'event_callback',
        event_id: state.newId('Ev'),
        event_time: Math.floor(clock.now() / 1000),
        authorizations: [{ enterprise_id: null, team_id: teamId, ...isInstall }],
        is_ext_shared_channel: false,
      };
      if (fault?.kind === 'late') {
        clock.after(fault.ms, () => void deliverEvent(payload));
        return undefined;
      }
      if (fault?.kind === 'twice') await deliverEvent(payload);
      return deliverEvent(payload);
    },
  };
}

function transportNow(connectedSockets: number, botUrl: string | undefined): Delivery['transport'] {
  if (connectedSockets > 0) return 'socket';
  return botUrl === undefined ? 'none' : 'http';
}

function reasonFor(failed: Delivery): RetryInfo['reason'] {
  if (failed.error === 'operation_timeout') return 'http_timeout';
  return failed.status === undefined ? 'connection_failed' : 'http_error';
}

function envelopeType(kind: DeliveryKind): Envelope['type'] {
  if (kind === 'event') return 'events_api';
  return kind === 'command' ? 'slash_commands' : 'interactive';
}

const retryHeaders = (retry: RetryInfo | undefined): Record<string, string> =>
  retry === undefined ? {} : { 'x-slack-retry-num': String(retry.num), 'x-slack-retry-reason': retry.reason };

/** A bare acknowledgement has an empty payload on a socket and an empty body over HTTP. */
const unwrapAcknowledgement = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0 ? undefined : answer;

/**
 * Adds what payloads carry in an Enterprise organization. Where the app is installed for the whole organization, views
 * and global shortcuts name no workspace.
 * https://docs.slack.dev/enterprise/developing-for-enterprise-orgs#updated-apis
 */
function inEnterprise(payload: Record<string, unknown>, enterprise: Enterprise | undefined): Record<string, unknown> {
  if (enterprise === undefined) return payload;
  const { id, name, isInstalledForAll: isInstall } = enterprise;
  if ('command' in payload)
    return { ...payload, enterprise_id: id, enterprise_name: name, is_enterprise_install: String(isInstall) };
  if (payload['type'] === 'event_callback') {
    const authorizations = [
      {
        ...firstOf(payload['authorizations']),
        enterprise_id: id,
        is_enterprise_install: isInstall,
        ...(isInstall && { team_id: null }),
      },
    ];
    return {
      ...payload,
      enterprise_id: id,
      authorizations,
      ...(isInstall && { context_team_id: null, context_enterprise_id: id }),
    };
  }
  const namesNoTeam = isInstall && ['shortcut', 'view_submission'].includes(String(payload['type']));
  return {
    ...payload,
    ...(namesNoTeam && { team: null }),
    enterprise: { id, name },
    is_enterprise_install: isInstall,
  };
}

const firstOf = (list: unknown): object => (Array.isArray(list) ? Object(list[0]) : {});

interface HttpRequest {
  headers: Record<string, string>;
  body: string;
}

/** Encodes a request body: JSON for events, a form for commands, a form with the field `payload` for the rest. */
export function encodeBody(
  kind: DeliveryKind,
  payload: Record<string, unknown>,
): { contentType: string; body: string } {
  if (kind === 'event') return { contentType: 'application/json', body: JSON.stringify(payload) };
  const fields =
    kind === 'command'
      ? Object.entries(payload).map(([name, value]) => [name, String(value)])
      : [['payload', JSON.stringify(payload)]];
  const form = new URLSearchParams(fields);
  return { contentType: 'application/x-www-form-urlencoded', body: form.toString() };
}

/** Signs a request: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function signedHeaders(signingSecret: string, nowMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` };
}

/** Posts a request to the bot. @throws when the bot is unreachable or the signal aborts */
async function sendHttp(
  url: string,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: request.headers,
    body: request.body,
    redirect: 'manual',
    signal,
  });
  const text = await response.text();
  return { status: response.status, answer: text === '' ? undefined : (parseJson(text) ?? text) };
}
