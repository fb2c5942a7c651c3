import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Inbox } from '../storage/storage.ts';
import { MalformedEventError, parseEvent, type QuizEvent } from './event.ts';
import { verifySignature, type SignatureRule } from './signature.ts';

const bodyLimitBytes = 1024 * 1024;

/**
 * `POST /webhooks/quiz`: verify, remember, and only then answer 200. From there on the event is ours.
 * Answers 401 for the signature, 400 for what is no event, 413 over 1 MiB, 405, and 503 when the
 * event could not be remembered (the service sends it again).
 */
export function createWebhookRoute(deps: {
  rule: SignatureRule;
  inbox: Inbox;
  onTaken: () => void;
  log: Log;
  metrics: Metrics;
  now: () => number;
}) {
  const { rule, inbox, log, metrics } = deps;

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = (status: number, outcome: string, text: string) => {
      metrics.webhooks.inc({ outcome });
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...(status === 405 && { allow: 'POST' }) });
      response.end(`${text}\n`);
    };

    if (request.method !== 'POST') return answer(405, 'method', 'Only POST is taken here.');
    const body = await readBody(request);
    if (body === 'too large') return answer(413, 'too_large', 'The body is over 1 MiB.');

    const verdict = verifySignature(rule, request.headers, body, deps.now());
    if (!verdict.authentic) {
      log.warn({ reason: verdict.reason }, 'webhook refused');
      return answer(401, 'signature', `Refused: ${verdict.reason}.`);
    }

    let event: QuizEvent;
    try {
      event = parseEvent(body.toString('utf8'));
    } catch (error) {
      if (!(error instanceof MalformedEventError)) throw error;
      log.warn({ reason: error.message }, 'webhook malformed');
      return answer(400, 'malformed', `Refused: ${error.message}.`);
    }

    try {
      const isNew = await inbox.remember({
        id: event.event_id,
        type: event.event_type,
        body: body.toString('utf8'),
        trusted: verdict.coversBody,
      });
      log.info({ event: event.event_id, type: event.event_type, isNew }, 'webhook taken');
      if (isNew) deps.onTaken();
      answer(200, isNew ? 'taken' : 'known', isNew ? 'Taken.' : 'Known already.');
    } catch (error) {
      log.error({ error, event: event.event_id }, 'webhook could not be remembered');
      answer(503, 'not_remembered', 'The event could not be kept. Send it again later.');
    }
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and dropped, so that the sender gets to read the answer.
    if (size <= bodyLimitBytes) chunks.push(chunk);
  }
  return size > bodyLimitBytes ? 'too large' : Buffer.concat(chunks);
}
