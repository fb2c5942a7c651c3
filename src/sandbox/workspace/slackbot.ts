import type { Block } from './block-kit/blocks.ts';
import type { InputElement, InputValues } from './block-kit/elements.ts';
import { checkBlocks, identify } from './block-kit/validate.ts';
import type { Clock } from './clock.ts';
import { signedHeaders } from './delivery/dispatcher.ts';
import { isRecord, messageOf, parseJson, propertyOf, textOf } from './json.ts';
import type { Manifest } from './manifest.ts';
import { changeMessage, postMessage, escapeText } from './messages.ts';
import type { Enterprise, View } from './model.ts';
import { option, ownHome, type OwnApp, plain, section } from './own-apps.ts';
import { slackbot, teamId } from './people.ts';
import { slackbotMessages, type State } from './state.ts';
import { openView, publishHome } from './view-stacks.ts';

export type Slackbot = ReturnType<typeof createSlackbot>;

/** The documentation names no limit; 60 s is the usual limit of MCP clients. */
const timeoutMs = 60_000;

/** One block of another type, and Slackbot draws none: https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses */
const drawn: ReadonlySet<string> = new Set([
  'actions',
  'context',
  'divider',
  'header',
  'markdown',
  'rich_text',
  'section',
  'table',
  'data_table',
  'data_visualization',
]);

/** The message on the wire, and what came back. */
interface Wire {
  sent: unknown;
  received?: unknown;
  status?: number;
}

/** A tool of the bot, as Slackbot gets it for a person. `inputSchema` is a JSON Schema. */
interface Tool {
  name: string;
  title: string;
  description: string;
  kind: string;
  inputSchema: unknown;
}

type Given = Record<string, string | string[]>;

/** A call of a tool. */
interface Call extends Pick<Tool, 'name' | 'title'> {
  given: Given;
}

/**
 * Slackbot as a client of the app’s MCP server, without a model: a person chooses the tool and its arguments.
 * @param botUrl the bot’s URL in HTTP mode. The path of the server is the manifest’s: its host is an example.
 */
export function createSlackbot(deps: {
  state: State;
  clock: Clock;
  manifest: Manifest;
  signingSecret: string;
  enterprise: Enterprise | undefined;
  botUrl: () => string | undefined;
}) {
  const { state, clock, manifest } = deps;
  const toolsOf = new Map<string, readonly Tool[]>();
  /** What people read for the candidates so far. */
  const labels = new Map<string, string>();
  const shown = (value: string): string => labels.get(value) ?? value;
  const [server] = Object.values(manifest.mcp_servers);
  const mayConnect =
    manifest.oauth_config.scopes.bot.includes('mcp:connect') && server?.auth_type === 'slack_identity_auth';

  function serverUrl(): URL | undefined {
    const botUrl = deps.botUrl();
    return mayConnect && server !== undefined && botUrl !== undefined
      ? new URL(new URL(server.url).pathname, botUrl)
      : undefined;
  }

  /** Connects as Slackbot for a person: each message names them and is signed. */
  async function connect(userId: string, watch: (wire: Wire) => void) {
    const url = serverUrl();
    if (url === undefined)
      throw new Error(
        'Slackbot can’t reach the bot: the manifest needs an MCP server, and the bot has to be reachable over HTTP.',
      );
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const slack = { user_id: userId, team_id: teamId, enterprise_id: deps.enterprise?.id ?? null };
    const client = new Client(
      { name: 'slackbot', version: '1.0.0' },
      { capabilities: { extensions: { 'io.slack/block-kit': { mimeTypes: ['application/vnd.slack.blocks+json'] } } } },
    );
    const send: typeof fetch = async (address, init) => {
      if (typeof init?.body !== 'string') return fetch(address, init);
      const message = namingPerson(JSON.parse(init.body) as object, slack);
      const wire: Wire = { sent: message };
      watch(wire);
      const body = JSON.stringify(message);
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(signedHeaders(deps.signingSecret, clock.now(), body)))
        headers.set(name, value);
      const response = await fetch(address, { ...init, headers, body });
      const text = await response.text();
      Object.assign(wire, { status: response.status, received: answerIn(text) });
      return new Response(response.status === 202 ? null : text, {
        status: response.status,
        headers: response.headers,
      });
    };
    await client.connect(new StreamableHTTPClientTransport(url, { fetch: send }));
    return client;
  }

  async function toolsFor(userId: string): Promise<Tool[]> {
    const client = await connect(userId, () => {});
    const { tools } = await client.listTools(undefined, { timeout: timeoutMs });
    await client.close();
    return tools.map(({ name, title = name, description = '', inputSchema, annotations }) => ({
      name,
      title,
      description,
      kind:
        annotations?.readOnlyHint === true
          ? 'Reads'
          : annotations?.destructiveHint === true
            ? 'Can’t be undone'
            : 'Changes the account',
      inputSchema,
    }));
  }

  /** Calls a tool for the person. What comes back is in the conversation; never rejects. */
  async function call(userId: string, { name, title, given }: Call): Promise<void> {
    const channel = slackbotMessages(state, userId).id;
    const said = Object.values(given).map((value) => [value].flat().map(shown).join(', '));
    postMessage(state, {
      channel,
      user: userId,
      text: escapeText([title, said.join(', ')].filter(Boolean).join(': ')),
    });
    const answer = postMessage(state, { channel, user: slackbot.id, text: 'One moment…' });
    let wire: Wire | undefined;
    try {
      const client = await connect(userId, (seen) => {
        if (propertyOf(seen.sent, 'method') === 'tools/call') wire = seen;
      });
      const result = await client.callTool({ name, arguments: given }, { timeout: timeoutMs });
      await client.close();
      const { text, blocks } = answerOf(result, { name, title, given });
      changeMessage(state, answer, { text, blocks: identify(blocks, () => state.newId('b')) });
    } catch (error) {
      changeMessage(state, answer, { text: escapeText(messageOf(error)) });
    }
    if (wire?.received !== undefined)
      postMessage(state, { channel, user: slackbot.id, text: '', threadTs: answer.ts, blocks: wireBlocks(wire) });
  }

  /** What Slackbot says: the blocks of the answer, what a model would ask of one with candidates, or its text. */
  function answerOf(result: unknown, made: Call): { text: string; blocks: Block[] } {
    const structured = propertyOf(result, 'structuredContent');
    const candidates = propertyOf(structured, 'candidates');
    const blocks = checkBlocks(propertyOf(propertyOf(propertyOf(result, '_meta'), 'slack'), 'blocks'), {
      surface: 'message',
    }).value;
    const question = Array.isArray(candidates) ? `Which ${textOf(structured, 'field')} do you mean?` : undefined;
    const text = escapeText(question ?? textsIn(result)[0] ?? '');
    return {
      text,
      blocks: [
        ...(blocks?.every(({ type }) => drawn.has(type)) ? blocks : [section(text)]),
        ...(Array.isArray(candidates) ? [candidateButtons(structured, candidates, made)] : []),
      ],
    };
  }

  /** A press calls the tool again with the answer, as a model does after asking. */
  function candidateButtons(structured: unknown, candidates: readonly unknown[], { given, ...made }: Call): Block {
    const unclear = { field: textOf(structured, 'field'), message: textOf(structured, 'message') };
    return {
      type: 'actions',
      elements: candidates.map((candidate, index) => {
        const value = textOf(candidate, 'value');
        labels.set(value, textOf(candidate, 'label'));
        const again: Call = { ...made, given: givenWith(given, unclear, value) };
        const text = plain(textOf(candidate, 'label'));
        return { type: 'button', action_id: `meant ${index}`, text, value: JSON.stringify(again) };
      }),
    };
  }

  return {
    /** Whether the manifest names an MCP server that Slackbot may call, and the bot is reachable over HTTP. */
    isOffered: (): boolean => serverUrl() !== undefined,
    async open(userId) {
      const { id: channel } = slackbotMessages(state, userId);
      if (!state.messages.some((message) => message.channel === channel && message.user === slackbot.id))
        postMessage(state, {
          channel,
          user: slackbot.id,
          text: 'No model listens here, so you choose the tool below.',
        });
      const tools = await toolsFor(userId);
      toolsOf.set(userId, tools);
      publishHome(state, clock, ownHome('slackbot', userId), {
        type: 'home',
        callback_id: 'slackbot',
        blocks: menu(tools),
      });
    },
    async act(userId, actionId, value) {
      if (actionId.startsWith('meant')) return call(userId, JSON.parse(value) as Call);
      const tool = toolsOf.get(userId)?.find(({ name }) => name === value);
      if (tool !== undefined) openView(state, clock, userId, formOf(tool), false);
    },
    async submit(userId, { private_metadata: chosen, state: { values } }: View) {
      const tool = toolsOf.get(userId)?.find(({ name }) => name === chosen);
      if (tool !== undefined) await call(userId, { ...tool, given: givenFrom(tool, values) });
    },
  } satisfies OwnApp & { isOffered(): boolean };
}

function menu(tools: readonly Tool[]): Block[] {
  if (tools.length === 0) return [section('The bot lists no tools for you.')];
  const options = tools.map(({ name, title, kind }) => option(title, name, kind));
  const placeholder = plain('Choose a tool');
  return [
    {
      type: 'actions',
      block_id: 'tools',
      elements: [{ type: 'static_select', action_id: 'tool', placeholder, options }],
    },
  ];
}

const titleLength = 24;

/** The form of a tool, made from its input schema. */
function formOf(tool: Tool): Parameters<typeof openView>[3] {
  return {
    type: 'modal',
    callback_id: 'slackbot',
    private_metadata: tool.name,
    title: plain(tool.title.slice(0, titleLength)),
    submit: plain('Send'),
    blocks: [
      section(escapeText(tool.description || tool.title)),
      ...argumentsOf(tool).map((argument): Block => ({
        type: 'input',
        block_id: argument.name,
        label: plain(argument.name.replaceAll('_', ' ')),
        ...(argument.hint !== '' && { hint: plain(argument.hint) }),
        optional: !argument.isRequired,
        element: elementOf(argument),
      })),
    ],
  };
}

/** An argument of a tool, as its form asks for it. */
interface Argument {
  name: string;
  hint: string;
  isRequired: boolean;
  isList: boolean;
  /** What can be chosen; undefined where any text can be. */
  options: string[] | undefined;
}

function argumentsOf({ inputSchema }: Tool): Argument[] {
  const properties = propertyOf(inputSchema, 'properties');
  const required = propertyOf(inputSchema, 'required');
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => {
    const isList = propertyOf(schema, 'type') === 'array';
    const options = propertyOf(isList ? propertyOf(schema, 'items') : schema, 'enum');
    const several = isList && !Array.isArray(options) ? ' Several with semicolons between them.' : '';
    return {
      name,
      hint: `${textOf(schema, 'description')}${several}`.trim(),
      isRequired: Array.isArray(required) && required.includes(name),
      isList,
      options: Array.isArray(options) ? options.map(String) : undefined,
    };
  });
}

function elementOf({ options, isList }: Argument): InputElement {
  if (options === undefined) return { type: 'plain_text_input', action_id: 'given' };
  const offered = options.map((value) => option(value, value));
  return { type: isList ? 'checkboxes' : 'static_select', action_id: 'given', options: offered };
}

/** What a form sends: what is empty is left out. */
function givenFrom(tool: Tool, values: InputValues): Given {
  return Object.fromEntries(
    argumentsOf(tool).flatMap(({ name, isList }): [string, string | string[]][] => {
      const { value, selected_option: chosen, selected_options: several } = values[name]?.['given'] ?? { type: '' };
      const text = (chosen?.value ?? value ?? '').trim();
      const list = several?.map((one) => one.value) ?? text.split(/\s*;\s*/).filter((one) => one !== '');
      if (isList) return list.length === 0 ? [] : [[name, list]];
      return text === '' ? [] : [[name, text]];
    }),
  );
}

/** The arguments of a call that was unclear, with what the person meant. */
function givenWith(before: Given, unclear: { field: string; message: string }, value: string): Given {
  const meant = before[unclear.field];
  const isUnclear = (text: string): boolean => unclear.message.includes(`“${text}”`);
  return {
    ...before,
    [unclear.field]: Array.isArray(meant)
      ? meant.map((text) => (isUnclear(text) || meant.length === 1 ? value : text))
      : value,
  };
}

function textsIn(result: unknown): string[] {
  const content = propertyOf(result, 'content');
  return Array.isArray(content) ? content.map((part: unknown) => textOf(part, 'text')) : [];
}

/** What went over the wire, for those who want to know. */
function wireBlocks({ sent, received, status }: Wire): Block[] {
  const result = propertyOf(received, 'result');
  const parts: [label: string, content: unknown][] = [
    ['What was sent, signed as Slack’s', sent],
    [`What came back${status === 200 ? '' : `: ${status}`}`, propertyOf(result, 'structuredContent') ?? received],
    ...textsIn(result).map((text, index): [string, unknown] => [`Text ${index + 1}`, text]),
  ];
  return parts.flatMap(([label, content]): Block[] => {
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    return [
      section(`*${label}*`),
      { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] },
    ];
  });
}

/** Names the person in a message: https://docs.slack.dev/ai/slackbot-mcp-client, “Slack identity auth”. */
function namingPerson(message: object, slack: object): object {
  const { params: { _meta: meta, ...params } = {}, ...rest } = message as { params?: { _meta?: object } };
  return { ...rest, params: { ...params, _meta: { ...meta, slack } } };
}

/** The message in a response, which can be the only event of a stream. */
function answerIn(text: string): unknown {
  const event = /^data: (.*)$/m.exec(text)?.[1];
  return parseJson(event ?? text) ?? text;
}
