import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withFault } from './mend.ts';
import { mends } from './mends.ts';

test('what each mend takes out stands in the sources once, and what finds it is there', () => {
  for (const mend of mends) {
    const texts = withFault(mend, (file) => readFileSync(file, 'utf8'));
    for (const [file, text] of texts) expect(text, mend.promise).not.toBe(readFileSync(file, 'utf8'));
    if (typeof mend.foundBy === 'string') expect(mend.foundBy).toSatisfy(existsSync);
  }
});

test('no promise stands twice', () => {
  const promises = mends.map(({ promise }) => promise);
  expect(promises.filter((promise, index) => promises.indexOf(promise) !== index)).toEqual([]);
});
