import { expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import {
  botSources,
  decidingFunction,
  definersOf,
  filesPerName,
  importersOf,
  importsOf,
  longestChain,
  sizeOf,
} from './sources.ts';

const sources = botSources();

test('files and lines are counted', () => {
  const files = [
    { path: 'src/short.ts', text: 'a\nb\n' },
    { path: 'src/long.ts', text: `${'a\n'.repeat(29)}${'b'.repeat(161)}\n` },
    { path: 'src/middle.ts', text: 'a\nb\nc\n' },
  ];
  expect(sizeOf(files)).toEqual({ files: 3, lines: 35, median: 3, longLines: 1 });
});

test('the longest chain of imports goes through types as well', () => {
  const imports = importsOf([
    { path: 'src/a.ts', text: "import { z } from 'zod';\nimport { b } from './rooms/b.ts';\nimport './d.ts';\n" },
    { path: 'src/rooms/b.ts', text: "import type { C } from '../c.ts';\n" },
    { path: 'src/c.ts', text: '' },
    { path: 'src/d.ts', text: '' },
  ]);
  expect(imports.get('src/rooms/b.ts')).toEqual(['src/c.ts']);
  expect(longestChain(imports)).toBe(3);
});

test('the files of a name are those that quote the whole name', () => {
  const files = [
    { path: 'src/one.ts', text: "name: 'close-quiz'" },
    { path: 'src/two.ts', text: 'name: `close-quiz`, "open-quiz"' },
    { path: 'src/three.ts', text: "'close-quizzes', 'reclose-quiz' // close-quiz" },
  ];
  expect(filesPerName(files, ['open-quiz', 'close-quiz'])).toEqual([
    { name: 'close-quiz', files: ['src/one.ts', 'src/two.ts'] },
    { name: 'open-quiz', files: ['src/two.ts'] },
  ]);
});

test('importers of a function import it by name, not its type, and not a longer name', () => {
  const files = [
    { path: 'src/one.ts', text: "import { a } from './a.ts';\nimport { admit, b } from './admit.ts';\n" },
    { path: 'src/two.ts', text: "import {\n  admit as decide,\n} from './admit.ts';\n" },
    {
      path: 'src/three.ts',
      text: "import type { admit } from './a.ts';\nimport { admitted } from './a.ts';\nadmit();\n",
    },
  ];
  expect(importersOf(files, 'admit')).toEqual(['src/one.ts', 'src/two.ts']);
});

test('the sources are the bot’s, each operation has a name in them, and one file defines the function that decides', () => {
  expect(sources.some(({ path }) => path === 'src/app.ts')).toBe(true);
  expect(sources.filter(({ path }) => path.startsWith('src/sandbox/'))).toEqual([]);
  const names = filesPerName(
    sources,
    catalog.map(({ name }) => name),
  );
  expect(names.filter(({ files }) => files.length === 0)).toEqual([]);
  expect(definersOf(sources, decidingFunction)).toHaveLength(1);
  expect(importersOf(sources, decidingFunction).length).toBeGreaterThan(0);
});
