import type { WhoseAttempt } from '../../directory/whose-attempt.ts';
import { withTimeout } from '../../time/clock.ts';
import { createEventParser, MalformedEventError, type ReportedEvent } from './body.ts';
import { type WebhookCounters, comingHeaders } from './tally.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseBody, type ReadBody } from '../../http/bodies.ts';
import { pathOf } from '../../http/server.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { oddBody, verifySignature, type SignatureCheck, type SignatureRule } from './signature.ts';
import type { TakeEvent } from './take.ts';

type RefusedSignature = Extract<SignatureCheck, { accepted: false }>;
type InTurn = ReturnType<typeof createTurns>;

/** Keeps the events of webhooks, and counts them. */
export interface WebhookTaker {
  takeEvent: TakeEvent;
  counters: Pick<WebhookCounters, 'took' | 'refused'>;
}

/** Right after the start, the users of the account may have to be read first. */
const usersTimeoutMs = 1_000;

/**
 * `POST /webhooks/quiz`: verifies the signature, takes the event, and answers 200 when it is on the disk. What the head shows to be
 * unsigned or late is refused before the body is read.
 * Answers 401 for the signature, 400 for a body that is not an event, 413 over 1 MiB, 405, and 503 when the event could
 * not be kept, so that the service sends it again. No answer repeats what was sent.
 */
export function createWebhookRoute(
  deps: {
    rule: SignatureRule;
    /** Bodies up to 1 MiB. */
    readBody: ReadBody;
    whoseAttempt: () => Promise<WhoseAttempt>;
    /** How a webhook waits until it is taken. Default: it does not. */
    inTurn?: InTurn | undefined;
    log: Log;
    metrics: Pick<Metrics, 'webhooks'>;
    now: () => number;
  } & WebhookTaker,
) {
  const { rule, readBody, takeEvent, counters, inTurn = (work) => work(), log, metrics } = deps;
  const parseEvent = createEventParser(rule.timeZone);

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, text: string) => {
      writeHead(response, status, text);
      response.end(text);
    };
    const answer = (status: number, outcome: string, text: string) => {
      metrics.webhooks.inc({ outcome });
      send(status, text);
    };
    const refuse = (status: number, outcome: string, reason: string, text: string) => {
      counters.refused(reason);
      answer(status, outcome, text);
    };

    const refuseSignature = ({ reason, tried }: RefusedSignature) => {
      counters.refused(reason, { tried, headers: comingHeaders(request.headers) });
      metrics.webhooks.inc({ outcome: 'signature' });
      return `Refused: ${reason}.\n`;
    };

    if (request.method !== 'POST') return answer(405, 'method', 'Only POST is taken here.\n');
    const head = verifySignature(rule, request.headers, undefined, deps.now());
    if (!head.accepted) return refuseBody(request, response, 401, refuseSignature(head));
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

    const check = verifySignature(rule, request.headers, body, deps.now());
    if (!check.accepted) return send(401, refuseSignature(check));

    let event: ReportedEvent;
    try {
      const whose = await withTimeout(usersTimeoutMs, deps.whoseAttempt()).catch(() => undefined);
      event = parseEvent(body.toString('utf8'), {
        ...(whose && { whose }),
        isTrusted: check.coversBody,
        takenAt: deps.now(),
        messageId: check.messageId,
      });
    } catch (error) {
      if (!(error instanceof MalformedEventError)) throw error;
      const reason = oddBody(request.headers) ?? error.message;
      log.warn({ reason }, 'webhook malformed');
      return refuse(400, 'malformed', oddBody(request.headers) ?? 'malformed', `Refused: ${reason}.\n`);
    }

    try {
      const result = await inTurn(() => takeEvent(event));
      log.debug({ event: event.id, response: event.subject, result }, 'webhook taken');
      counters.took(result);
      answer(200, result, result === 'taken' ? 'Taken.\n' : 'Known already.\n');
    } catch (error) {
      log.error({ error, event: event.id }, 'webhook could not be remembered');
      refuse(503, 'not_remembered', 'it could not be kept', 'The event could not be kept. Send it again later.\n');
    }
  };
}

/** Answers what comes for the route to another path. */
export function createMissedRoute({
  counters,
  metrics,
}: {
  counters: Pick<WebhookCounters, 'refused'>;
  metrics: Pick<Metrics, 'webhooks'>;
}) {
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'POST') {
      counters.refused('the address is wrong', { tried: [], headers: [], path: shownPath(request) });
      metrics.webhooks.inc({ outcome: 'address' });
    }
    return refuseBody(request, response, 404, 'Webhooks are taken at /webhooks/quiz.\n');
  };
}

/** As far as anybody can have meant it. */
function shownPath({ url = '' }: IncomingMessage): string {
  return pathOf(url)
    .replaceAll(/[^\w./-]/g, '?')
    .slice(0, 60);
}

/** More webhooks share a transaction, for which the commands of other tenants would have to wait. */
const webhooksAtOnce = 8;

/**
 * Lets so many pieces of work of one tenant run at a time. The others wait in the order in which they came, and begin in turns of
 * the event loop of their own, between which the work of other tenants gets its turn.
 */
export function createTurns(atOnce = webhooksAtOnce): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;

  function end(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else setImmediate(next);
  }

  return async (work) => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      end();
    }
  };
}

/** With the length, or Node would send the text in three pieces. */
function writeHead(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(status === 405 && { allow: 'POST' }),
  });
}
