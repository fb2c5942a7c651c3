import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import * as z from 'zod';
import { encodeBody, signedHeaders } from '../../src/sandbox/workspace/delivery/http-transport.ts';
import { commandPayload } from '../../src/sandbox/workspace/delivery/payloads.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { signingSecret } from '../support/process-test-bed.ts';
import { sign, numberedSubmission } from '../support/event.ts';

/*
 * A program that sends commands and webhooks at a constant rate, without waiting for responses: waiting would hide slow
 * responses from the figures. It reports its figures every minute.
 */

const options = z
  .object({
    botUrl: z.string(),
    /** The base of the `response_url` of each command. */
    answersUrl: z.string(),
    perSecond: z.number(),
    seconds: z.number(),
    quizzes: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

export interface Minute {
  kind: 'minute' | 'end';
  sent: number;
  errors: string[];
  /** The acknowledgement times in milliseconds. */
  tookMs: { command: number[]; webhook: number[] };
}

const pool = new Pool(options.botUrl, { connections: 64, headersTimeout: 10_000, bodyTimeout: 10_000 });
let minute: Minute = emptyMinute();
const inFlight = new Set<Promise<void>>();

function emptyMinute(): Minute {
  return { kind: 'minute', sent: 0, errors: [], tookMs: { command: [], webhook: [] } };
}

async function send(
  kind: 'command' | 'webhook',
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<void> {
  minute.sent += 1;
  const begin = performance.now();
  try {
    const { statusCode, body: answer } = await pool.request({ method: 'POST', path, headers, body });
    await answer.dump();
    minute.tookMs[kind].push(performance.now() - begin);
    if (statusCode !== 200) minute.errors.push(`${kind}: ${statusCode}`);
  } catch (error) {
    minute.errors.push(`${kind}: ${String(error)}`);
  }
}

function sendCommand(number: number): Promise<void> {
  const payload = commandPayload({
    person: people.ada,
    channel: channels.training,
    command: '/quiz',
    text: 'list',
    triggerId: `${number}.0`,
    responseUrl: `${options.answersUrl}/${number}`,
  });
  const { contentType, body } = encodeBody('command', payload);
  return send(
    'command',
    '/slack/events',
    { 'content-type': contentType, ...signedHeaders(signingSecret, Date.now(), body) },
    body,
  );
}

function sendWebhook(number: number): Promise<void> {
  const body = numberedSubmission(number, {
    quiz: options.quizzes[number % options.quizzes.length]!,
    eventIdPrefix: 'soak',
  });
  return send(
    'webhook',
    '/webhooks/quiz',
    { 'content-type': 'application/json', 'x-webhook-signature': sign(body) },
    body,
  );
}

const begin = performance.now();
let number = 0;
let minutes = 0;
for (;;) {
  const elapsedS = (performance.now() - begin) / 1_000;
  if (elapsedS >= options.seconds) break;
  for (; number < elapsedS * options.perSecond; number += 1) {
    for (const sending of [sendCommand(number), sendWebhook(number)]) {
      inFlight.add(sending);
      void sending.finally(() => inFlight.delete(sending));
    }
  }
  if (elapsedS >= 60 * (minutes + 1)) {
    minutes += 1;
    report('minute');
  }
  await pause(5);
}
await Promise.all(inFlight);
report('end');

function report(kind: Minute['kind']): void {
  process.send?.({ ...minute, kind });
  minute = emptyMinute();
}
process.on('disconnect', () => process.exit());
