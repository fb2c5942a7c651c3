import { createServer, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into whatever came
  event: any;
}

interface Receiver {
  url: string;
  received: Received[];
  /** Resolves with the first `count` calls once they have arrived. */
  next: (count: number) => Promise<Received[]>;
}

/** An endpoint for webhooks. @param statusOf the status for the n-th call, from 1; undefined: no response */
export async function startReceiver(statusOf: (call: number) => number | undefined = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, body, event: JSON.parse(body.replace(/^\ufeff/, '')) });
      const status = statusOf(received.length);
      if (status !== undefined) response.writeHead(status).end();
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
    received,
    next: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received.slice(0, count));
        };
        waiting.add(check);
        check();
      }),
  };
}
