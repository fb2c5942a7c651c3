import type { Account } from '../account.ts';
import type { PathParameters, Peer, Route } from '../http.ts';
import type { Reply } from '../../http.ts';

/** What pages work on. */
export interface Site {
  account: Account;
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
}

export type PageRoute = Route<(visit: Visit) => Reply | Promise<Reply>>;

/** Defines a route for people. */
export function pageRoute<Path extends string>(
  method: 'GET' | 'POST',
  path: Path,
  run: (visit: Visit<PathParameters<Path>>) => Reply | Promise<Reply>,
): PageRoute {
  return { method, path, run };
}

export function page(title: string, main: Html, { status = 200 } = {}): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: renderPage(title, main) };
}

export function redirect(location: string): Reply {
  return { status: 303, headers: { location }, body: '' };
}

/** Reads a text field and trims it. Empty when the field is missing. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

function renderPage(title: string, main: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Quiz service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><strong>Quiz service</strong><nav aria-label="Main"><a href="/">Quizzes</a></nav></header>
<main>${main}</main>
</body>
</html>
`.text;
}

export const style = /* css */ `
:root {
  color-scheme: light dark;
  --ground: #f6f5f1; --paper: #ffffff; --ink: #1f2421; --soft: #55605a; --line: #d5d3ca;
  --accent: #0b5d52; --on-accent: #ffffff; --good: #14602b; --bad: #a3211b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #151917; --paper: #1e2421; --ink: #ecefec; --soft: #a9b4ae; --line: #3b4540;
    --accent: #6fd3c1; --on-accent: #0c1f1b; --good: #7ddc98; --bad: #ff9c93;
  }
}
* { box-sizing: border-box; accent-color: var(--accent); }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
header, main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; padding-bottom: 0; }
header strong { margin-right: auto; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
section, form.card { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: 1.1rem; margin: 0 0 1rem; }
ul.plain { list-style: none; padding: 0; margin: 0; }
ul.plain > li { padding: .5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
ul.plain > li:first-child { border-top: 0; }
.hint { color: var(--soft); font-size: .9rem; margin: .2rem 0 .6rem; }
.error { color: var(--bad); font-weight: 600; }
label, legend { font-weight: 600; }
.field { margin: 0 0 .9rem; }
.field > label { display: block; margin-bottom: .2rem; }
form[data-attempt] .field { margin-bottom: 1.4rem; }
fieldset { border: 0; padding: 0; margin: 0 0 1.4rem; min-width: 0; }
legend { padding: 0; margin-bottom: .5rem; overflow-wrap: anywhere; }
.choice { display: flex; gap: .6rem; padding: .35rem 0; align-items: baseline; }
.choice label { font-weight: 400; overflow-wrap: anywhere; }
input[type=text], input[type=email], select, textarea {
  width: 100%; padding: .55rem .65rem; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--soft); border-radius: .4rem;
}
textarea { min-height: 7rem; }
button {
  font: inherit; font-weight: 600; padding: .55rem 1.1rem; border-radius: .4rem; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.score { font-size: 2.4rem; font-weight: 700; line-height: 1.1; margin: 0; }
.passed { color: var(--good); font-weight: 700; }
.failed { color: var(--bad); font-weight: 700; }
`;

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
