import type { IncomingMessage, ServerResponse } from 'node:http';
import { json, readBody, type Reply, send } from './reply.ts';
import { applyMessageResponse } from '../actor/message-response.ts';
import type { Core } from '../core.ts';
import type { Fault } from '../faults.ts';
import { isRecord, parseJson, withoutKeys } from '../json.ts';
import { recordCall } from '../state.ts';
import { answerCall, rateLimited, type Tokens } from '../web-api/call.ts';
import type { RateLimits } from '../web-api/rate-limits.ts';

/** The routes that the bot calls: Web API, response URLs and uploads. Resolves with whether the path is one of them. */
export type BotRoutes = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

export function createBotRoutes(core: Core, tokens: Tokens, rates: RateLimits): BotRoutes {
  const callApi = (request: IncomingMessage, method: string, body: string): Reply => {
    const answer = answerCall(core, tokens, rates, {
      method,
      contentType: request.headers['content-type'] ?? '',
      authorization: request.headers.authorization,
      body,
    });
    return json(answer.status, answer.body, answer.headers);
  };

  return async (request, response, path) => {
    const [, area = '', name = ''] = /^\/(api|response|upload)\/([^/]+)$/.exec(path) ?? [];
    if (area === '') return false;
    if (request.method !== 'POST') {
      send(response, { status: 405, headers: { allow: 'POST' } });
      return true;
    }
    const bytes = await readBody(request);
    if (area === 'upload') {
      const isTaken = core.uploads.receive(name, await uploadedBytes(request, bytes));
      send(response, { status: isTaken ? 200 : 400, body: isTaken ? `OK - ${bytes.length}` : 'upload_failed' });
      return true;
    }
    const body = bytes.toString();
    const answer = area === 'api' ? () => callApi(request, name, body) : () => answerResponseUrl(core, name, body);
    await answerWithFaults(core, response, area === 'api' ? name : 'response_url', body, answer);
    return true;
  };
}

/** Answers a request, subject to the injected faults. */
async function answerWithFaults(
  core: Core,
  response: ServerResponse,
  method: string,
  body: string,
  answer: () => Reply,
): Promise<void> {
  const args = argumentsOf(body);
  const fault = core.faults.take(method, args);
  if (fault?.kind === 'lost-request') {
    response.destroy();
    return;
  }
  if (fault?.kind === 'latency') await core.faults.delay(fault.ms);
  const injected = fault === undefined ? undefined : faultReply(fault);
  if (injected !== undefined)
    recordCall(core, {
      method,
      args,
      ok: false,
      error: `fault: ${fault?.kind}`,
      status: injected.status,
      answer: injected.body,
    });
  const reply = injected ?? answer();
  if (fault?.kind === 'lost-answer') response.destroy();
  else send(response, reply);
}

function faultReply(fault: Fault): Reply | undefined {
  switch (fault.kind) {
    case 'rate-limited': {
      const answer = rateLimited(fault.retryAfterS);
      return json(answer.status, answer.body, answer.headers);
    }
    case 'http-error':
      return {
        status: fault.status,
        headers: { 'content-type': 'text/html' },
        body: '<html><body>Server error</body></html>',
      };
    case 'api-error':
      return json(200, { ok: false, error: fault.error });
    default:
      return undefined;
  }
}

function argumentsOf(body: string): Record<string, unknown> {
  const parsed = body.startsWith('{') ? parseJson(body) : Object.fromEntries(new URLSearchParams(body));
  return isRecord(parsed) ? withoutKeys(parsed, 'token') : {};
}

/** Response URLs: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
function answerResponseUrl(core: Core, token: string, body: string): Reply {
  const result = core.responseUrls.use(token);
  const isGone = 'error' in result;
  const answered = isGone ? result : applyMessageResponse(core, result.target, parseJson(body));
  const { error } = answered;
  const status = error === undefined ? 200 : isGone ? 404 : 400;
  recordCall(core, {
    method: 'response_url',
    args: argumentsOf(body),
    ok: error === undefined,
    ...(error !== undefined && { error }),
    status,
    answer: error ?? 'ok',
  });
  if (error === undefined) return { status, headers: { 'content-type': 'text/plain' }, body: 'ok' };
  return json(status, { ok: false, error, ...('details' in answered && { errors: answered.details }) });
}

/** Reads an upload, which is the raw body or the only file of a multipart form. */
async function uploadedBytes(request: IncomingMessage, bytes: Buffer): Promise<Buffer> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) return bytes;
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  for (const value of form.values()) if (typeof value !== 'string') return Buffer.from(await value.arrayBuffer());
  return Buffer.alloc(0);
}
