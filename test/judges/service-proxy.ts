import { Agent, createServer, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../support/loopback.ts';

export interface ServiceProxy {
  url: string;
  close(): void;
}

export interface ServiceCall {
  method: string;
  path: string;
  body: string;
}

/**
 * Stands between the bot and the quiz service. `beforeCall` and `afterCall` can wait.
 *
 * @param hooks.edit changes the answers
 */
export async function startServiceProxy(
  targetUrl: string,
  hooks: {
    beforeCall?: (call: ServiceCall) => void | Promise<void>;
    afterCall?: (call: ServiceCall) => void | Promise<void>;
    edit?: (text: string) => string;
  },
): Promise<ServiceProxy> {
  const { hostname, port } = new URL(targetUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const server = createServer((incoming, answer) => {
    void (async () => {
      const body = await buffer(incoming);
      const call = { method: incoming.method ?? '', path: incoming.url ?? '', body: body.toString() };
      await hooks.beforeCall?.(call);
      const { host: __, ...headers } = incoming.headers;
      const outgoing = send(
        {
          hostname,
          port,
          path: incoming.url,
          method: incoming.method,
          headers: { ...headers, host: `${hostname}:${port}` },
          agent,
        },
        (response) => {
          void (async () => {
            const content = await buffer(response);
            const edited = hooks.edit ? Buffer.from(hooks.edit(content.toString())) : content;
            await hooks.afterCall?.(call);
            const { 'transfer-encoding': _, ...kept } = response.headers;
            answer
              .writeHead(response.statusCode ?? 502, { ...kept, 'content-length': String(edited.length) })
              .end(edited);
          })().catch(() => answer.destroy());
        },
      );
      outgoing.on('error', () => answer.destroy());
      outgoing.end(body);
    })().catch(() => answer.destroy());
  });
  server.keepAliveTimeout = 65_000;
  return {
    url: await listenOnLoopback(server),
    close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
