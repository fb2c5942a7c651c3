import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import * as z from 'zod';
import { commandPayload } from '../../src/sandbox/workspace/delivery/payloads.ts';
import { encodeBody, signedHeaders } from '../../src/sandbox/workspace/delivery/http-transport.ts';
import type { Channel } from '../../src/sandbox/workspace/model.ts';
import { channels, people, teamId } from '../../src/sandbox/workspace/people.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { signingSecret } from '../support/process-test-bed.ts';

/*
 * A program that runs the same operation by command and as a tool, in turns, and reports the times in milliseconds: of a
 * command until its answer arrives at the response URL, of a tool until the end of the response.
 */

const options = z
  .object({ url: z.string(), command: z.string(), text: z.string(), tool: z.string(), calls: z.number() })
  .parse(JSON.parse(process.argv[2] ?? ''));
/** A new process is slow. */
const warmUpCalls = 40;

const answers = new EventEmitter();
const responseUrl = await listenOnLoopback(
  createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.end('ok');
      answers.emit(incoming.url ?? '');
    });
  }),
);

const agent = new Agent({ connections: 1 });
const times = { command: [] as number[], tool: [] as number[] };
for (let number = 1; number <= warmUpCalls + options.calls; number += 1) {
  for (const [door, run] of [
    ['command', runCommand],
    ['tool', callTool],
  ] as const) {
    const tookMs = await run(number);
    if (number > warmUpCalls) times[door].push(tookMs);
  }
}
process.send?.(times);
process.disconnect?.();
process.exit();

async function runCommand(number: number): Promise<number> {
  const channel: Channel = { ...channels.results, members: [...channels.results.members] };
  const payload = commandPayload({
    person: people.ada,
    channel,
    command: options.command,
    text: options.text,
    triggerId: '1.2.3',
    responseUrl: `${responseUrl}/${number}`,
  });
  const { contentType, body } = encodeBody('command', payload);
  const answered = once(answers, `/${number}`);
  const begin = performance.now();
  await post('/slack/events', contentType, body);
  await answered;
  return performance.now() - begin;
}

async function callTool(number: number): Promise<number> {
  const slack = { user_id: people.ada.id, team_id: teamId, enterprise_id: null };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: number,
    method: 'tools/call',
    params: { name: options.tool, arguments: {}, _meta: { slack } },
  });
  const begin = performance.now();
  const answer = await post('/mcp', 'application/json', body);
  const tookMs = performance.now() - begin;
  if (!answer.includes('"status":"done"')) throw new Error(`${options.tool} returned ${answer.slice(0, 500)}`);
  return tookMs;
}

async function post(path: string, contentType: string, body: string): Promise<string> {
  const headers = {
    'content-type': contentType,
    accept: 'application/json, text/event-stream',
    ...signedHeaders(signingSecret, Date.now(), body),
  };
  const { statusCode, body: answer } = await request(`${options.url}${path}`, {
    method: 'POST',
    headers,
    body,
    dispatcher: agent,
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}: ${text.slice(0, 500)}`);
  return text;
}
