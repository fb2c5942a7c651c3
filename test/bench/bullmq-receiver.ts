import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createClient } from '@redis/client';
import { createNodeRedisClient, Queue } from 'bullmq';
import { webhookSecret } from '../support/event.ts';

/*
 * A program with a receiver as the documentation of BullMQ shows it: it checks the signature, adds a job whose ID is that of the
 * event, so that a repeated one is ignored, and answers. Its Redis is the one in `process.argv[2]`; nothing works on the jobs.
 * It sends its port to its parent and exits with it.
 */

const connection = createNodeRedisClient(await createClient({ url: process.argv[2] ?? '' }).connect());
const queue = new Queue('webhooks', { connection });

function isAuthentic(body: Buffer, signature: unknown): boolean {
  const expected = createHmac('sha256', webhookSecret).update(body).digest();
  const given = Buffer.from(String(signature), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function take(body: Buffer, signature: unknown): Promise<number> {
  if (!isAuthentic(body, signature)) return 401;
  const event = JSON.parse(body.toString()) as { event_id: string };
  await queue.add('response.submitted', event, { jobId: event.event_id });
  return 200;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    void take(Buffer.concat(chunks), request.headers['x-webhook-signature']).then((status) =>
      response.writeHead(status, { 'content-length': 0 }).end(),
    );
  });
}).listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.on('disconnect', () => process.exit());
