import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, documents, linksOf } from '../support/documents.ts';
import { read } from '../support/project-files.ts';

/** @param created files that do not exist yet */
function isDead(target: string, anchor: string | undefined, created: ReadonlySet<string> = new Set()): boolean {
  if (!existsSync(target)) return !created.has(target);
  return anchor !== undefined && !anchorsOf(target).has(anchor);
}

test.each(documents)('%s has no dead links', (path) => {
  const text = read(path);
  /** Files that a recipe of CONTRIBUTING.md creates. */
  const created = new Set([...text.matchAll(/In a new file, \[([^\]]+)\]/g)].map(([, file]) => file!));
  const dead = linksOf(text).filter((link) => {
    const [file = '', anchor] = link.split('#');
    return isDead(file === '' ? path : join(dirname(path), file), anchor, created);
  });
  expect(dead).toEqual([]);
});

test('sources, tests and settings name only documents and anchors that exist', () => {
  const files = globSync([
    '{src,test,deploy,.ci}/**/*',
    '{.env.example,.oxlintrc.json,.prettierignore,Dockerfile,package.json}',
    '*.{ts,js,yml}',
  ]).filter((path) => /\.(?:ts|js|json|yml|css|example|cfg)$|\/run$|^\.prettierignore$|^Dockerfile$/.test(path));
  const named = files.flatMap((path) =>
    [...read(path).matchAll(/(?<![\w./${}-])((?:[\w-]+\/)*[\w-]+\.md)\b(?:#([\w-]+))?/g)].map(([, file, anchor]) => ({
      path,
      file: file!,
      anchor,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  const dead = named.filter(
    ({ path, file, anchor }) => isDead(file, anchor) && isDead(join(dirname(path), file), anchor),
  );
  expect(dead).toEqual([]);
});

test('the README leads to every document, or to one that does', () => {
  const targetsOf = (path: string) =>
    linksOf(read(path)).map((link) => join(dirname(path), link.split('#')[0]!).replace(/^\.$/, path));
  const near = new Set(targetsOf('README.md'));
  const reached = new Set([...near, ...[...near].filter((path) => path.endsWith('.md')).flatMap(targetsOf)]);
  const pages = documents.filter((path) => path !== 'README.md' && !path.startsWith('src/'));
  expect(pages.filter((path) => !reached.has(path))).toEqual([]);
  expect(pages.filter((path) => !near.has(path) && !path.startsWith('docs/reference/'))).toEqual([]);
});

test.each(documents.filter((path) => !path.startsWith('src/') && !['README.md', 'CHANGELOG.md'].includes(path)))(
  '%s begins with whom it is for',
  (path) => {
    expect(read(path)).toMatch(/^# .+\n\nFor (?:people|everyone|trainers|administrators|compliance)\b/);
  },
);
