import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withFault } from './mends/mend.ts';
import { mends } from './mends/mends.ts';

test.each(mends)('what keeps it that $promise stands in the sources once, and what finds it is there', (mend) => {
  const read = (file: string) => readFileSync(file, 'utf8');
  for (const [file, text] of withFault(mend, read)) expect(text).not.toBe(read(file));
  expect([mend.foundBy].filter((finder) => typeof finder === 'string' && !existsSync(finder))).toEqual([]);
});

test('no promise stands twice', () => {
  const promises = mends.map(({ promise }) => promise);
  expect(promises.filter((promise, index) => promises.indexOf(promise) !== index)).toEqual([]);
});
