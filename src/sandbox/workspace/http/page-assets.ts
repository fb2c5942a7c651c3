import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reply } from '../../http.ts';

const pageFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'page');
const libraryFolder = libraryRoot(fileURLToPath(import.meta.resolve('lit-html')));

/** Modules that the page shares with the server. They import nothing but each other, types aside. */
const sharedModules = ['interactive-elements.ts', 'json.ts', 'limits.ts', 'locales.ts'];

/** The modules of lit-html that the page needs, with their own dependencies. */
const libraryModules = [
  'lit-html.js',
  'directive.js',
  'directive-helpers.js',
  'async-directive.js',
  ...['if-defined', 'keyed', 'live', 'ref', 'repeat'].map((directive) => `directives/${directive}.js`),
];

const importMap = JSON.stringify({
  imports: { 'lit-html': '/lib/lit-html/lit-html.js', 'lit-html/': '/lib/lit-html/' },
});
const importMapHash = createHash('sha256').update(importMap).digest('base64');

/** Allows the page's own files only. Trusted Types limit HTML to the templates of lit-html. */
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
const contentTypes: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads a file of the page or a library. TypeScript is served without its types. */
function assetFrom(file: string): Reply | undefined {
  const type = contentTypes[extname(file)];
  if (type === undefined) return undefined;
  const body = readFileSync(file, 'utf8');
  return {
    status: 200,
    headers: { 'content-type': type, 'cache-control': 'no-cache' },
    body: extname(file) === '.ts' ? stripTypeScriptTypes(body) : body,
  };
}

/** Loads the page's files. @returns a lookup by path */
export function loadPageAssets(): (path: string) => Reply | undefined {
  const assets = new Map<string, Reply>();
  const add = (path: string, file: string): void => {
    const asset = assetFrom(file);
    if (asset !== undefined) assets.set(path, asset);
  };
  for (const file of filesIn(pageFolder)) add(`/page/${relative(pageFolder, file).split(sep).join('/')}`, file);
  for (const name of sharedModules) add(`/${name}`, join(pageFolder, '..', name));
  for (const name of libraryModules) add(`/lib/lit-html/${name}`, join(libraryFolder, name));
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
