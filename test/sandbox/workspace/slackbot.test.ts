import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../src/sandbox/workspace/clock.ts';
import { readManifest } from '../../../src/sandbox/workspace/manifest.ts';
import type { Message } from '../../../src/sandbox/workspace/model.ts';
import { ownHome } from '../../../src/sandbox/workspace/own-apps.ts';
import { people, slackbot as sender } from '../../../src/sandbox/workspace/people.ts';
import { createSlackbot } from '../../../src/sandbox/workspace/slackbot.ts';
import { createState } from '../../../src/sandbox/workspace/state.ts';
import { stackOf } from '../../../src/sandbox/workspace/view-stacks.ts';
import { createSignatureCheck } from '../../../src/slack/in/http.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { manifestWith } from '../../support/open-test-bed.ts';

const [nowMs, signingSecret] = [1_700_000_000_000, 'signing-of-slackbot'];
const clock = manualClock(nowMs);
const { ada } = people;

interface Received {
  id?: number;
  method: string;
  params: { _meta: { slack: object }; arguments?: object };
}

/** An MCP server whose one tool answers with these blocks, and what it received. */
async function startServer(
  blocks: object[],
): Promise<{ url: string; received: Received[]; end: () => Promise<void>; refusals: (string | undefined)[] }> {
  const [received, refusals]: [Received[], (string | undefined)[]] = [[], []];
  const check = createSignatureCheck({ signingSecret, now: clock.now });
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': {
      tools: [
        {
          name: 'close',
          title: 'Close',
          inputSchema: {
            type: 'object',
            properties: {
              quiz: { type: 'string', description: 'Its name' },
              to: { type: 'array', items: { type: 'string' } },
              grade: { type: 'string', enum: ['A', 'B'] },
            },
            required: ['quiz'],
          },
          annotations: { readOnlyHint: false, destructiveHint: true },
        },
      ],
    },
    'tools/call': { content: [{ type: 'text', text: 'Closed' }], _meta: { slack: { blocks } } },
  };
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = (await json(request)) as Received;
      received.push(message);
      refusals.push(check.refusalByHead(request) ?? check.refusalByBody(request, JSON.stringify(message)));
      const result = results[message.method];
      if (message.id === undefined) return response.writeHead(202).end();
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    })();
  });
  const end = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(end);
  return { url: await listenOnLoopback(server), received, refusals, end };
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

/** Ada chooses the tool, fills its form and sends it. @returns the messages in her conversation with Slackbot */
async function call({ state, slackbot }: ReturnType<typeof slackbotOf>): Promise<Message[]> {
  await slackbot.act(ada.id, 'tool', 'close');
  const [form] = stackOf(state, ada.id);
  const values = {
    quiz: { given: { type: 'plain_text_input', value: ' Fire safety ' } },
    to: { given: { type: 'plain_text_input', value: 'Kitchen; Rosa, Kim' } },
  };
  await slackbot.submit(ada.id, { ...form!, state: { values } });
  return state.messages.slice(1);
}

test('Slackbot offers the person’s tools, and asks for what the chosen one takes', async () => {
  const { url } = await startServer([header]);
  const { state, slackbot } = slackbotOf(`${url}/slack/events`);
  await slackbot.open(ada.id);
  expect(state.homes.get(ownHome('slackbot', ada.id))?.blocks).toMatchObject([
    {
      elements: [{ options: [{ value: 'close', text: { text: 'Close' }, description: { text: 'Can’t be undone' } }] }],
    },
  ]);
  await slackbot.act(ada.id, 'tool', 'close');
  expect(stackOf(state, ada.id)[0]).toMatchObject({
    title: { text: 'Close' },
    blocks: [
      { type: 'section' },
      { block_id: 'quiz', optional: false, hint: { text: 'Its name' }, element: { type: 'plain_text_input' } },
      { block_id: 'to', optional: true, element: { type: 'plain_text_input' } },
      {
        block_id: 'grade',
        optional: true,
        element: { type: 'static_select', options: [{ value: 'A' }, { value: 'B' }] },
      },
    ],
  });
});

test('Slackbot names the person in each message and signs it, and draws blocks only if it knows all of them', async () => {
  const drawn = await startServer([header]);
  const own = slackbotOf(`${drawn.url}/slack/events`);
  await own.slackbot.open(ada.id);
  const messages = await call(own);
  expect(new Set(drawn.refusals)).toEqual(new Set([undefined]));
  for (const {
    params: {
      _meta: { slack },
    },
  } of drawn.received)
    expect(slack).toMatchObject({ user_id: ada.id });
  expect(drawn.received.at(-1)?.params.arguments).toEqual({ quiz: 'Fire safety', to: ['Kitchen', 'Rosa, Kim'] });
  expect(messages).toMatchObject([
    { user: ada.id, text: 'Close: Fire safety, Kitchen, Rosa, Kim' },
    { user: sender.id, blocks: [header] },
    { user: sender.id, threadTs: messages[1]?.ts },
  ]);
  expect(JSON.stringify(messages[2])).toContain('tools/call');

  const undrawn = await startServer([
    header,
    { type: 'input', label: { type: 'plain_text', text: 'Why?' }, element: { type: 'plain_text_input' } },
  ]);
  const other = slackbotOf(`${undrawn.url}/slack/events`);
  await other.slackbot.open(ada.id);
  expect((await call(other))[1]?.blocks).toMatchObject([{ type: 'section', text: { text: 'Closed' } }]);
});

test('a call without an answer says why in the conversation', async () => {
  const { url, end } = await startServer([header]);
  const own = slackbotOf(`${url}/slack/events`);
  await own.slackbot.open(ada.id);
  await end();
  expect((await call(own)).at(-1)?.text).toContain('fetch failed');
});
