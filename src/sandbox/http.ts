import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

// What the quiz service and the workspace have in common as servers.

export class BodyTooLargeError extends Error {
  constructor(limitBytes: number) {
    super(`The body is larger than ${limitBytes / 1024 / 1024} MiB.`);
  }
}

/** @throws BodyTooLargeError once the announced or received length exceeds `limitBytes` */
export async function readBody(request: IncomingMessage, limitBytes = 25 * 1024 * 1024): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new BodyTooLargeError(limitBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw new BodyTooLargeError(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Rejects DNS rebinding: an attacker can point a host name of their own to this server. An IP address cannot be
 * pointed elsewhere.
 * @param publicUrl the URL for browsers behind a proxy
 */
export function isKnownHost(host = '', publicUrl?: string): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  return (
    name === 'localhost' ||
    isIP(name) !== 0 ||
    (publicUrl !== undefined && host.toLowerCase() === new URL(publicUrl).host)
  );
}

/** The URL of a server for programs on this machine: loopback where it listens on all addresses. */
export function urlOf(server: Server, host: string): string {
  const address = server.address();
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Compares secrets in a time that says nothing of them. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A long text is its beginning and an iterator for the rest. */
export type ReplyBody = string | Uint8Array | { beginning: string; rest: Iterable<string> };

/** A response as it goes over the wire. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: ReplyBody;
}

/** A value as JSON. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  jsonReply(status, JSON.stringify(body), headers);

/** @param text the body, already serialized */
export const jsonReply = (status: number, text: ReplyBody, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: text,
});

/** Writes a response, unless the connection is closed or one was written. Streams a long text at the caller's pace. */
export async function writeReply(response: ServerResponse, { status, headers, body = '' }: Reply): Promise<void> {
  if (response.destroyed || response.headersSent) return;
  const sent = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', ...headers };
  if (typeof body === 'string' || body instanceof Uint8Array) {
    // RFC 9110, section 8.6: a 204 has no Content-Length.
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { ...sent, ...length });
    response.end(body);
    return;
  }
  response.writeHead(status, sent);
  response.write(body.beginning);
  try {
    await pipeline(Readable.from(body.rest), response);
  } catch (error) {
    if (!isCallerGone(error)) throw error;
  }
}

function isCallerGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
