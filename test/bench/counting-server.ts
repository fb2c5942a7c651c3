import { createServer } from 'node:http';
import { createCountingService } from '../support/mock-service.ts';

/*
 * A program with a service that accepts `process.argv[2]` requests in any `process.argv[3]` milliseconds and refuses
 * more. It sends its port to its parent, answers each message with its arrivals, and exits with its parent.
 */

const [limit, windowMs] = [Number(process.argv[2]), Number(process.argv[3])];
const service = createCountingService([{ limit, windowMs }], () => performance.now());

const server = createServer((_request, response) => {
  const retryAfterMs = service.request();
  if (retryAfterMs === null) response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  else
    response
      .writeHead(429, { 'retry-after': String(retryAfterMs / 1000) })
      .end('{"message":"Exceeded request rate limit"}');
}).listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.on('message', () => process.send?.({ arrivals: service.arrivals, refused: service.refused() }));
process.on('disconnect', () => process.exit());
