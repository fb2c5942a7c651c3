import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { webhookSecret } from '../support/event.ts';

/*
 * A program with the simplest receiver that loses no webhook it has answered with 200: it checks the signature, inserts the
 * event and answers once that is on the disk. Events that arrive in one turn of the event loop share a commit. Its database is
 * the file in `process.argv[2]`. It sends its port to its parent and exits with it.
 */

const database = new DatabaseSync(process.argv[2] ?? '');
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE events (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
`);
const insert = database.prepare('INSERT OR IGNORE INTO events VALUES (?, ?)');

interface Arrival {
  id: string;
  body: string;
  answer: (status: number) => void;
}

let waiting: Arrival[] = [];

function take(arrival: Arrival): void {
  waiting.push(arrival);
  if (waiting.length === 1) setImmediate(commit);
}

function commit(): void {
  const group = waiting;
  waiting = [];
  database.exec('BEGIN IMMEDIATE');
  for (const { id, body } of group) insert.run(id, body);
  database.exec('COMMIT');
  for (const { answer } of group) answer(200);
}

function isAuthentic(body: Buffer, signature: unknown): boolean {
  const expected = createHmac('sha256', webhookSecret).update(body).digest();
  const given = Buffer.from(String(signature), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  const answer = (status: number) => response.writeHead(status, { 'content-length': 0 }).end();
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (!isAuthentic(body, request.headers['x-webhook-signature'])) return answer(401);
    const text = body.toString();
    const { event_id: id } = JSON.parse(text) as { event_id: string };
    return take({ id, body: text, answer });
  });
}).listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.on('disconnect', () => process.exit());
