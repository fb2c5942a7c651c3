import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseBody, type ReadBody } from '../http/read-body.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Inbox, TakenEvent } from '../storage/storage.ts';
import { isSyntheticEvent, MalformedEventError, parseEvent, subjectOf } from './event.ts';
import { verifySignature, type SignatureRule } from './signature.ts';
import type { WebhookCounters } from './webhook-counters.ts';

/**
 * `POST /webhooks/quiz`: verify, remember, and only then answer 200. From there on the event is ours.
 * Answers 401 for the signature, 400 for what is no event, 413 over 1 MiB, 405, and 503 when the
 * event could not be remembered (the service sends it again).
 */
export function createWebhookRoute(deps: {
  rule: SignatureRule;
  /** Bodies up to 1 MiB. */
  readBody: ReadBody;
  inbox: Pick<Inbox, 'remember'>;
  counters: Pick<WebhookCounters, 'took' | 'refused'>;
  onTaken: () => void;
  log: Log;
  metrics: Metrics;
  now: () => number;
}) {
  const { rule, readBody, inbox, counters, log, metrics } = deps;

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = (status: number, outcome: string, text: string) => {
      metrics.webhooks.inc({ outcome });
      writeHead(response, status, text);
      response.end(text);
    };
    const refuse = (status: number, outcome: string, reason: string, text = `Refused: ${reason}.\n`) => {
      counters.refused(reason);
      answer(status, outcome, text);
    };

    if (request.method !== 'POST') return answer(405, 'method', 'Only POST is taken here.\n');
    const body = await readBody(request, response);
    if (body === 'cut off') return metrics.webhooks.inc({ outcome: 'cut_off' });
    if (body === 'too large') {
      counters.refused('the body is over 1 MiB');
      metrics.webhooks.inc({ outcome: 'too_large' });
      return refuseBody(request, response, 413, 'The body is over 1 MiB.\n');
    }
    if (body === 'no room') {
      counters.refused('too much came at once');
      metrics.webhooks.inc({ outcome: 'no_room' });
      return refuseBody(request, response, 503, 'Too much at once. Send it again later.\n');
    }

    const verdict = verifySignature(rule, request.headers, body, deps.now());
    if (!verdict.accepted) return refuse(401, 'signature', verdict.reason);

    let event: TakenEvent;
    try {
      event = takenEvent(body.toString('utf8'), verdict.coversBody, deps.now());
    } catch (error) {
      if (!(error instanceof MalformedEventError)) throw error;
      log.warn({ reason: error.message }, 'webhook malformed');
      return refuse(400, 'malformed', 'malformed', `Refused: ${error.message}.\n`);
    }

    try {
      const isNew = await inbox.remember(event);
      log.debug({ event: event.id, type: event.type, response: event.subject, isNew }, 'webhook taken');
      counters.took(isNew ? 'taken' : 'known');
      if (isNew) deps.onTaken();
      answer(200, isNew ? 'taken' : 'known', isNew ? 'Taken.\n' : 'Known already.\n');
    } catch (error) {
      log.error({ error, event: event.id }, 'webhook could not be remembered');
      refuse(503, 'not_remembered', 'it could not be kept', 'The event could not be kept. Send it again later.\n');
    }
  };
}

/**
 * What only hints at a response does not make it known: the service may not say so yet, and whoever compares would
 * pass it over.
 * @throws {MalformedEventError}
 */
function takenEvent(body: string, trusted: boolean, takenAt: number): TakenEvent {
  const { event_id: id, event_type: type, submission } = parseEvent(body);
  if (isSyntheticEvent(id)) throw new MalformedEventError('the event_id begins as only those of the bot’s own events do');
  return { id, type, subject: trusted && submission ? subjectOf(submission) : '', body, trusted, takenAt };
}

/** With its length, or Node would send the text in three pieces. */
function writeHead(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(status === 405 && { allow: 'POST' }),
  });
}
