import type { IncomingMessage } from 'node:http';
import { type ApiCall, listText } from '../face.ts';
import { type HttpError } from '../http.ts';
import { jsonReply, type Reply } from '../../http.ts';
import type { CallOddity, Fields } from './changes.ts';

const byteOrderMark = '\ufeff';

interface ListForm extends CallOddity {
  /** The lists that always have this form. The forms of others are dealt. */
  route?: string;
  reply: (pages: Iterable<readonly unknown[]>, call: ApiCall) => Reply;
}

/** The records on a page of an enveloped list. */
const pageSize = 5;

const paged =
  (nextOf: (call: ApiCall, page: number) => string, end: { next?: null }): ListForm['reply'] =>
  (pages, call) => {
    const records = Array.from(pages).flat();
    const page = Number(call.query.get('page') ?? 1);
    const items = records.slice((page - 1) * pageSize, page * pageSize);
    const hasMore = records.length > page * pageSize;
    return jsonReply(200, JSON.stringify({ items, ...(hasMore ? { next: nextOf(call, page + 1) } : end) }));
  };

export const listForms: ListForm[] = [
  {
    name: 'list-byte-order-mark',
    where: 'Lists',
    what: 'a byte order mark before the JSON',
    source: 'seen',
    route: '/api/v1/quizzes',
    reply: (pages) => jsonReply(200, listText(pages, byteOrderMark)),
    shows: ({ text }) => text.startsWith(`${byteOrderMark}[`),
  },
  {
    name: 'list-data-envelope',
    where: 'Lists',
    what: '`{"data": […]}`',
    source: 'seen',
    route: '/api/v1/users',
    reply: (pages) => jsonReply(200, listText(pages, '{"data":', '}')),
    shows: ({ text }) => text.startsWith('{"data":['),
  },
  {
    name: 'list-pages-by-path',
    where: 'Lists',
    what: `\`{"items": […], "next": "/api/v1/…"}\`, ${pageSize} records a page, \`next\` is \`null\` on the last`,
    source: 'seen',
    route: '/api/v1/groups',
    reply: paged(({ path }, page) => `${path}?page=${page}`, { next: null }),
    shows: ({ text }) => /^\{"items":\[.*"next":"\/api\//.test(text),
  },
  {
    name: 'list-pages-by-url',
    where: 'Lists',
    what: `\`{"items": […], "next": "http…"}\`, ${pageSize} records a page, without \`next\` on the last`,
    source: 'seen',
    reply: paged(({ origin, path }, page) => `${origin}${path}?page=${page}`, {}),
    shows: ({ text }) => /^\{"items":\[.*"next":"http/.test(text),
  },
];

interface RecordForm extends CallOddity {
  reply: (json: string) => Reply;
}

export const recordForms: RecordForm[] = [
  {
    name: 'record-byte-order-mark',
    where: 'Single records',
    what: 'a byte order mark before the JSON',
    source: 'seen',
    reply: (json) => jsonReply(200, byteOrderMark + json),
    shows: ({ text }) => text.startsWith(`${byteOrderMark}{`),
  },
];

interface WriteForm extends CallOddity {
  /** @param json what the smooth face sends */
  reply: (json: string) => Reply;
}

/** The name, status and body of each form. Without a body, it is the JSON of the specification. */
const answersToWrites = [
  ['200-empty', '200 without a body', 200, ''],
  ['201', '201 with the JSON of the specification', 201, undefined],
  ['202-text', '202 with a text, `Accepted`', 202, 'Accepted'],
  ['204', '204', 204, ''],
  ['200-text', '200 with a text, `OK`', 200, 'OK'],
  ['200-json-text', '200 with a JSON string', 200, '"OK"'],
  ['200-null', '200 with `null`', 200, 'null'],
] as const;

export const writeForms: WriteForm[] = answersToWrites.map(([name, what, status, body]) => ({
  name: `write-${name}`,
  where: 'Successful writes',
  what,
  source: 'seen',
  reply(json) {
    if (status === 204) return { status, headers: {}, body };
    return body === undefined || /^["n]/.test(body) ? jsonReply(status, body ?? json) : plainText(status, body);
  },
  shows: (call) =>
    call.method !== 'GET' &&
    !call.path.endsWith('/find') &&
    call.status === status &&
    (body === undefined || call.text === body),
}));

interface ErrorForm extends CallOddity {
  reply: (error: HttpError) => Reply;
}

const errorForm = (name: string, what: string, reply: ErrorForm['reply'], shows: ErrorForm['shows']): ErrorForm => ({
  name: `error-${name}`,
  where: 'Errors',
  what,
  source: 'seen',
  reply,
  shows,
});

export const errorForms: ErrorForm[] = [
  errorForm(
    'capital-message',
    '`{"Message": "…"}`',
    ({ status, message }) => jsonReply(status, JSON.stringify({ Message: message })),
    (call) => call.status >= 400 && /^\{"Message":"(?!Authorization)/.test(call.text),
  ),
  errorForm(
    'json-text',
    'a JSON string',
    ({ status, message }) => jsonReply(status, JSON.stringify(message)),
    (call) => call.status >= 400 && call.text.startsWith('"'),
  ),
  errorForm(
    'text',
    'plain text',
    ({ status, message }) => plainText(status, message),
    (call) => call.status >= 400 && /^[A-Z4]/.test(call.text),
  ),
  errorForm(
    'page',
    'a page of HTML',
    ({ status, message }) => htmlPage(status, `${status} - Error`, message),
    (call) => call.status >= 400 && call.text.includes(`<title>${call.status} - Error`),
  ),
  errorForm(
    'page-200',
    'a page of HTML with status 200 (but 429 stays 429)',
    ({ status, message }) => htmlPage(status === 429 ? status : 200, 'Something went wrong', message),
    (call) => call.status === 200 && call.text.includes('<title>Something went wrong'),
  ),
];

/** Replaces the error when the service refuses the connection or the key. */
export const refusals: (ErrorForm & { replaces: RegExp })[] = [
  {
    ...errorForm(
      'ssl-page',
      '403.4 as a page of HTML',
      () =>
        htmlPage(403, '403.4 - Forbidden: SSL is required', 'The page you are trying to access is secured with SSL.'),
      (call) => call.status === 403 && call.text.includes('<title>403.4'),
    ),
    replaces: /^403\.4/,
  },
  {
    ...errorForm(
      'key-refused',
      '403 with `{"Message": "Authorization has been denied for this request."}` for a wrong key',
      () => jsonReply(403, JSON.stringify({ Message: 'Authorization has been denied for this request.' })),
      (call) => call.status === 403 && call.text.includes('Authorization has been denied'),
    ),
    replaces: /X-API-KEY/,
  },
];

interface NobodyForm extends CallOddity {
  /** Undefined: 200 with a null id. */
  status: 400 | 422 | undefined;
}

const nobody = (status: NobodyForm['status'], name: string, what: string): NobodyForm => ({
  name: `nobody-${name}`,
  where: '`users/find` for nobody',
  what,
  source: 'seen',
  status,
  shows: (call) =>
    call.path.endsWith('/users/find') &&
    (status === undefined ? call.status === 200 && call.text.includes('"user_id":null') : call.status === status),
});

/** Only 404 says so in the specification, and it stays one of the answers. */
export const nobodyForms: NobodyForm[] = [
  nobody(400, '400', '400'),
  nobody(422, '422', '422'),
  nobody(undefined, 'null', '200 with `{"user_id": null}`'),
];

export const numericFoundId: CallOddity = {
  name: 'found-id-number',
  where: '`users/find`',
  what: 'a number as `user_id`',
  source: 'seen',
  shows: (call) => call.path.endsWith('/users/find') && /"user_id":\d/.test(call.text),
};

/** For so long after the submission. */
const submittedLaterMs = 5_000;

export const submittedLater: CallOddity = {
  name: 'response-submitted-later',
  where: 'Responses',
  what: `\`not_submitted\` for ${submittedLaterMs / 1_000} seconds after the submission, of which the webhook has told`,
  source: 'seen',
  shows: ({ text }) => /"date_submitted":null[^}]*"grade":"[^"]+"[^}]*"status":"not_submitted"/.test(text),
};

/** A response as it is shown soon after its submission. */
export function beforeSubmission(response: Fields, nowMs: number): Fields {
  const submittedMs = Date.parse(`${String(response['date_submitted']).replace(' ', 'T')}Z`);
  return nowMs - submittedMs < submittedLaterMs
    ? { ...response, date_submitted: null, status: 'not_submitted' }
    : response;
}

interface Interception extends CallOddity {
  reply: (request: IncomingMessage, pathname: string) => Reply | undefined;
}

const redirect = (status: number, pathname: string): Reply => ({
  status,
  headers: {
    location: `/sign-in?ReturnUrl=${encodeURIComponent(pathname)}`,
    'content-type': 'text/html; charset=utf-8',
  },
  body: '<html><head><title>Object moved</title></head><body><h2>Object moved to <a href="/sign-in">here</a>.</h2></body></html>',
});

const isOutsideTheApi = (request: IncomingMessage, pathname: string) =>
  request.headers['x-api-key'] !== undefined && !pathname.startsWith('/api/v1/');

/** What answers instead of the service. */
export const interceptions: Interception[] = [
  {
    name: 'firewall-page',
    where: 'Every call without `User-Agent`',
    what: '403 with the page of a firewall',
    source: 'seen',
    reply: ({ headers }) =>
      (headers['user-agent'] ?? '').trim() === ''
        ? htmlPage(
            403,
            'Attention Required! | Firewall',
            'Sorry, you have been blocked. Please contact the site owner.',
          )
        : undefined,
    shows: (call) => call.status === 403 && call.text.includes('| Firewall</title>'),
  },
  wrongAddress(301, true, 'A wrong base address below `/api`'),
  wrongAddress(302, false, 'Any other wrong base address'),
];

function wrongAddress(status: number, isBelowApi: boolean, where: string): Interception {
  return {
    name: `wrong-address-${status}`,
    where,
    what: `${status} to the page to sign in`,
    source: 'seen',
    reply: (request, pathname) =>
      isOutsideTheApi(request, pathname) && pathname.startsWith('/api/') === isBelowApi
        ? redirect(status, pathname)
        : undefined,
    shows: (call) => call.status === status && (call.headers['location']?.startsWith('/sign-in') ?? false),
  };
}

function plainText(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

function htmlPage(status: number, title: string, sentence: string): Reply {
  const escaped = sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1><p>${escaped}</p></body></html>\n`,
  };
}
