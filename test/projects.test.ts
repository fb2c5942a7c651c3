import { globSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { projects } from '../vitest.config.ts';
import { read } from './support/project-files.ts';
import { temporaryDirectory } from './support/temporary.ts';

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

test('npm test says which tests a bare machine leaves out', () => {
  const bare = temporaryDirectory();
  for (const program of ['sh', 'npm', 'env'])
    symlinkSync(
      spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim(),
      join(bare, program),
    );
  const { stdout, stderr, status } = spawnSync(
    'npm',
    ['test', '--', '--project', 'documents', 'test/documents/upgrade.test.ts'],
    {
      encoding: 'utf8',
      env: { HOME: process.env['HOME'], PATH: `${bare}:${dirname(process.execPath)}` },
    },
  );
  expect({ stderr, status }).toMatchObject({ status: 0 });
  expect(stdout).toContain('Left out of documents: the steps of CONTRIBUTING.md (');
  const missing = /^Left out of (\w+): (.+) \((\S+) is missing: install/gm;
  expect([...stdout.matchAll(missing)].map(([, ...parts]) => parts)).toEqual([
    ['documents', 'tests with promtool', 'promtool'],
    ['documents', 'tests with systemd-analyze', 'systemd-analyze'],
    ['documents', 'tests with HAProxy', 'haproxy'],
    ['documents', 'tests over Redis', 'redis-server'],
  ]);
});
