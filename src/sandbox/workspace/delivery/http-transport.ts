import { createHmac } from 'node:crypto';
import { parseJson } from '../json.ts';
import type { DeliveryKind } from '../model.ts';

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
export async function sendHttp(
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
