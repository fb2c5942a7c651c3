import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mends } from './mends.ts';

test.each(mends)('what takes out “$name” stands in the sources once, and is not what replaces it', ({ edits }) => {
  for (const { file, text, instead } of edits) {
    expect(readFileSync(file, 'utf8').split(text), `${file}: ${text}`).toHaveLength(2);
    expect(instead).not.toBe(text);
  }
});
