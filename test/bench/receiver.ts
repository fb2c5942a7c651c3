import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@redis/client';
import { createNodeRedisClient, Queue } from 'bullmq';
import { webhookSecret } from '../support/event.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/*
 * Receivers that check the signature, keep the event and answer; nothing works on what they keep. Each returns its URL.
 */

interface Event {
  event_id: string;
}

/** @param kept is called once the event is kept */
type Keep = (event: Event, text: string, kept: () => void) => void;

/**
 * The simplest way to lose no webhook that was answered with 200: events that arrive in one turn of the event loop share a commit,
 * and are answered once that is on the disk.
 */
export async function receiveInSqlite(file: string): Promise<string> {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE events (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `);
  const insert = database.prepare('INSERT OR IGNORE INTO events VALUES (?, ?)');
  let waiting: { id: string; text: string; kept: () => void }[] = [];

  function commit(): void {
    const group = waiting;
    waiting = [];
    database.exec('BEGIN IMMEDIATE');
    for (const { id, text } of group) insert.run(id, text);
    database.exec('COMMIT');
    for (const { kept } of group) kept();
  }

  return receive(({ event_id: id }, text, kept) => {
    waiting.push({ id, text, kept });
    if (waiting.length === 1) setImmediate(commit);
  });
}

/** As the documentation of BullMQ shows it: a job whose ID is that of the event, so that a repeated one is ignored. */
export async function receiveInBullmq(url: string): Promise<string> {
  const queue = new Queue('webhooks', { connection: createNodeRedisClient(await createClient({ url }).connect()) });
  return receive((event, _, kept) => void queue.add('response.submitted', event, { jobId: event.event_id }).then(kept));
}

function isAuthentic(body: Buffer, signature: unknown): boolean {
  const expected = createHmac('sha256', webhookSecret).update(body).digest();
  const given = Buffer.from(String(signature), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function receive(keep: Keep): Promise<string> {
  return listenOnLoopback(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      const answer = (status: number) => response.writeHead(status, { 'content-length': 0 }).end();
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        if (!isAuthentic(body, request.headers['x-webhook-signature'])) return answer(401);
        const text = body.toString();
        return keep(JSON.parse(text) as Event, text, () => answer(200));
      });
    }),
  );
}
