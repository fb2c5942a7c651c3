import { connect } from 'node:net';
import { once } from 'node:events';
import * as z from 'zod';
import { numberedSubmission, sign, webhookSecret } from './event.ts';

/*
 * A program that sends webhooks as fast as the receivers answer. It sends the message `ready` when every request is
 * signed, starts when it receives a message, and reports the result. The client writes prepared bytes and looks only
 * for the end of each response, so that the benchmark measures the receiver and not the client.
 */

const options = z
  .object({
    urls: z.array(z.string()),
    count: z.number(),
    eventIdPrefix: z.string(),
    path: z.string().default('/webhooks/quiz'),
    secret: z.string().default(webhookSecret),
    quizzes: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

/** Each connection has one request in flight. */
const connections = 64;
const targets = options.urls.map((url) => new URL(url));
const requests = Array.from({ length: options.count }, (_, index) => rawRequest(index + 1));
let next = 0;
let refused = 0;

process.once('message', () => {
  void (async () => {
    const sockets = await Promise.all(
      Array.from({ length: connections }, (_, index) => open(targets[index % targets.length]!)),
    );
    const begin = performance.now();
    await Promise.all(sockets.map(sendUntilDone));
    process.send?.({ ms: performance.now() - begin, refused });
  })();
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

type Socket = ReturnType<typeof connect>;

async function open({ hostname, port }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname).setNoDelay();
  await once(socket, 'connect');
  return socket;
}

async function sendUntilDone(socket: Socket): Promise<void> {
  const done = Promise.withResolvers<void>();
  let received = '';
  const sendNext = () => {
    const request = requests[next];
    next += 1;
    if (request === undefined) {
      socket.end();
      done.resolve();
    } else socket.write(request);
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (!isComplete(received)) return;
    if (!received.startsWith('HTTP/1.1 200')) refused += 1;
    received = '';
    sendNext();
  });
  socket.on('error', done.reject);
  socket.on('close', () => done.reject(new Error('the receiver closed the connection')));
  sendNext();
  await done.promise;
}

function isComplete(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= headEnd + 4 + Number(length);
}

function rawRequest(number: number): Buffer {
  const quiz = options.quizzes[number % options.quizzes.length];
  const body = numberedSubmission(number, { eventIdPrefix: options.eventIdPrefix, ...(quiz && { quiz }) });
  const target = targets[0]!;
  return Buffer.from(
    [
      `POST ${options.path} HTTP/1.1`,
      `host: ${target.host}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-webhook-signature: ${sign(body, options.secret)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
