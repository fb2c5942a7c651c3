import type { Account, Outbox } from '../account.ts';
import type { ApiKey, RateLimit, RequestLog } from '../api/api-key.ts';
import type { PathParameters, Peer, Route } from '../http.ts';
import type { Sessions } from './sessions.ts';

/** The account and the services that pages use. */
export interface Site {
  account: Account;
  apiKey: ApiKey;
  requestLog: RequestLog;
  outbox: Outbox;
  sessions: Sessions;
  signInLimit: RateLimit;
  /** Whether this is the sample account, whose people have no passwords. */
  isSample: boolean;
  /** The target of the link that follows a quiz. */
  returnUrl: string | undefined;
}

export interface Visit<Parameter extends string = string> {
  site: Site;
  parameters: Record<Parameter, string>;
  query: URLSearchParams;
  /** The submitted form. Empty for GET. */
  form: FormData;
  peer: Peer;
  cookies: Record<string, string>;
}

export type Reply =
  | { kind: 'page'; status: number; title: string; main: Html; isWide: boolean }
  | { kind: 'redirect'; location: string; cookie?: string | undefined }
  | { kind: 'asset'; contentType: string; text: string };

export type PageRoute = Route<(visit: Visit) => Reply | Promise<Reply>>;

/** Defines a route for people. */
export function pageRoute<Path extends string>(
  method: 'GET' | 'POST',
  path: Path,
  run: (visit: Visit<PathParameters<Path>>) => Reply | Promise<Reply>,
): PageRoute {
  return { method, path, run };
}

export function page(title: string, main: Html, { status = 200, isWide = false } = {}): Reply {
  return { kind: 'page', status, title, main, isWide };
}

/** @param cookie a Set-Cookie value */
export function redirect(location: string, cookie?: string): Reply {
  return { kind: 'redirect', location, cookie };
}

/** Reads a text field and trims it. Empty when the field is missing. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Renders a page with its header and navigation. */
export function renderPage({ title, main, isWide }: { title: string; main: Html; isWide: boolean }): string {
  const width = isWide ? 'wide' : '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Quiz service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<script src="/timer.js" defer></script>
</head>
<body>
<header class="${width}"><strong>Quiz service</strong><nav aria-label="Main" class="row">
<a href="/">Quizzes</a> <a href="/my-quizzes">My quizzes</a> <a href="/account">API screen</a>
</nav></header>
<main class="${width}">${main}</main>
</body>
</html>
`.text;
}

/** Text that is already markup. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Interpolated = string | number | Html | null | undefined | false | readonly Interpolated[];

/** Builds markup. Escapes every value except other `html`. Attribute values must be in quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Interpolated[]): Html {
  return new Html(strings.reduce((text, string, i) => text + render(values[i - 1]) + string));
}

function render(value: Interpolated): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
