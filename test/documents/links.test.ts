import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, documents, linksOf, repeatedPassages } from '../support/documents.ts';
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
    '{.env.example,.oxlintrc.json,.oxfmtrc.json,Dockerfile,package.json}',
    '*.{ts,js,yml}',
  ]).filter((path) => /\.(?:ts|js|json|yml|css|example|cfg)$|\/run$|^Dockerfile$/.test(path));
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
    linksOf(read(path)).map((link) => (link.startsWith('#') ? path : join(dirname(path), link.split('#')[0]!)));
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

test('nothing stands twice in the documents, apart from the changelog', () => {
  const texts = documents.filter((path) => path !== 'CHANGELOG.md').map(read);
  expect(repeatedPassages(texts)).toEqual([]);
});

const sentence = 'The bot keeps submissions that arrive during a pause for 7 days and posts them afterwards.';

test.each([
  ['a paragraph', `# Alerts\n\n${sentence}\n`],
  ['an item of a list', `- ${sentence}\n- Another one.\n`],
  ['a step', `1. ${sentence}\n`],
  ['a sentence of a paragraph', `Subscriptions can be paused. ${sentence} Resume them.\n`],
  ['a sentence with markup', `${sentence.replace('a pause', '**a [pause](docs/alerts.md#pauses)**')}\n`],
])('%s that another document has is noticed', (_, text) => {
  expect(repeatedPassages([`${sentence} It says so.\n`, text])).toEqual([sentence.toLowerCase()]);
});

test('a row of a table that occurs twice is noticed, a line of code is not', () => {
  const row = '| `/quiz rename <quiz> to <name>` | Rename a quiz, and nothing else about it |';
  const text = `| Command | |\n|---|---|\n${row}\n\n\`\`\`sh\n${sentence}\n\`\`\`\n`;
  expect(repeatedPassages([text, text])).toEqual([
    '/quiz rename <quiz> to <name> rename a quiz, and nothing else about it',
  ]);
});

test('the README has at most 70 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(70);
});

test('the documents are short enough to be read to their end', () => {
  const written = documents.filter((path) => !/^(?:src|docs\/reference)\//.test(path));
  const words = written.flatMap((path) => read(path).split(/\s+/));
  expect(words.length).toBeLessThan(30_000);
});

test('no line of the changelog is longer than 320 characters', () => {
  const lines = read('CHANGELOG.md').split('\n');
  expect(lines.filter((line) => line.length > 320)).toEqual([]);
});
