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
 * A program that sends concurrent `/quiz list` commands to apps in turn, burst by burst and in either order, so that a busy
 * machine holds up all of them alike. It reports in milliseconds, for each app, how long each acknowledgement took, and each answer until it arrived at
 * the response URL. If an app also answers the commands, the next burst waits for the answers, so that the times do not include
 * the work of earlier commands.
 */

const appSchema = z.object({
  url: z.string(),
  path: z.string().default('/slack/events'),
  secret: z.string().default(signingSecret),
  answers: z.boolean(),
});
type App = z.infer<typeof appSchema>;

const { apps, bursts, atOnce } = z
  .object({ apps: z.array(appSchema), bursts: z.number(), atOnce: z.number() })
  .parse(JSON.parse(process.argv[2] ?? ''));
const betweenBurstsMs = 5;
/** A new process is slow. */
const warmUpBursts = 20;

const answers = new EventEmitter();
const responseUrl = await listenOnLoopback(
  createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.end('ok');
      answers.emit(incoming.url ?? '');
    });
  }),
);

const agent = new Agent({ connections: atOnce });
const times = apps.map(() => ({ acknowledgedMs: [] as number[], answeredMs: [] as number[] }));
for (let burst = 1; burst <= warmUpBursts + bursts; burst += 1) {
  const inTurn = [...apps.entries()];
  for (const [number, app] of burst % 2 === 0 ? inTurn : inTurn.toReversed()) {
    const sent = await Promise.all(
      Array.from({ length: atOnce }, (_, index) => send(app, `/${number}-${burst}-${index}`)),
    );
    if (burst > warmUpBursts) {
      times[number]!.acknowledgedMs.push(...sent.map(({ acknowledged }) => acknowledged));
      times[number]!.answeredMs.push(...sent.map(({ answered }) => answered));
    }
    await pause(betweenBurstsMs);
  }
}
process.send?.(times);
process.disconnect?.();
process.exit();

/** @param path of the response URL, one for each command */
async function send(app: App, path: string): Promise<{ acknowledged: number; answered: number }> {
  const channel: Channel = { ...channels.results, members: [...channels.results.members] };
  const payload = commandPayload({
    person: people.ada,
    channel,
    command: '/quiz',
    text: 'list',
    triggerId: '1.2.3',
    responseUrl: `${responseUrl}${path}`,
  });
  const { contentType, body } = encodeBody('command', payload);
  const headers = { 'content-type': contentType, ...signedHeaders(app.secret, Date.now(), body) };
  const begin = performance.now();
  const took = () => performance.now() - begin;
  const answering = app.answers ? once(answers, path).then(took) : 0;
  const answer = await request(app.url + app.path, { method: 'POST', headers, body, dispatcher: agent });
  await answer.body.dump();
  const acknowledged = took();
  if (answer.statusCode !== 200) throw new Error(`/quiz list returned ${answer.statusCode}`);
  return { acknowledged, answered: await answering };
}
