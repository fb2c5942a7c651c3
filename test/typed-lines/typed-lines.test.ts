import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inEnglish } from '../../src/domain/said.ts';
import { openLineReader } from './typed-line.ts';

const tables = globSync('test/typed-lines/lines/*.txt').toSorted();

/** Lines with what they mean. */
function rowsOf(file: string): [line: string, meaning: string][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'))
    .map((row) => {
      const [line = '', meaning = '', ...others] = row.split(' => ');
      if (meaning === '' || others.length > 0) throw new Error(`no line with its meaning: ${row}`);
      return [line, meaning];
    });
}

/** What the account of a table has besides, as its head says: `# users: Mi Ja | Maja Lis`. */
function namesIn(file: string, what: 'quizzes' | 'users'): string[] {
  return new RegExp(`^# ${what}: (.*)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1]?.split(' | ') ?? [];
}

test('the tables have 300 different lines or more', () => {
  const lines = tables.flatMap((file) => rowsOf(file).map(([line]) => line));
  expect(lines.length).toBeGreaterThanOrEqual(300);
  expect(new Set(lines).size).toBe(lines.length);
});

test.each(tables)('each line of %s means what it says', async (file) => {
  const reader = openLineReader({ quizNames: namesIn(file, 'quizzes'), userNames: namesIn(file, 'users') });
  const wrong: string[] = [];
  for (const [line, meaning] of rowsOf(file)) {
    const read = inEnglish(await reader.read(line));
    const isSo = meaning.startsWith('says: ') ? read.startsWith(meaning) : read === meaning;
    if (!isSo) wrong.push(`${line} => ${read}, not ${meaning}`);
  }
  expect(wrong).toEqual([]);
});
