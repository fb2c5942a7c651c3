import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Pool } from 'undici';
import { people, teamId } from '../../src/sandbox/workspace/people.ts';
import { startFuzzedBot, type FuzzedBot } from './fuzzed-bot.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { fuzz, type FuzzOptions, type FuzzRow } from './run.ts';
import { headersFor, signing } from './slack.ts';

const slack = { user_id: people.ada.id, team_id: teamId, enterprise_id: null };
const call = (name: string, given: object, identity: object | null = slack) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given, _meta: { slack: identity } },
});

const closing = call('close-quiz', { quiz: 'workplace' });
const messages: readonly object[] = [
  closing,
  call('list-quizzes', { name: 'o' }),
  call('assign-quiz', { quiz: 'workplace', to: ['Kitchen', 'rosa almeida'], reason: 'x' }),
  call('subscribe-channel', { quiz: 'workplace', channel: 'C0TRAINING' }),
  call('delete-user', { user: 'rosa almeida', reason: 'x' }),
  { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: { slack } } },
  {
    jsonrpc: '2.0',
    id: 3,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
      _meta: { slack },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 4, method: 'ping' },
];

/** What is signed and still no call of a person: another payload of Slack’s, a batch, a call that names nobody or another workspace. */
const misused: readonly unknown[] = [
  [closing],
  [closing, closing],
  null,
  'tools/call',
  7,
  {},
  { ...closing, method: 7 },
  { type: 'event_callback', event: closing },
  call('close-quiz', { quiz: 'workplace' }, null),
  call('close-quiz', { quiz: 'workplace' }, { ...slack, team_id: 'T0OTHER' }),
  call('close-quiz', { quiz: 'workplace' }, { ...slack, team_id: null }),
  call('close-quiz', { quiz: 'workplace' }, { ...slack, user_id: ['U00000ADA'] }),
  call('close-quiz', { quiz: 'workplace' }, { ...slack, user_id: 'ada' }),
  call('run-batch', { plan: 'x' }),
  call('make-token', { name: 'x' }),
  call('toString', {}),
  call('close-quiz', { quiz: { toString: 'workplace' } }),
  call('close-quiz', { quiz: 'workplace', confirmed: 'yes' }),
];

const forgedToken = fc.constantFrom(
  '',
  'Bearer',
  'Bearer inv_',
  'Bearer null',
  `Bearer inv_${teamId}_${people.ada.id}_${randomBytes(32).toString('base64url')}`,
  `Bearer inv___proto___x_${'a'.repeat(43)}`,
  `bearer ${'x'.repeat(299)}`,
  'Basic YWRhOmFkYQ==',
);

/** Sends calls that nobody may make: forged, stale, unsigned, changed on the way, or signed and no call of a person. None reaches an operation. */
export async function fuzzForgedAgents(options: FuzzOptions): Promise<FuzzRow> {
  const unsigned = fc.record({
    body: mutatedText(
      fc.oneof(
        fc.constantFrom(...messages).map((message) => JSON.stringify(message)),
        mutatedValue(messages).map((value) => JSON.stringify(value) ?? ''),
      ),
    ),
    way: signing.filter((way) => way !== 'valid'),
    token: fc.option(forgedToken),
  });
  const signed = fc.record({
    body: fc.constantFrom(...misused).map((value) => JSON.stringify(value)),
    way: fc.constant('valid' as const),
    token: fc.option(forgedToken),
  });
  return withBot(
    options,
    'agents, forged',
    fc.oneof({ weight: 4, arbitrary: unsigned }, { weight: 1, arbitrary: signed }),
    async (_bot, pool, { body, way, token }) => {
      const { status } = await send(pool, body, {
        ...(token !== null && { authorization: token }),
        ...headersFor(way, body),
      });
      if (way !== 'valid' && status !== 401) throw new Error(`${way}: ${status} to ${body.slice(0, 2_000)}`);
      if (status >= 500) throw new Error(`${status} to ${body.slice(0, 2_000)}`);
      return `${way === 'valid' ? 'misused' : 'not signed'} ${status}`;
    },
    async (bot) => {
      const run = await operationsOf(bot);
      if (run > 0) throw new Error(`${run} operations were reached`);
    },
  );
}

/** Sends signed messages with mutated content: each is answered, and none crashes the bot or makes it fail. */
export function fuzzSignedAgents(options: FuzzOptions): Promise<FuzzRow> {
  const bodies = mutatedText(mutatedValue(messages).map((value) => JSON.stringify(value) ?? ''));
  return withBot(options, 'agents, signed', bodies, async (_bot, pool, body) => {
    const { status } = await send(pool, body, headersFor('valid', body));
    if (![200, 202, 400, 403, 404].includes(status)) throw new Error(`${status} to ${body.slice(0, 2_000)}`);
    return `signed ${status}`;
  });
}

async function withBot<Value>(
  options: FuzzOptions,
  name: string,
  values: fc.Arbitrary<Value>,
  tryValue: (bot: FuzzedBot, pool: Pool, value: Value) => Promise<string>,
  atEnd?: (bot: FuzzedBot) => Promise<void>,
): Promise<FuzzRow> {
  const bot = await startFuzzedBot({ MCP_ENABLED: 'true' });
  const pool = new Pool(bot.url, { connections: 32, headersTimeout: 30_000, bodyTimeout: 30_000 });
  try {
    const row = await fuzz(
      name,
      options,
      values,
      async (value) => {
        const outcome = await tryValue(bot, pool, value);
        if (bot.faults.length > 0) throw new Error(bot.faults.join('\n'));
        return outcome;
      },
      bot.memory,
    );
    await atEnd?.(bot);
    return row;
  } finally {
    await pool.destroy();
    await bot.close();
  }
}

async function send(pool: Pool, body: string, headers: Record<string, string>): Promise<{ status: number }> {
  const { statusCode: status, body: answer } = await pool.request({
    method: 'POST',
    path: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  });
  await answer.dump();
  return { status };
}

/** How many operations the bot was asked for, whatever came of them. */
async function operationsOf({ url }: FuzzedBot): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return [...text.matchAll(/^invigilator_operations_total\{[^}]*\} (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}
