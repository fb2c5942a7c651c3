import { parseFromOutside } from '../../domain/said.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseBody, type ReadBody } from '../../http/bodies.ts';
import type { Handler } from '../../http/server.ts';
import type { AssistantDoor, Caller, CheckToken } from './tokens.ts';
import type { Serve } from './calls.ts';

/** The codes of JSON-RPC that are answered before the protocol’s server is asked. */
const [parseError, invalidRequest, methodNotFound] = [-32_700, -32_600, -32_601];

/** A stream of changes would stay open, and the tools of a person do not change by themselves. */
const unserved: ReadonlySet<string> = new Set(['subscriptions/listen']);

/** Why a request is refused before it is a message. */
type AgentRefusal =
  | 'origin'
  | 'unsigned'
  | 'timestamp'
  | 'signature'
  | 'token'
  | 'workspace'
  | 'malformed'
  | 'too_slow'
  | 'too_large'
  | 'no_room'
  | 'full';

/**
 * Takes `POST /mcp`. Nothing of a body is believed before the platform’s signature on it is checked; where there is none, a
 * token of a person decides, and the body is not even read without one.
 *
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports: a message per request, and no sessions. The
 * `Origin` header, which only browsers send, is refused, so that no page can reach a bot on its reader’s machine.
 */
export function createAgentRoute(deps: {
  assistant: AssistantDoor;
  checkToken: CheckToken;
  serve: Serve;
  /** Reads a body in the room of a token, or of an address where only the whole body shows who sent it. */
  readBody: (...parameters: [...Parameters<ReadBody>, whose: string | undefined]) => ReturnType<ReadBody>;
  /** Takes a place for a call whose sender is verified. @returns gives it back; undefined where all are taken, or all of a token */
  takePlace: (whose: string | undefined) => (() => void) | undefined;
  onRefused: (why: AgentRefusal) => void;
}): Handler {
  const { assistant } = deps;

  async function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    why: AgentRefusal,
  ): Promise<void> {
    deps.onRefused(why);
    if (status === 401) response.setHeader('www-authenticate', 'Bearer');
    await refuseBody(request, response, status);
  }

  /** Whose token it is; `isSigned` where the body has to be read to find out. */
  async function callerByHead(
    request: IncomingMessage,
  ): Promise<{ isSigned: true } | { caller: Caller } | { refused: AgentRefusal }> {
    if (assistant.isClaimed(request)) {
      const refusal = assistant.refusalByHead(request);
      return refusal === undefined ? { isSigned: true } : { refused: refusal as AgentRefusal };
    }
    const [, token] = /^Bearer +(\S{1,300})$/i.exec(request.headers.authorization ?? '') ?? [];
    const owner = token === undefined ? undefined : await deps.checkToken(token);
    return owner ? { caller: { ...owner, through: 'agent' } } : { refused: token === undefined ? 'unsigned' : 'token' };
  }

  /** @returns undefined where there is no body, which is answered then */
  async function readText(
    request: IncomingMessage,
    response: ServerResponse,
    whose: string | undefined,
  ): Promise<string | undefined> {
    const body = await deps.readBody(request, response, whose);
    if (body === 'too large') await refuse(request, response, 413, 'too_large');
    if (body === 'no room') await refuse(request, response, 503, 'no_room');
    return typeof body === 'string' ? undefined : body.toString('utf8');
  }

  /** @param byToken whose token the request has; undefined where the platform signed it and its message names the person */
  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    text: string,
    byToken?: Caller,
  ): Promise<void> {
    const message = parseMessage(text);
    if (message === undefined) return refuseMessage(response, 400, parseError, 'This is no JSON.', deps.onRefused);
    if (message === 'no message')
      return refuseMessage(
        response,
        400,
        invalidRequest,
        'Send one message, as an object with a method.',
        deps.onRefused,
      );
    if (unserved.has(message.method))
      return sendJson(response, 200, errorTo(message.id, methodNotFound, 'Method not found'));
    const caller = byToken ?? (await assistant.callerIn(message));
    if (caller !== undefined && 'refused' in caller) {
      deps.onRefused('workspace');
      return sendJson(response, 403, errorTo(message.id, invalidRequest, caller.refused));
    }
    await pipe(await deps.serve(webRequest(request), message, caller), response);
  }

  return async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    if (request.headers.origin !== undefined) return refuse(request, response, 403, 'origin');
    const known = await callerByHead(request);
    if ('refused' in known) return refuse(request, response, 401, known.refused);
    const caller = 'caller' in known ? known.caller : undefined;
    const whose = caller && `${caller.teamId} ${caller.personId} ${caller.tokenName}`;
    const text = await readText(request, response, whose);
    if (text === undefined) return;
    const refusal = caller === undefined ? assistant.refusalByBody(request, text) : undefined;
    if (refusal !== undefined) return refuse(request, response, 401, refusal as AgentRefusal);
    // Only now: an unfinished body must hold no place.
    const givePlace = deps.takePlace(whose);
    if (givePlace === undefined) return refuse(request, response, 503, 'full');
    try {
      await answer(request, response, text, caller);
    } finally {
      givePlace();
    }
  };
}

interface Message {
  method: string;
  id?: unknown;
}

/** Batches are refused: the revisions since 2025-06-18 have none, and each of their messages could name another person. */
function parseMessage(text: string): Message | 'no message' | undefined {
  let value: unknown;
  try {
    value = parseFromOutside(text);
  } catch {
    return undefined;
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    !('method' in value) ||
    typeof value.method !== 'string'
  )
    return 'no message';
  return value as Message;
}

function refuseMessage(
  response: ServerResponse,
  status: number,
  code: number,
  why: string,
  onRefused: (why: AgentRefusal) => void,
): void {
  onRefused('malformed');
  sendJson(response, status, errorTo(null, code, why));
}

function errorTo(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error: { code, message } };
}

function sendJson(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}

/** The head of the request as the protocol’s server reads it. */
function webRequest({ headers }: IncomingMessage): Request {
  const own = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Request('http://bot/mcp', { method: 'POST', headers: own, body: '{}' });
}

async function pipe(answer: Response, response: ServerResponse): Promise<void> {
  const content = Buffer.from(await answer.arrayBuffer());
  if (response.destroyed) return;
  response
    .writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': content.length })
    .end(content);
}
