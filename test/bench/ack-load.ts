import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import * as z from 'zod';
import { commandPayload } from '../../src/sandbox/workspace/delivery/payloads.ts';
import { encodeBody, signedHeaders } from '../../src/sandbox/workspace/delivery/http-transport.ts';
import type { Channel } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { signingSecret } from '../support/process-test-bed.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/*
 * A program that sends concurrent `/quiz list` commands and reports the time of each acknowledgement in milliseconds.
 * If the app also answers the commands, the next burst waits for the answers, so that the times do not include the work
 * of earlier commands.
 */

const options = z
  .object({ url: z.string(), bursts: z.number(), atOnce: z.number(), answers: z.boolean() })
  .parse(JSON.parse(process.argv[2] ?? ''));
const betweenBurstsMs = 5;
/** A new process is slow. */
const warmUpBursts = 20;

const answers = new EventEmitter();
let answered = 0;
const responseUrl = await listenOnLoopback(
  createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.end('ok');
      answered += 1;
      answers.emit('answer');
    });
  }),
);

const agent = new Agent({ connections: options.atOnce });
const timesMs: number[] = [];
for (let burst = 1; burst <= warmUpBursts + options.bursts; burst += 1) {
  const times = await Promise.all(Array.from({ length: options.atOnce }, acknowledge));
  if (burst > warmUpBursts) timesMs.push(...times);
  if (options.answers) await untilAnswered(burst * options.atOnce);
  await pause(betweenBurstsMs);
}
process.send?.(timesMs);
process.disconnect?.();
process.exit();

async function acknowledge(): Promise<number> {
  const channel: Channel = { ...channels.results, members: [...channels.results.members] };
  const payload = commandPayload({
    person: people.ada,
    channel,
    command: '/quiz',
    text: 'list',
    triggerId: '1.2.3',
    responseUrl,
  });
  const { contentType, body } = encodeBody('command', payload);
  const headers = { 'content-type': contentType, ...signedHeaders(signingSecret, Date.now(), body) };
  const begin = performance.now();
  const answer = await request(`${options.url}/slack/events`, { method: 'POST', headers, body, dispatcher: agent });
  await answer.body.dump();
  const tookMs = performance.now() - begin;
  if (answer.statusCode !== 200) throw new Error(`/quiz list returned ${answer.statusCode}`);
  return tookMs;
}

async function untilAnswered(count: number): Promise<void> {
  for (let left = count - answered; left > 0; left -= 1) await once(answers, 'answer');
}
