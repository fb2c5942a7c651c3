import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../http.ts';

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const bodyLimitBytes = 25 * 1024 * 1024;

export const bodyOf = (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> => readBody(request, bodyLimitBytes);

/** Sends a reply, unless the connection is closed or a reply was sent. */
export function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(reply.status, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...reply.headers,
  });
  response.end(reply.body);
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
});
