import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from './loopback.ts';

/** A minimal Slack or quiz service that shares no code with the sandbox. */
interface OtherProgram<Seen> {
  url: string;
  seen: Seen[];
  /** Resolves with the first matching request, past or future. */
  until(matches: (seen: Seen) => boolean): Promise<Seen>;
}

interface SlackCall {
  path: string;
  token: string | undefined;
  body: Record<string, unknown>;
}

export const signingSecret = 'signing-secret-canary';

/** Starts a server for Slack's Web API, and for the `response_url` of a command at `/respond`. */
export async function startOtherSlack(answers: Record<string, object> = {}): Promise<OtherProgram<SlackCall>> {
  return startProgram<SlackCall>(async (request, sent) => {
    const path = request.url ?? '';
    const isJson = request.headers['content-type']?.includes('json');
    const body = (isJson ? JSON.parse(sent) : Object.fromEntries(new URLSearchParams(sent))) as Record<string, unknown>;
    const answer = answers[path] ?? slackAnswers[path] ?? { ok: true };
    return { seen: { path, token: request.headers.authorization, body }, answer };
  });
}

const slackAnswers: Record<string, object> = {
  '/api/auth.test': { ok: true, team_id: 'T0OTHER', user_id: 'U0BOT', bot_id: 'B0BOT' },
  '/api/users.info': { ok: true, user: { id: 'U0TOM', team_id: 'T0OTHER', profile: { email: 'tom@quiz.example' } } },
  '/api/chat.postMessage': { ok: true, channel: 'C0RESULTS', ts: '1.000001' },
};

const quizzes = [
  { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: '2026-01-02 03:04:05' },
  { quiz_id: 'q-2', name: '<!channel> & <https://x|y>', status: 'closed', date_created: '2026-01-02 03:04:05' },
];
const tom = {
  user_id: 'u-tom',
  user_name: 'tom@quiz.example',
  user_type: 'trainer',
  email_address: 'tom@quiz.example',
  first_name: 'Tom',
  last_name: 'Lindqvist',
  suspended: false,
  manage_users: true,
  manage_groups: true,
  edit_quizzes: true,
  date_created: '2026-01-02 03:04:05',
};

/** Starts a quiz service that delays each response, or holds all responses until it has `together` different requests. */
export async function startOtherQuizService({ latencyMs = 0, together = 0 } = {}): Promise<OtherProgram<string>> {
  const asked = new Set<string | undefined>();
  const allAsked = Promise.withResolvers<void>();
  return startProgram<string>(async (request, sent) => {
    asked.add(request.url);
    if (asked.size >= together) allAsked.resolve();
    await allAsked.promise;
    await sleep(latencyMs);
    const answers: Record<string, object> = {
      'GET /api/v1/quizzes': quizzes,
      'GET /api/v1/users': [tom],
      'GET /api/v1/users/u-tom': tom,
      'POST /api/v1/quizzes/q-1': { message: '200: OK' },
    };
    const call = `${request.method} ${request.url}`;
    return { seen: [call, sent].filter(Boolean).join(' '), answer: answers[call] };
  });
}

/** Sends a signed slash command, as Slack does. */
export async function sendCommand(botUrl: string, respondUrl: string, text: string): Promise<Response> {
  const body = new URLSearchParams({
    command: '/quiz',
    text,
    user_id: 'U0TOM',
    team_id: 'T0OTHER',
    channel_id: 'C0TRAIN',
    trigger_id: '1.2.3',
    response_url: respondUrl,
  }).toString();
  return sendSigned(botUrl, body, Math.floor(Date.now() / 1000));
}

export async function sendSigned(
  botUrl: string,
  body: string,
  timestampS: number,
  secret = signingSecret,
  contentType = 'application/x-www-form-urlencoded',
): Promise<Response> {
  const signature = createHmac('sha256', secret).update(`v0:${timestampS}:${body}`).digest('hex');
  return fetch(`${botUrl}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': contentType,
      'x-slack-request-timestamp': String(timestampS),
      'x-slack-signature': `v0=${signature}`,
    },
  });
}

async function startProgram<Seen>(
  handle: (request: IncomingMessage, sent: string) => Promise<{ seen: Seen; answer: object | undefined }>,
): Promise<OtherProgram<Seen>> {
  const seen: Seen[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    void (async () => {
      const outcome = await handle(request, await readText(request));
      seen.push(outcome.seen);
      response.writeHead(outcome.answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(outcome.answer ?? { message: 'Not Found' }));
      for (const look of waiting) look();
    })();
  });
  const url = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url,
    seen,
    until: (matches) =>
      new Promise((resolve) => {
        const look = () => {
          const found = seen.find(matches);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
