import { createHmac } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { signingSecret, type TestBed } from './open-test-bed.ts';

/** The variables with which agents may call the bot. */
export const withAgents = { MCP_ENABLED: 'true' };

/** The headers of a request that Slack signed. */
export function signed(
  body: string,
  { atMs = Date.now(), secret = signingSecret }: { atMs?: number; secret?: string } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
}

/** A message as Slackbot sends it for a person. */
export function fromSlackbot(message: object, slack: object | undefined): string {
  const { params: { _meta: meta, ...params } = {}, ...rest } = message as { params?: { _meta?: object } };
  return JSON.stringify({ ...rest, params: { ...params, _meta: { ...meta, ...(slack && { slack }) } } });
}

/** How Slackbot names a person. */
export function named(
  personId: string,
  { teamId, enterprise }: Pick<TestBed['workspace'], 'teamId' | 'enterprise'>,
): object {
  return { user_id: personId, team_id: teamId, enterprise_id: enterprise?.id ?? null };
}

/** Slackbot, which asks for a person: the official client, whose messages Slack signs. */
export async function slackbotOf(
  { url, workspace }: TestBed,
  personId: string,
  now: () => number = Date.now,
): Promise<Client> {
  const slack = named(personId, workspace);
  return connect(url, async (address, init) => {
    const body = fromSlackbot(JSON.parse(init?.body as string) as object, slack);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(signed(body, { atMs: now() }))) headers.set(name, value);
    return fetch(address, { ...init, body, headers });
  });
}

/** Another agent of a person, which has a token of theirs. @param revision of the protocol that it insists on; by default, it shakes hands as in 2025 */
export function agentWith({ url }: Pick<TestBed, 'url'>, token: string, revision?: string): Promise<Client> {
  return connect(
    url,
    (address, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return fetch(address, { ...init, headers });
    },
    revision,
  );
}

async function connect(url: string, send: typeof fetch, revision?: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: revision === undefined ? 'legacy' : { pin: revision } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      fetch: (address, init) => (init?.method === 'GET' ? fetch(address, init) : send(address, init)),
    }),
  );
  return client;
}
