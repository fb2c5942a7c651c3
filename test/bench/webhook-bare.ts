import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { webhookSecret } from '../support/event.ts';

/* A program with a bare HTTP server that checks the signature of a webhook and stores nothing. It sends its port to its parent and exits with it. */

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const expected = createHmac('sha256', webhookSecret).update(Buffer.concat(chunks)).digest();
    const given = Buffer.from(String(request.headers['x-webhook-signature']), 'hex');
    const isAuthentic = given.length === expected.length && timingSafeEqual(given, expected);
    response.writeHead(isAuthentic ? 200 : 401, { 'content-type': 'text/plain', 'content-length': 3 }).end('ok\n');
  });
}).listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.on('disconnect', () => process.exit());
