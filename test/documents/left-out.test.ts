import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';

test('npm test says which tests a bare machine leaves out', () => {
  const bare = temporaryDirectory();
  for (const program of ['sh', 'npm', 'env'])
    symlinkSync(
      spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim(),
      join(bare, program),
    );
  const { stdout, stderr, status } = spawnSync(
    'npm',
    ['test', '--', '--project', 'documents', 'test/projects.test.ts'],
    {
      encoding: 'utf8',
      env: { HOME: process.env['HOME'], PATH: `${bare}:${dirname(process.execPath)}` },
    },
  );
  expect({ stderr, status }).toMatchObject({ status: 0 });
  const missing = /^Left out of (\w+): (.+) \((\S+) is missing: install/gm;
  expect([...stdout.matchAll(missing)].map(([, ...parts]) => parts)).toEqual([
    ['documents', 'tests with promtool', 'promtool'],
    ['documents', 'tests with systemd-analyze', 'systemd-analyze'],
    ['documents', 'tests with HAProxy', 'haproxy'],
    ['documents', 'tests over Redis', 'redis-server'],
  ]);
});
