import { createServer } from 'node:http';
import { checkBlocks, checkView } from '../../src/sandbox/workspace/block-kit/validate.ts';
import { botId, botUserId, people, teamId } from '../../src/sandbox/workspace/people.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/** A Slack that accepts every trigger, URL and token, unlike the sandbox workspace. It checks blocks like the sandbox. */
interface LenientSlack {
  url: string;
  /** Errors of messages and views that Slack would reject. */
  refused: string[];
  close(): void;
}

/** One call in this many fails. */
const failsEvery = 50;

export async function startLenientSlack(): Promise<LenientSlack> {
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
