import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { heldAgainst, type BenchRow } from './bench-row.ts';
import { compareFigures, comparison, gatherFigures, type Figures } from './compare.ts';
import { readFigures, writeFigures } from './figures.ts';

const [webhooks, memory] = ['webhooks over SQLite: ratio', 'idle memory: ratio'];

function changesOf(before: Figures, now: Figures): Record<string, string> {
  return Object.fromEntries(compareFigures(before, now).map(({ name, change }) => [name, change]));
}

test.each([
  ['each run is worse than each before, by a tenth', [0.7, 0.72, 0.74], [0.6, 0.62, 0.64], 'worse'],
  ['a run is as good as one before', [0.7, 0.72, 0.74], [0.6, 0.62, 0.71], 'alike'],
  ['all runs are worse, by less than a tenth', [0.7, 0.72, 0.74], [0.66, 0.67, 0.68], 'alike'],
  ['the same was measured', [0.7, 0.72, 0.74], [0.7, 0.72, 0.74], 'alike'],
  ['each run is better than each before, by a tenth', [0.7, 0.72, 0.74], [0.8, 0.85, 0.9], 'better'],
])('of a figure that is to be high: %s', (_, before, now, change) => {
  expect(changesOf({ [webhooks]: before }, { [webhooks]: now })).toEqual({ [webhooks]: change });
});

test.each([
  ['higher runs are worse', [1.5, 1.55, 1.6], [1.8, 1.9, 2], 'worse'],
  ['lower runs are better', [1.5, 1.55, 1.6], [1.2, 1.25, 1.3], 'better'],
])('of a figure that is to be low, %s', (_, before, now, change) => {
  expect(changesOf({ [memory]: before }, { [memory]: now })).toEqual({ [memory]: change });
});

test('a count that was nothing and is something got worse', () => {
  const name = 'list: reads';
  expect(changesOf({ [name]: [0, 0, 0] }, { [name]: [1, 1, 1] })).toEqual({ [name]: 'worse' });
  expect(changesOf({ [name]: [0, 0, 0] }, { [name]: [0, 0, 0] })).toEqual({ [name]: 'alike' });
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
