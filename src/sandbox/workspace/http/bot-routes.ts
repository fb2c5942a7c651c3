import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, json, type Reply, writeReply } from '../../http.ts';
import { applyMessageResponse } from '../actor/conversations.ts';
import type { Core } from '../core.ts';
import type { Fault } from '../faults.ts';
import { isRecord, parseJson, withoutKeys } from '../json.ts';
import { recordCall } from '../state.ts';
import { answerCall, rateLimited, type RateLimits, type Tokens } from '../web-api/call.ts';
import { mayBotRead } from '../web-api/methods/files.ts';

/** The routes that the bot calls: Web API, response URLs and uploads. Resolves with whether the path is one of them. */
type BotRoutes = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

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
    if (request.method === 'GET' && path.startsWith('/files-pri/')) {
      await writeReply(response, privateFile(core, tokens.bot, request.headers.authorization, path));
      return true;
    }
    const [, area = '', name = ''] = /^\/(api|response|upload)\/([^/]+)$/.exec(path) ?? [];
    if (area === '') return false;
    if (request.method !== 'POST') {
      await writeReply(response, { status: 405, headers: { allow: 'POST' } });
      return true;
    }
    const bytes = await readBody(request);
    if (area === 'upload') {
      const content = await uploadedBytes(request, bytes);
      await answerWithFaults(core, response, 'upload', '', () => {
        const isTaken = core.uploads.receive(name, content);
        return { status: isTaken ? 200 : 400, body: isTaken ? `OK - ${bytes.length}` : 'upload_failed' };
      });
      return true;
    }
    const body = bytes.toString();
    const answer = area === 'api' ? () => callApi(request, name, body) : () => answerResponseUrl(core, name, body);
    await answerWithFaults(core, response, area === 'api' ? name : 'response_url', body, answer);
    return true;
  };
}

const signInPage =
  '<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in to your workspace</body></html>';
const html = { 'content-type': 'text/html; charset=utf-8' };

/**
 * Answers `url_private` and `url_private_download`. A request without the bot's token is sent to the page to sign in, and
 * a token without `files:read` gets that page with status 200: https://github.com/slackapi/deno-slack-sdk/issues/285 saw both
 */
function privateFile(core: Core, botToken: string, authorization: string | undefined, path: string): Reply {
  if (authorization !== `Bearer ${botToken}`)
    return {
      status: 302,
      headers: { location: `${core.baseUrl()}/sign-in?redir=${encodeURIComponent(path)}` },
      body: '',
    };
  if (!core.manifest.oauth_config.scopes.bot.includes('files:read'))
    return { status: 200, headers: html, body: signInPage };
  const id = /^\/files-pri\/[A-Z0-9]+-([A-Z0-9]+)\//.exec(path)?.[1] ?? '';
  const file = core.state.files.get(id);
  const bytes = core.uploads.bytesOf(id);
  if (file === undefined || bytes === undefined || !mayBotRead(core, file))
    return { status: 404, headers: html, body: '<html><body>File not found</body></html>' };
  return { status: 200, headers: { 'content-type': file.mimetype }, body: bytes };
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
  else await writeReply(response, reply);
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
