import type { Account } from '../account.ts';
import type { ApiKey } from '../api/api-key.ts';
import type { RateLimit } from '../api/rate-limit.ts';
import type { RequestLog } from '../api/request-log.ts';
import type { Peer } from '../http/request.ts';
import type { PathParameters, Route } from '../http/router.ts';
import type { Outbox } from '../outbox.ts';
import { type Html, html } from './html.ts';
import type { Sessions } from './sessions.ts';

/** What the pages work on, beyond the account. */
export interface Site {
  account: Account;
  apiKey: ApiKey;
  requestLog: RequestLog;
  outbox: Outbox;
  sessions: Sessions;
  signInLimit: RateLimit;
  /** Whether the account is the sample one, whose people have no passwords. */
  isSample: boolean;
  /** Where the page after a quiz leads back to. */
  returnUrl: string | undefined;
}

export interface Visit<Parameter extends string = string> {
  site: Site;
  parameters: Record<Parameter, string>;
  /** The form that was sent; empty for GET. */
  form: FormData;
  peer: Peer;
  cookies: Record<string, string>;
}

export type Reply =
  | { kind: 'page'; status: number; title: string; main: Html; isWide: boolean }
  | { kind: 'redirect'; location: string; cookie?: string | undefined }
  | { kind: 'asset'; contentType: string; text: string };

export type PageRoute = Route<(visit: Visit) => Reply | Promise<Reply>>;

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

/** A text field of a form, trimmed; empty when it is missing. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

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
