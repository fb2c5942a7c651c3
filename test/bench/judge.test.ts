import { expect, test, onTestFinished } from 'vitest';
import { sourceFiles } from '../support/project-files.ts';
import { heldAgainst, type BenchRow, judge, markdownTable, plainTable } from './bench-row.ts';
import { goals, type GoalName } from './goals.ts';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareFigures, comparison, gatherFigures, type Figures, readFigures, writeFigures } from './compare.ts';

const about = { name: 'webhooks', figure: '0.9 of its webhooks' };

test.each<[GoalName, NonNullable<BenchRow['numbers']>, boolean]>([
  ['webhook to message', { p50Ms: 5, p99Ms: 25 }, true],
  ['webhook to message', { p50Ms: 5.1, p99Ms: 25 }, false],
  ['webhook to message', { p50Ms: 5, p99Ms: 25.1 }, false],
  ['webhooks over SQLite', { ratio: 0.8 }, true],
  ['webhooks over SQLite', { ratio: 0.79 }, false],
  ['assignment', { writes: 0, reads: 0 }, false],
  ['assignment', { writes: 1, reads: 0 }, true],
  ['assignment', { writes: 2, reads: 0 }, false],
  // What could not be measured.
  ['webhooks over SQLite', { ratio: Number.NaN }, false],
])('a row reaches “%s” if every number does: with %j, %s', (goal, numbers, isReached) => {
  expect(judge({ ...about, goal, numbers }).isReached).toBe(isReached);
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

const [webhooks, memory] = ['webhooks over SQLite: ratio', 'idle memory: ratio'];

function changesOf(before: Figures, now: Figures): Record<string, string> {
  return Object.fromEntries(compareFigures(before, now).map(({ name, change }) => [name, change]));
}

test.each([
  ['high, each run is lower, by a tenth', webhooks, [0.7, 0.72, 0.74], [0.6, 0.62, 0.64], 'worse'],
  ['high, a run is as good as one before', webhooks, [0.7, 0.72, 0.74], [0.6, 0.62, 0.71], 'alike'],
  ['high, all runs are lower, by less than a tenth', webhooks, [0.7, 0.72, 0.74], [0.66, 0.67, 0.68], 'alike'],
  ['high, the same was measured', webhooks, [0.7, 0.72, 0.74], [0.7, 0.72, 0.74], 'alike'],
  ['high, each run is higher, by a tenth', webhooks, [0.7, 0.72, 0.74], [0.8, 0.85, 0.9], 'better'],
  ['low, each run is higher', memory, [1.5, 1.55, 1.6], [1.8, 1.9, 2], 'worse'],
  ['low, each run is lower', memory, [1.5, 1.55, 1.6], [1.2, 1.25, 1.3], 'better'],
  ['low, nothing was and something is', 'list: reads', [0, 0, 0], [1, 1, 1], 'worse'],
  ['low, nothing was and nothing is', 'list: reads', [0, 0, 0], [0, 0, 0], 'alike'],
] as const)('of a figure that is to be %s', (_, name, before, now, change) => {
  expect(changesOf({ [name]: before }, { [name]: now })).toEqual({ [name]: change });
});

test('what only one of both goes has is not compared', () => {
  expect(changesOf({ [webhooks]: [1] }, { [memory]: [1] })).toEqual({ [webhooks]: 'not measured', [memory]: 'new' });
});

test('the figures of a go are the numbers of its runs that other machines can repeat', () => {
  const runOf = (ratio: number): BenchRow[] => [
    { name: 'webhooks', figure: '', ...heldAgainst('webhooks over SQLite', { ratio }) },
    { name: 'first list', figure: '', ...heldAgainst('first list', { ms: 400 }) },
    { name: 'two instances', figure: '', ...heldAgainst('two instances') },
    { name: 'without a goal', figure: '' },
  ];
  expect(gatherFigures([runOf(0.712345), runOf(0.8)])).toEqual({ [webhooks]: [0.7123, 0.8] });
});

test('two rows that are held against the same figure are a mistake', () => {
  const row: BenchRow = { name: 'webhooks', figure: '', ...heldAgainst('webhooks over SQLite', { ratio: 1 }) };
  expect(() => gatherFigures([[row, row]])).toThrow('two rows are held against webhooks over SQLite: ratio');
});

test('the comparison names what got worse, with the median and the spread of both goes', () => {
  const before = { [webhooks]: [0.7, 0.72, 0.74], [memory]: [1.5, 1.55, 1.6] };
  expect(comparison(compareFigures(before, { [webhooks]: [0.6, 0.62, 0.64], [memory]: [1.5, 1.55, 1.6] }))).toBe(
    [
      'Worse than in test/bench/figures.json:',
      '  webhooks over SQLite: ratio 0.72 (0.7 to 0.74) → 0.62 (0.6 to 0.64)',
      '1 within noise.',
    ].join('\n'),
  );
  expect(comparison(compareFigures(before, before))).toBe('No figure got worse by more than noise.\n2 within noise.');
});

test('written figures replace those that were measured again, and keep the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'figures.json');
  expect(readFigures(file)).toEqual({});
  writeFigures({ [webhooks]: [0.7, 0.8], [memory]: [1.5] }, 'on Monday', file);
  writeFigures({ [webhooks]: [0.9] }, 'on Tuesday', file);
  expect(readFigures(file)).toEqual({ [memory]: [1.5], [webhooks]: [0.9] });
  expect(readFileSync(file, 'utf8')).toContain('"measured": "on Tuesday"');
});
