import type { IncomingMessage, ServerResponse } from 'node:http';

/** Something the bot cannot work without; rejects when it is not well. */
export type Checks = Readonly<Record<string, () => Promise<void>>>;

/** `GET /readyz`: 200 when every check passes, 503 otherwise, and which ones did not, as JSON. */
export function createReadinessRoute(checks: Checks) {
  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check().then(() => 'ok', reason)] as const),
    );
    const isReady = results.every(([, result]) => result === 'ok');
    answer(response, isReady ? 200 : 503, { ready: isReady, ...Object.fromEntries(results) });
  };
}

/** `GET /healthz`: the process answers. */
export function answerHealth(_request: IncomingMessage, response: ServerResponse): void {
  answer(response, 200, { alive: true });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
