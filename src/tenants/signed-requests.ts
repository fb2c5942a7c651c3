import type { SignedRequests } from '../assembly/doors.ts';
import { refuseBody, type ReadBody } from '../http/read-body.ts';
import type { Handler } from '../http/server.ts';

/**
 * One address for the requests that several bots take: whose secret fits takes it. Nothing else in a request says whose it
 * is. A request that fits none is refused, except for an unsigned check of the certificate, which tells nothing.
 */
export function createSignedRequestsRoute({
  takers,
  readBody,
  onRefused,
}: {
  takers: () => readonly SignedRequests[];
  /** Bodies up to 1 MiB. */
  readBody: ReadBody;
  onRefused: (why: string) => void;
}): Handler {
  return async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const body = await readBody(request, response);
    if (body === 'cut off') return;
    if (body === 'too large') return refuseBody(request, response, 413);
    if (body === 'no room') return refuseBody(request, response, 503);
    const taker = takers().find((one) => one.fits(request, body));
    if (taker) return taker.take(request, response, body);
    if (new URLSearchParams(body.toString('utf8')).get('ssl_check') === '1') return void response.writeHead(200).end();
    onRefused('no_secret_fits');
    response.writeHead(401).end();
  };
}
