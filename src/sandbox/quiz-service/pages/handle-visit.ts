import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRouter, HttpError, notFound, type Peer } from '../http.ts';
import { BodyTooLargeError, readBody, type Reply, writeReply } from '../../http.ts';
import { takeRoutes } from './take.ts';
import { html, page, pageRoute, redirect, type Site, style } from './page.ts';
import { readSettings } from '../store/quizzes.ts';
import { requireAttempt } from '../taking/attempts.ts';

const resultRoutes = [
  pageRoute('GET', '/results/:response_id', ({ site, parameters }) => {
    const response = requireAttempt(site.account, parameters.response_id);
    if (response.status !== 'submitted') return redirect(`/attempts/${response.response_id}`);
    const { pass_mark, has_certificate } = readSettings(site.account.database, response.quiz_id);
    return page(
      'Your result',
      html`<h1>Thank you, ${response.first_name}</h1>
<section>
<h2>${response.quiz_name}</h2>
<p class="score">${response.percentage_score}%</p>
<p class="${response.pass ? 'passed' : 'failed'}">${response.pass ? '✓ Passed' : '✗ Failed'}</p>
<dl>
<dt>Score</dt><dd>${response.points} of ${response.available_points} points</dd>
${response.grade !== '' && html`<dt>Grade</dt><dd>${response.grade}</dd>`}
<dt>Pass mark</dt><dd>${pass_mark}%</dd>
<dt>Attempt</dt><dd>${response.attempt}</dd>
<dt>Time taken</dt><dd>${formatDuration(response.duration)}</dd>
<dt>Submitted</dt><dd>${response.date_submitted} UTC</dd>
</dl>
${
  has_certificate &&
  response.pass &&
  html`<p><a href="/certificates/${response.response_id}">View your certificate</a></p>`
}
</section>
<p>${site.returnUrl !== undefined && html`<a href="${site.returnUrl}">Back to the workspace</a> · `}
<a href="/">Other quizzes</a></p>`,
    );
  }),

  pageRoute('GET', '/certificates/:response_id', ({ site, parameters }) => {
    const response = requireAttempt(site.account, parameters.response_id);
    const { has_certificate } = readSettings(site.account.database, response.quiz_id);
    if (!has_certificate || response.status !== 'submitted' || !response.pass) {
      throw notFound('This attempt has no certificate.');
    }
    return page(
      'Certificate',
      html`<h1>Certificate</h1>
<section>
<p>This is to certify that</p>
<p class="score">${response.first_name} ${response.last_name}</p>
<p>passed <strong>${response.quiz_name}</strong> with ${response.percentage_score}%,
${response.grade !== '' && html`grade ${response.grade},`} on ${response.date_submitted?.slice(0, 10)}.</p>
</section>`,
    );
  }),
];

function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

const mebibyte = 1024 * 1024;
const uploadLimitBytes = 20 * mebibyte;

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

const routes = [
  pageRoute('GET', '/style.css', () => ({
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8' },
    body: style,
  })),
  ...takeRoutes,
  ...resultRoutes,
];

/** Handles all requests outside `/api`. */
export function createVisitHandler(site: Site, reportError: (error: unknown) => string) {
  const findRoute = createRouter(routes);

  return async function handleVisit(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    peer: Peer,
  ): Promise<void> {
    const reply = await answer(request, pathname, peer).catch(replyToError);
    await writeReply(response, { ...reply, headers: { ...securityHeaders, ...reply.headers } });
  };

  async function answer(request: IncomingMessage, pathname: string, peer: Peer): Promise<Reply> {
    const match = findRoute(request.method ?? '', pathname);
    if (!match.found) {
      throw match.allowedMethods.length > 0
        ? new HttpError(405, 'This page doesn’t work that way.')
        : new HttpError(404, 'This page doesn’t exist.');
    }
    if (request.method !== 'GET' && isFromElsewhere(request)) {
      throw new HttpError(403, 'This form was sent from another site.');
    }
    const form = request.method === 'GET' ? new FormData() : await readForm(request);
    const query = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
    return match.run({ site, parameters: match.parameters, query, form, peer });
  }

  function replyToError(error: unknown): Reply {
    if (error instanceof HttpError) return errorPage(error.status, error.message);
    if (error instanceof URIError) return errorPage(400, 'This address isn’t encoded correctly.');
    if (error instanceof BodyTooLargeError) {
      const { headers, ...reply } = errorPage(413, error.message);
      return { ...reply, headers: { ...headers, connection: 'close' } };
    }
    return errorPage(500, `Something went wrong. Reference: ${reportError(error)}`);
  }
}

function errorPage(status: number, message: string): Reply {
  const main = html`<h1>${message}</h1>
<section><p>Go back and try again, or see the <a href="/">open quizzes</a>.</p></section>`;
  return page(message, main, { status });
}

/** Detects forged forms. Browsers send an origin. */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (headers.origin === undefined) return false;
  return !URL.canParse(headers.origin) || new URL(headers.origin).host !== headers.host;
}

/** @throws HttpError 400 when the body is not a form */
async function readForm(request: IncomingMessage): Promise<FormData> {
  const contentType = request.headers['content-type'] ?? '';
  const body = await readBody(request, contentType.startsWith('multipart/') ? uploadLimitBytes : mebibyte);
  if (body.length === 0) return new FormData();
  try {
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new HttpError(400, 'The form couldn’t be read.');
  }
}
