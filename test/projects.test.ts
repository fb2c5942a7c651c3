import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projects } from '../vitest.config.ts';
import { read } from './support/project-files.ts';

const filesOf = Object.entries(projects).map(
  ([name, { include, exclude = [] }]) => [name, globSync(include, { exclude })] as const,
);

test('every test file is in exactly one project', () => {
  const files = globSync('test/**/*.test.ts');
  expect(files.length).toBeGreaterThan(150);
  expect(filesOf.flatMap(([, chosen]) => chosen).toSorted()).toEqual(files.toSorted());
});

test('every project has tests, and CONTRIBUTING.md says what for', () => {
  expect(filesOf.filter(([, chosen]) => chosen.length === 0)).toEqual([]);
  const described = [...read('CONTRIBUTING.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(described).toEqual(Object.keys(projects));
});

test('every file that a project leaves out exists', () => {
  const leftOut = Object.values(projects).flatMap(({ exclude = [] }) => exclude);
  expect(leftOut.filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
});
