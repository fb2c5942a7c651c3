import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../src/sandbox/workspace/clock.ts';
import { readManifest } from '../../../src/sandbox/workspace/manifest.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { createSlackbot } from '../../../src/sandbox/workspace/slackbot.ts';
import { createState } from '../../../src/sandbox/workspace/state.ts';
import { createSignatureCheck } from '../../../src/slack/in/http.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { manifestWith } from '../../support/open-test-bed.ts';

const [nowMs, signingSecret] = [1_700_000_000_000, 'signing-of-slackbot'];
const clock = manualClock(nowMs);
const { ada } = people;

interface Message {
  id?: number;
  method: string;
  params: { _meta: { slack: object } };
}

/** An MCP server whose one tool answers with these blocks, and what it received. */
async function startServer(
  blocks: object[],
): Promise<{ url: string; received: Message[]; refusals: (string | undefined)[] }> {
  const [received, refusals]: [Message[], (string | undefined)[]] = [[], []];
  const check = createSignatureCheck({ signingSecret, now: clock.now });
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': {
      tools: [
        { name: 'close', inputSchema: { type: 'object' }, annotations: { readOnlyHint: false, destructiveHint: true } },
      ],
    },
    'tools/call': { content: [{ type: 'text', text: 'Closed' }], _meta: { slack: { blocks } } },
  };
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = (await json(request)) as Message;
      received.push(message);
      refusals.push(check.refusalByHead(request) ?? check.refusalByBody(request, JSON.stringify(message)));
      const result = results[message.method];
      if (message.id === undefined) return response.writeHead(202).end();
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    })();
  });
  onTestFinished(() => void server.close());
  return { url: await listenOnLoopback(server), received, refusals };
}

function slackbotOf(botUrl: string | undefined, manifestPath = manifestWith('agents')) {
  const state = createState(clock);
  return {
    state,
    slackbot: createSlackbot({
      state,
      clock,
      manifest: readManifest(manifestPath),
      signingSecret,
      enterprise: undefined,
      botUrl: () => botUrl,
    }),
  };
}

const header = { type: 'header', text: { type: 'plain_text', text: 'Closed' } };

test('Slackbot is offered only with an MCP server in the manifest and a bot that is reachable over HTTP', () => {
  expect(slackbotOf('http://127.0.0.1:1/slack/events').slackbot.isOffered()).toBe(true);
  expect(slackbotOf(undefined).slackbot.isOffered()).toBe(false);
  expect(slackbotOf('http://127.0.0.1:1/slack/events', 'manifest.yml').slackbot.isOffered()).toBe(false);
});

test('Slackbot names the person in each message and signs it, and draws blocks only if it knows all of them', async () => {
  const drawn = await startServer([header]);
  const { state, slackbot } = slackbotOf(`${drawn.url}/slack/events`);
  expect(await slackbot.tools(ada.id)).toMatchObject([{ name: 'close', kind: 'destroys' }]);
  await slackbot.call(ada.id, { name: 'close', title: 'Close' }, { quiz: 'Fire safety' });
  expect(new Set(drawn.refusals)).toEqual(new Set([undefined]));
  for (const {
    params: {
      _meta: { slack },
    },
  } of drawn.received)
    expect(slack).toMatchObject({ user_id: ada.id });
  expect(state.slackbotCalls).toMatchObject([
    { user: ada.id, blocks: [header], wire: { status: 200, sent: { params: { arguments: { quiz: 'Fire safety' } } } } },
  ]);

  const undrawn = await startServer([
    header,
    { type: 'input', label: { type: 'plain_text', text: 'Why?' }, element: { type: 'plain_text_input' } },
  ]);
  const other = slackbotOf(`${undrawn.url}/slack/events`);
  await other.slackbot.call(ada.id, { name: 'close', title: 'Close' }, {});
  expect(other.state.slackbotCalls[0]).not.toHaveProperty('blocks');
});

test('a call without an answer says why in the conversation', async () => {
  const { state, slackbot } = slackbotOf('http://127.0.0.1:1/slack/events');
  await slackbot.call(ada.id, { name: 'close', title: 'Close' }, {});
  expect(state.slackbotCalls[0]?.problem).toContain('fetch failed');
});
