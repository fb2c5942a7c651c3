import { checkBlocks } from './block-kit/validate.ts';
import type { Clock } from './clock.ts';
import { signedHeaders } from './delivery/dispatcher.ts';
import { messageOf, parseJson, propertyOf } from './json.ts';
import type { Manifest } from './manifest.ts';
import type { Enterprise, SlackbotCall, SlackbotTool } from './model.ts';
import { teamId } from './people.ts';
import { type State, record } from './state.ts';

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

type Wire = NonNullable<SlackbotCall['wire']>;

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

  return {
    /** Whether the manifest names an MCP server that Slackbot may call, and the bot is reachable over HTTP. */
    isOffered: (): boolean => serverUrl() !== undefined,
    /** The tools that the server lists for the person. @throws Error when there is no valid answer */
    async tools(userId: string): Promise<SlackbotTool[]> {
      const client = await connect(userId, () => {});
      const { tools } = await client.listTools(undefined, { timeout: timeoutMs });
      await client.close();
      return tools.map(({ name, title = name, description = '', inputSchema, annotations }) => ({
        name,
        title,
        description,
        kind:
          annotations?.readOnlyHint === true ? 'reads' : annotations?.destructiveHint === true ? 'destroys' : 'changes',
        inputSchema,
      }));
    },
    /** Calls a tool for the person. What comes back is in the conversation; never rejects. */
    async call(
      userId: string,
      { name, title }: { name: string; title: string },
      given: Readonly<Record<string, string | string[]>>,
    ): Promise<void> {
      const call: SlackbotCall = { id: state.newId('M'), at: clock.now(), user: userId, title };
      record(state.slackbotCalls, call);
      state.changes.emit();
      try {
        const client = await connect(userId, (wire) => {
          if (propertyOf(wire.sent, 'method') === 'tools/call') call.wire = wire;
        });
        const result = await client.callTool({ name, arguments: given }, { timeout: timeoutMs });
        await client.close();
        const blocks = checkBlocks(propertyOf(propertyOf(propertyOf(result, '_meta'), 'slack'), 'blocks'), {
          surface: 'message',
        }).value;
        if (blocks?.every(({ type }) => drawn.has(type))) call.blocks = blocks;
      } catch (error) {
        call.problem = messageOf(error);
      } finally {
        state.changes.emit();
      }
    },
  };
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
