import { expect, test } from 'vitest';
import { sourceFiles } from '../support/project-files.ts';
import { heldAgainst } from './bench-row.ts';
import { goals, type GoalName } from './goals.ts';
import { judge } from './judge.ts';
import { markdownTable, plainTable } from './table.ts';

const about = { name: 'webhooks', figure: '0.9 of its webhooks' };

test('a row reaches its goal if every number does', () => {
  const numbersOf = (p50Ms: number, p99Ms: number) => ({
    ...about,
    ...heldAgainst('webhook to message', { p50Ms, p99Ms }),
  });
  expect(judge(numbersOf(5, 25)).isReached).toBe(true);
  expect(judge(numbersOf(5.1, 25)).isReached).toBe(false);
  expect(judge(numbersOf(5, 25.1)).isReached).toBe(false);
});

test('a number that has to be at least something reaches it from above', () => {
  expect(judge({ ...about, ...heldAgainst('webhooks over SQLite', { ratio: 0.8 }) }).isReached).toBe(true);
  expect(judge({ ...about, ...heldAgainst('webhooks over SQLite', { ratio: 0.79 }) }).isReached).toBe(false);
});

test('a number that has to be something is neither more nor less', () => {
  const withWrites = (writes: number) => judge({ ...about, ...heldAgainst('assignment', { writes, reads: 0 }) });
  expect([0, 1, 2].map((writes) => withWrites(writes).isReached)).toEqual([false, true, false]);
});

test('a number that could not be measured reaches nothing', () => {
  expect(judge({ ...about, ...heldAgainst('webhooks over SQLite', { ratio: Number.NaN }) }).isReached).toBe(false);
});

test('a goal says how far each number goes', () => {
  const { goal } = judge({ ...about, ...heldAgainst('requests of a campaign') });
  expect(goal).toBe('0 unassigned, at most 2 % more requests, at least 15 minutes between lists of users');
});

test('a row that this machine cannot judge has a goal and no verdict', () => {
  const row = judge({ ...about, ...heldAgainst('two instances') });
  expect(markdownTable([row])).toContain('| at least 1.7 of its webhooks, where cores allow |');
});

test('a row without a number of its goal is a mistake', () => {
  expect(() => judge({ ...about, goal: 'webhooks over SQLite', numbers: { rate: 1 } })).toThrow(
    'says nothing of ratio',
  );
});

test('tables say whether goals are reached', () => {
  const rows = [
    judge({ name: 'webhooks | SQLite', figure: '0.9', ...heldAgainst('webhooks over SQLite', { ratio: 0.9 }) }),
    judge({ name: 'webhooks', figure: '0.7 of them', ...heldAgainst('webhooks over SQLite', { ratio: 0.7 }) }),
    judge({ name: 'memory', figure: '100 MB' }),
  ];
  expect(markdownTable(rows)).toBe(
    [
      '| Measurement | Figure | Goal |',
      '|---|---|---|',
      String.raw`| webhooks \| SQLite | 0.9 | at least 0.8 of its webhooks: reached |`,
      '| webhooks | 0.7 of them | at least 0.8 of its webhooks: **missed** |',
      '| memory | 100 MB |  |',
    ].join('\n'),
  );
  expect(plainTable(rows)).toBe(
    [
      'webhooks | SQLite  0.9          goal: at least 0.8 of its webhooks: reached',
      'webhooks           0.7 of them  goal: at least 0.8 of its webhooks: **missed**',
      'memory             100 MB',
    ].join('\n'),
  );
});

test('every goal belongs to a row of the bench', () => {
  const sources = sourceFiles('test/bench')
    .filter(({ path }) => !path.endsWith('.test.ts') && !path.endsWith('goals.ts'))
    .map(({ text }) => text)
    .join('\n');
  const names = Object.keys(goals) as GoalName[];
  expect(names.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});
