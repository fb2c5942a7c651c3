import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const bodyLimitBytes = 25 * 1024 * 1024;

/** @throws Error when the body is over 25 MiB */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimitBytes) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

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
