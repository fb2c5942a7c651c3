import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from './loopback.ts';

/** Asks a route that answers with JSON, over HTTP. */
export async function askRoute(
  route: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ status: number; body: unknown; text: string }> {
  const server = createServer((request, response) => void route(request, response));
  onTestFinished(() => void server.close());
  const response = await fetch(await listenOnLoopback(server));
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text };
}
