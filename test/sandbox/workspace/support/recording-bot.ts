import { type IncomingHttpHeaders, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { portOf } from './bolt-bot.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  /** The payload of an interaction or event, or the fields of a command. */
  payload: Record<string, unknown>;
}

type Answer = { status?: number; body?: unknown } | 'never' | 'cut';

export interface RecordingBot {
  url: string;
  received: Received[];
  /** Sets the response to later requests. Default: 200 without a body. */
  answerWith(answer: (received: Received) => Answer): void;
  stop(): Promise<void>;
}

const takeNote = (_received: Received): Answer => ({});

/** A bot that records requests and sends configured responses. */
export async function startRecordingBot(): Promise<RecordingBot> {
  const received: Received[] = [];
  let answerTo = takeNote;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const delivered = { headers: request.headers, body, payload: decode(body) };
      received.push(delivered);
      const answer = answerTo(delivered);
      if (answer === 'never') return;
      if (answer === 'cut') {
        response.destroy();
        return;
      }
      const isText = typeof answer.body === 'string';
      response.writeHead(answer.status ?? 200, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(answer.body === undefined ? undefined : isText ? answer.body : JSON.stringify(answer.body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/slack/events`,
    received,
    answerWith(answer) {
      answerTo = answer;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function decode(body: string): Record<string, unknown> {
  if (body.startsWith('{')) return JSON.parse(body);
  const form = Object.fromEntries(new URLSearchParams(body));
  return form['payload'] === undefined ? form : JSON.parse(form['payload']);
}
