import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { oddities } from '../../../src/sandbox/quiz-service/rough/catalog.ts';
import { oddityTable } from '../../../src/sandbox/quiz-service/rough/table.ts';

const readme = 'src/sandbox/quiz-service/README.md';
const table = /(?<=<!-- oddities -->\n)[^]*?(?=<!-- \/oddities -->)/;

/** `ODDITIES=write npx vitest run test/sandbox/quiz-service/rough-table.test.ts` writes the table. */
const isWriting = process.env['ODDITIES'] === 'write';

test('the README lists all oddities with their number', () => {
  const text = readFileSync(readme, 'utf8');
  const expected = text.replace(table, () => `${oddityTable()}\n`);
  if (isWriting) writeFileSync(readme, expected);
  expect(readFileSync(readme, 'utf8')).toBe(expected);
});

test('each oddity has a name of its own', () => {
  expect(new Set(oddities.map(({ name }) => name)).size).toBe(oddities.length);
});
