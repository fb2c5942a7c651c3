import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reply } from './exchange.ts';

const pageFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'page');
const libraryFolder = libraryRoot(fileURLToPath(import.meta.resolve('lit-html')));

/** What the page shares with the server: pure modules, with no imports but each other. */
const sharedModules = ['inputs.ts', 'json.ts', 'limits.ts'];

const importMap = JSON.stringify({
  imports: { 'lit-html': '/lib/lit-html/lit-html.js', 'lit-html/': '/lib/lit-html/' },
});
const importMapHash = createHash('sha256').update(importMap).digest('base64');

/** Nothing but the page's own files runs or loads, and strings become HTML through lit-html's templates alone. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${importMapHash}'`,
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

const htmlHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'no-store',
};
const scriptHeaders = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' };

/** The page's files by path, its TypeScript with the types taken off. */
export function loadPageAssets(): (path: string) => Reply | undefined {
  const assets = new Map<string, Reply>();
  for (const file of filesIn(pageFolder)) {
    const path = `/page/${relative(pageFolder, file).split(sep).join('/')}`;
    if (extname(file) === '.ts')
      assets.set(path, { status: 200, headers: scriptHeaders, body: stripTypeScriptTypes(readFileSync(file, 'utf8')) });
    if (extname(file) === '.css')
      assets.set(path, {
        status: 200,
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' },
        body: readFileSync(file),
      });
    if (extname(file) === '.svg')
      assets.set(path, {
        status: 200,
        headers: { 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' },
        body: readFileSync(file),
      });
  }
  for (const name of sharedModules)
    assets.set(`/${name}`, {
      status: 200,
      headers: scriptHeaders,
      body: stripTypeScriptTypes(readFileSync(join(pageFolder, '..', name), 'utf8')),
    });
  for (const name of [
    'lit-html.js',
    'directive.js',
    'directive-helpers.js',
    'async-directive.js',
    ...['repeat', 'class-map', 'ref', 'live', 'if-defined', 'keyed', 'style-map'].map(
      (directive) => `directives/${directive}.js`,
    ),
  ]) {
    assets.set(`/lib/lit-html/${name}`, {
      status: 200,
      headers: scriptHeaders,
      body: readFileSync(join(libraryFolder, name)),
    });
  }
  assets.set('/', {
    status: 200,
    headers: htmlHeaders,
    body: readFileSync(join(pageFolder, 'index.html'), 'utf8').replace(
      '<!-- import map -->',
      `<script type="importmap">${importMap}</script>`,
    ),
  });
  return (path) => assets.get(path);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function libraryRoot(entryPoint: string): string {
  const marker = `${sep}lit-html${sep}`;
  return entryPoint.slice(0, entryPoint.lastIndexOf(`node_modules${marker}`) + 'node_modules'.length + marker.length);
}
