import { connect } from 'node:net';
import { once } from 'node:events';
import * as z from 'zod';
import { sign } from './event.ts';
import { submissionOf } from './numbered-person.ts';

/*
 * Sends webhooks as fast as they are answered, in a process of its own. Says `ready` when all are signed and
 * written; on any message sends them, and tells how it went. The client is as thin as can be, or it would be
 * what is measured: on each connection the bytes of one request after the other, and the answer's end looked for.
 */

const options = z.object({
  urls: z.array(z.string()),
  count: z.number(),
  eventIdPrefix: z.string(),
  quizzes: z.array(z.object({ id: z.string(), name: z.string() })),
}).parse(JSON.parse(process.argv[2] ?? ''));

/** Each has one request at a time under way. */
const connections = 64;
const targets = options.urls.map((url) => new URL(url));
const requests = Array.from({ length: options.count }, (_, index) => rawRequest(index + 1));
let next = 0;
let refused = 0;

process.once('message', () => {
  void (async () => {
    const sockets = await Promise.all(Array.from({ length: connections }, (_, index) => open(targets[index % targets.length]!)));
    const begin = performance.now();
    await Promise.all(sockets.map(sendUntilNoneIsLeft));
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

async function sendUntilNoneIsLeft(socket: Socket): Promise<void> {
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
    if (!isWhole(received)) return;
    if (!received.startsWith('HTTP/1.1 200')) refused += 1;
    received = '';
    sendNext();
  });
  socket.on('error', done.reject);
  socket.on('close', () => done.reject(new Error('the connection was closed')));
  sendNext();
  await done.promise;
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= headEnd + 4 + Number(length);
}

/** Signed for the bot, and with the headers that GitHub's webhooks have: each receiver reads its own. */
function rawRequest(number: number): Buffer {
  const quiz = options.quizzes[number % options.quizzes.length];
  const body = submissionOf(number, { eventIdPrefix: options.eventIdPrefix, ...(quiz && { quiz }) });
  const signature = sign(body);
  const target = targets[0]!;
  return Buffer.from([
    'POST /webhooks/quiz HTTP/1.1',
    `host: ${target.host}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-webhook-signature: ${signature}`,
    `x-hub-signature-256: sha256=${signature}`,
    'x-github-event: push',
    `x-github-delivery: ${options.eventIdPrefix}-${number}`,
    '',
    body,
  ].join('\r\n'));
}
