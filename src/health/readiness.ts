import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemWithCode, type Health } from './health.ts';

/**
 * `GET /readyz`: 200 when no finding stops the bot and it is not stopping, otherwise 503. The JSON has each check with `ok` or its
 * problem.
 */
export function createReadinessRoute({
  health,
  isStopping = () => false,
}: {
  health: Health;
  isStopping?: () => boolean;
}) {
  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const results = await health.look();
    const isReady = !isStopping() && results.every(({ finding }) => finding?.effect !== 'stops');
    const body = {
      ready: isReady,
      ...(isStopping() && { bot: 'is shutting down' }),
      ...Object.fromEntries(
        results.map(({ check, finding }) => [check.name, finding ? problemWithCode(finding) : 'ok']),
      ),
    };
    response
      .writeHead(isReady ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(`${JSON.stringify(body)}\n`);
  };
}
