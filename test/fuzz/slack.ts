import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Pool } from 'undici';
import { encodeBody } from '../../src/sandbox/workspace/delivery/dispatcher.ts';
import { signingSecret } from '../support/open-test-bed.ts';
import { startFuzzedBot } from './fuzzed-bot.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { fuzz, type FuzzOptions, type FuzzRow } from './run.ts';
import { slackSamples } from './samples.ts';
import { createServer } from 'node:http';
import { checkBlocks, checkView } from '../../src/sandbox/workspace/block-kit/validate.ts';
import { botId, botUserId, people, teamId } from '../../src/sandbox/workspace/people.ts';
import { listenOnLoopback } from '../support/loopback.ts';

export const signing = fc.oneof(
  { weight: 8, arbitrary: fc.constant('valid' as const) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'nothing',
      'another secret',
      'another body',
      'another version',
      'cut off',
      'empty',
      'too old',
      'too early',
      'no time',
    ),
  },
);

function rarely<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 19, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });
}

/** Fields that are never mutated, because the bot calls the URL in them. */
const unchangedFields = ['response_url'];

/** Sends mutated payloads of every kind. Most have a valid signature, so that they reach the listeners. */
export async function fuzzSlack(options: FuzzOptions): Promise<FuzzRow> {
  const slack = await startLenientSlack();
  const samples = await slackSamples(slack.url);
  const bot = await startFuzzedBot({ SLACK_API_URL: `${slack.url}/api/` });
  const pool = new Pool(bot.url, { connections: 32, headersTimeout: 20_000, bodyTimeout: 20_000 });

  const encoded = fc.nat(samples.length - 1).chain((index) => {
    const { kind, body: sample } = samples[index]!;
    return mutatedValue([sample]).map((value) => {
      const isObject = typeof value === 'object' && value !== null;
      if (!isObject) return { contentType: 'application/json', body: JSON.stringify(value) ?? '' };
      for (const name of unchangedFields)
        if (name in sample && name in value) Object.assign(value, { [name]: sample[name] });
      return encodeBody(kind, toForm(value as Record<string, unknown>, kind === 'command'));
    });
  });
  const deliveries = fc.record({
    encoded: encoded.chain(({ contentType, body }) =>
      mutatedText(fc.constant(body)).map((text) => ({ contentType, body: text })),
    ),
    way: signing,
    contentType: rarely(
      fc.constantFrom(
        '',
        'text/plain',
        'application/json; charset=utf-8',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded; charset=utf-8',
      ),
    ),
    retry: rarely(fc.constantFrom('1', '-1', 'x', '99999999999999999999')),
  });

  async function tryValue({
    encoded: { contentType, body },
    way,
    contentType: otherType,
    retry,
  }: typeof deliveries extends fc.Arbitrary<infer One> ? One : never): Promise<string> {
    const headers = {
      'content-type': otherType ?? contentType,
      ...(retry !== null && { 'x-slack-retry-num': retry }),
      ...headersFor(way, body),
    };
    const { statusCode, body: answer } = await pool.request({ method: 'POST', path: '/slack/events', headers, body });
    await answer.dump();
    const isCertificateCheck =
      headers['content-type'].startsWith('application/x-www-form-urlencoded') &&
      new URLSearchParams(body).get('ssl_check') === '1';
    const allowed = isCertificateCheck ? [200] : way === 'valid' ? [200, 400, 404] : [401];
    if (!allowed.includes(statusCode)) throw new Error(`${way}: ${statusCode} to ${body.slice(0, 2_000)}`);
    if (bot.faults.length > 0) throw new Error(bot.faults.join('\n'));
    if (slack.refused.length > 0) throw new Error(`${slack.refused.join('\n')} after ${body.slice(0, 2_000)}`);
    return `${way === 'valid' ? 'signed' : 'not signed'} ${statusCode}`;
  }

  try {
    return await fuzz(
      'slack',
      { concurrency: Math.min(400, options.count), ...options },
      deliveries,
      tryValue,
      bot.memory,
    );
  } finally {
    await pool.destroy();
    await bot.close();
    slack.close();
  }
}

export function headersFor(way: string, body: string): Record<string, string> {
  const sign = (timestamp: string, text: string, secret = signingSecret) =>
    createHmac('sha256', secret).update(`v0:${timestamp}:${text}`).digest('hex');
  const nowS = Math.floor(Date.now() / 1000);
  const headers = (timestamp: string, signature: string) => ({
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': signature,
  });
  const now = String(nowS);
  switch (way) {
    case 'valid':
      return headers(now, `v0=${sign(now, body)}`);
    case 'nothing':
      return {};
    case 'another secret':
      return headers(now, `v0=${sign(now, body, 'another')}`);
    case 'another body':
      return headers(now, `v0=${sign(now, `${body} `)}`);
    case 'another version':
      return headers(now, `v1=${sign(now, body)}`);
    case 'cut off':
      return headers(now, `v0=${sign(now, body).slice(0, 30)}`);
    case 'empty':
      return headers(now, '');
    case 'too old':
      return headers(String(nowS - 310), `v0=${sign(String(nowS - 310), body)}`);
    case 'too early':
      return headers(String(nowS + 310), `v0=${sign(String(nowS + 310), body)}`);
    default:
      return headers('NaN', `v0=${sign('NaN', body)}`);
  }
}

/** Converts the values of a form to text. */
function toForm(value: Record<string, unknown>, isForm: boolean): Record<string, unknown> {
  if (!isForm) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' ? field : (JSON.stringify(field) ?? ''),
    ]),
  );
}

/** A Slack that accepts every trigger, URL and token, unlike the sandbox workspace. It checks blocks like the sandbox. */
interface LenientSlack {
  url: string;
  /** Errors of messages and views that Slack would reject. */
  refused: string[];
  close(): void;
}

/** One call in this many fails. */
const failsEvery = 50;

async function startLenientSlack(): Promise<LenientSlack> {
  const refused: string[] = [];
  let calls = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = request.headers['content-type']?.includes('json')
        ? (JSON.parse(text) as Record<string, unknown>)
        : Object.fromEntries(new URLSearchParams(text));
      const method = (request.url ?? '').replace(/^\/api\//, '');
      refused.push(...faultsOf(body).map((fault) => `${method}: ${fault}`));
      calls += 1;
      const answer =
        calls % failsEvery === 0 && method !== 'auth.test'
          ? { ok: false, error: 'internal_error' }
          : answerTo(method, body);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.keepAliveTimeout = 65_000;
  return {
    url: await listenOnLoopback(server),
    refused,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answerTo(method: string, body: Record<string, unknown>): object {
  switch (method) {
    case 'auth.test':
      return { ok: true, team_id: teamId, user_id: botUserId, bot_id: botId };
    case 'users.info': {
      const person = Object.values(people).find(({ id }) => id === body['user']);
      return person
        ? { ok: true, user: { id: person.id, team_id: teamId, profile: { email: person.email } } }
        : { ok: false, error: 'user_not_found' };
    }
    case 'users.lookupByEmail': {
      const person = Object.values(people).find(({ email }) => email === body['email']);
      return person ? { ok: true, user: { id: person.id } } : { ok: false, error: 'users_not_found' };
    }
    default:
      return {
        ok: true,
        view: { id: 'V0FUZZ', hash: '1' },
        channel: method === 'conversations.open' ? { id: 'D0FUZZ' } : 'C0FUZZ',
        ts: '1.000001',
        messages: [],
      };
  }
}

function faultsOf(body: Record<string, unknown>): string[] {
  if (body['view'] !== undefined) return checkView(parsed(body['view'])).errors ?? [];
  if (body['blocks'] !== undefined) return checkBlocks(parsed(body['blocks']), { surface: 'message' }).errors ?? [];
  return [];
}

const parsed = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);
