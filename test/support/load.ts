import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, Pool, request } from 'undici';
import { encodeBody, signedHeaders } from '../../src/sandbox/workspace/delivery/dispatcher.ts';
import { commandPayload } from '../../src/sandbox/workspace/delivery/payloads.ts';
import { channels, people, teamId } from '../../src/sandbox/workspace/people.ts';
import { apart, tellProgress } from './apart.ts';
import { numberedSubmission, sign, webhookSecret } from './event.ts';
import { listenOnLoopback } from './loopback.ts';
import { signingSecret } from './process-test-bed.ts';

/*
 * What sends signed commands and webhooks to bots, each load from a process of its own, so that the bot, the workspace and what
 * measures them do not wait for it.
 */

type Quiz = { id: string; name: string };

interface WebhookLoad {
  /** The webhook receivers, used in turn. */
  urls: readonly string[];
  count: number;
  /** Separates the events of this load from those of other loads. */
  eventIdPrefix: string;
  /** The quizzes of the submissions, used in turn. Default: one sample quiz. */
  quizzes?: readonly Quiz[];
  /** Where the receivers take them, and how they are signed. Default: as a bot that is alone in its process. */
  path?: string;
  secret?: string;
}

/** In milliseconds, by the clock of the system. */
interface Sent {
  beganAt: number;
  /** Until the last response. */
  tookMs: number;
}

/**
 * Sends webhooks as fast as the receivers answer.
 *
 * @throws if a response is not 200
 */
export async function sendWebhooks(load: WebhookLoad): Promise<Sent> {
  const { refused, ...sent } = await apart(import.meta.url, webhooksAtOnce, [load]);
  if (refused > 0) throw new Error(`${refused} of ${load.count} webhooks were not answered 200`);
  return sent;
}

/** Each connection has one request in flight. */
const connections = 64;

/** Writes prepared bytes, and looks only for the end of each response: what is measured is the receiver. */
export async function webhooksAtOnce(load: WebhookLoad): Promise<Sent & { refused: number }> {
  const targets = load.urls.map((url) => new URL(url));
  const requests = Array.from({ length: load.count }, (_, index) => rawWebhook(load, index + 1));
  let [next, refused] = [0, 0];

  async function sendUntilDone(socket: Socket): Promise<void> {
    const done = Promise.withResolvers<void>();
    let received = '';
    const sendNext = () => {
      const bytes = requests[next];
      next += 1;
      if (bytes === undefined) {
        socket.end();
        done.resolve();
      } else socket.write(bytes);
    };
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

  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, index) => open(targets[index % targets.length]!)),
  );
  const [beganAt, begin] = [Date.now(), performance.now()];
  await Promise.all(sockets.map(sendUntilDone));
  return { beganAt, tookMs: performance.now() - begin, refused };
}

async function open({ hostname, port }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

function isComplete(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= headEnd + 4 + Number(length);
}

function rawWebhook(load: WebhookLoad, number: number): Buffer {
  const { urls, quizzes = [], eventIdPrefix, path = '/webhooks/quiz', secret = webhookSecret } = load;
  const quiz = quizzes[number % quizzes.length];
  const body = numberedSubmission(number, { eventIdPrefix, ...(quiz && { quiz }) });
  return Buffer.from(
    [
      `POST ${path} HTTP/1.1`,
      `host: ${new URL(urls[0]!).host}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-webhook-signature: ${sign(body, secret)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

/** Somebody’s `/quiz list`, or another way to ask for it. */
interface Asked {
  url: string;
  /** Default: that of a bot by itself. */
  path?: string;
  /** The signing secret. Default: that of the test bed. */
  secret?: string | undefined;
  /** Whether commands are answered at their response URL. */
  answers: boolean;
  /** What is typed. Default: `/quiz list`. */
  command?: string;
  text?: string;
  /** The tool that is called instead of a command. */
  tool?: string;
}

interface TurnsLoad {
  /** Which are asked in turn. */
  asked: readonly Asked[];
  /** For each of them, besides those that warm it up. */
  bursts: number;
  /** The commands of a burst. */
  atOnce: number;
}

/** How long each took, in milliseconds; answers of what does not answer took 0, and a tool answers where it acknowledges. */
interface Times {
  acknowledgedMs: number[];
  answeredMs: number[];
}

/**
 * Asks several in turn, burst by burst and in either order, so that a busy machine holds up all of them alike. If one also answers
 * its commands, the next burst waits for the answers, so that the times do not include the work of earlier commands.
 *
 * @returns the times of each
 */
export async function askInTurn(load: TurnsLoad): Promise<Times[]> {
  return apart(import.meta.url, turns, [load]);
}

const betweenBurstsMs = 5;
/** A new process is slow. */
const warmUpBursts = 20;

export async function turns({ asked, bursts, atOnce }: TurnsLoad): Promise<Times[]> {
  const answers = new EventEmitter();
  const responseUrl = await listenOnLoopback(
    createServer((incoming, response) => {
      incoming.resume().on('end', () => {
        response.end('ok');
        answers.emit(incoming.url ?? '');
      });
    }),
  );
  const dispatcher = new Agent({ connections: atOnce });

  async function ask(one: Asked, path: string): Promise<{ acknowledged: number; answered: number }> {
    const { body, headers, path: ownPath } = one.tool === undefined ? command(one, responseUrl + path) : toolCall(one);
    const begin = performance.now();
    const took = () => performance.now() - begin;
    const answering = one.answers && one.tool === undefined ? once(answers, path).then(took) : undefined;
    const answer = await request(one.url + (one.path ?? ownPath), { method: 'POST', headers, body, dispatcher });
    const text = await answer.body.text();
    const acknowledged = took();
    if (answer.statusCode !== 200 || (one.tool !== undefined && !text.includes('"status":"done"')))
      throw new Error(`${one.tool ?? 'a command'} returned ${answer.statusCode}: ${text.slice(0, 500)}`);
    return { acknowledged, answered: one.tool === undefined ? ((await answering) ?? 0) : acknowledged };
  }

  const times = asked.map((): Times => ({ acknowledgedMs: [], answeredMs: [] }));
  for (let burst = 1; burst <= warmUpBursts + bursts; burst += 1) {
    const inTurn = [...asked.entries()];
    for (const [number, one] of burst % 2 === 0 ? inTurn : inTurn.toReversed()) {
      const sent = await Promise.all(
        Array.from({ length: atOnce }, (_, index) => ask(one, `/${number}-${burst}-${index}`)),
      );
      if (burst > warmUpBursts) {
        times[number]!.acknowledgedMs.push(...sent.map(({ acknowledged }) => acknowledged));
        times[number]!.answeredMs.push(...sent.map(({ answered }) => answered));
      }
      await pause(betweenBurstsMs);
    }
  }
  return times;
}

interface Request {
  path: string;
  headers: Record<string, string>;
  body: string;
}

function command(
  { command: typed = '/quiz', text = 'list', secret = signingSecret }: Partial<Asked>,
  responseUrl: string,
): Request {
  const channel = { ...channels.results, members: [...channels.results.members] };
  const given = { command: typed, text, response_url: responseUrl, trigger_id: '1.2.3' };
  const payload = commandPayload(people.ada, channel, given);
  const { contentType, body } = encodeBody('command', payload);
  return {
    path: '/slack/events',
    headers: { 'content-type': contentType, ...signedHeaders(secret, Date.now(), body) },
    body,
  };
}

function toolCall({ tool, secret = signingSecret }: Asked): Request {
  const slack = { user_id: people.ada.id, team_id: teamId, enterprise_id: null };
  const params = { name: tool, arguments: {}, _meta: { slack } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return {
    path: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...signedHeaders(secret, Date.now(), body),
    },
    body,
  };
}

interface SteadyLoad {
  url: string;
  /** The base of the `response_url` of each command. */
  answersUrl: string;
  /** Of commands, and of webhooks. */
  perSecond: number;
  seconds: number;
  quizzes: readonly Quiz[];
}

export interface Minute {
  sent: number;
  errors: string[];
  /** The acknowledgement times in milliseconds. */
  tookMs: { command: number[]; webhook: number[] };
}

/** Sends commands and webhooks at a constant rate, without waiting for responses: waiting would hide slow ones from the figures. */
export async function sendSteadily(load: SteadyLoad, onMinute: (minute: Minute) => void): Promise<void> {
  onMinute(await apart(import.meta.url, steadily, [load], (minute) => onMinute(minute as Minute)));
}

/** @returns the last minute; the others are told */
export async function steadily({ url, answersUrl, perSecond, seconds, quizzes }: SteadyLoad): Promise<Minute> {
  const pool = new Pool(url, { connections, headersTimeout: 10_000, bodyTimeout: 10_000 });
  const inFlight = new Set<Promise<void>>();
  const emptyMinute = (): Minute => ({ sent: 0, errors: [], tookMs: { command: [], webhook: [] } });
  let minute = emptyMinute();

  async function send(kind: 'command' | 'webhook', { path, headers, body }: Request): Promise<void> {
    minute.sent += 1;
    const begin = performance.now();
    try {
      const answer = await pool.request({ method: 'POST', path, headers, body });
      await answer.body.dump();
      minute.tookMs[kind].push(performance.now() - begin);
      if (answer.statusCode !== 200) minute.errors.push(`${kind}: ${answer.statusCode}`);
    } catch (error) {
      minute.errors.push(`${kind}: ${String(error)}`);
    }
  }

  function webhook(number: number): Request {
    const body = numberedSubmission(number, { quiz: quizzes[number % quizzes.length]!, eventIdPrefix: 'steady' });
    return {
      path: '/webhooks/quiz',
      headers: { 'content-type': 'application/json', 'x-webhook-signature': sign(body) },
      body,
    };
  }

  const begin = performance.now();
  let [number, minutes] = [0, 0];
  for (let elapsedS = 0; elapsedS < seconds; elapsedS = (performance.now() - begin) / 1_000) {
    for (; number < elapsedS * perSecond; number += 1)
      for (const sending of [
        send('command', command({}, `${answersUrl}/${number}`)),
        send('webhook', webhook(number)),
      ]) {
        inFlight.add(sending);
        void sending.finally(() => inFlight.delete(sending));
      }
    if (elapsedS >= 60 * (minutes + 1)) {
      minutes += 1;
      tellProgress(minute);
      minute = emptyMinute();
    }
    await pause(5);
  }
  await Promise.all(inFlight);
  return minute;
}
