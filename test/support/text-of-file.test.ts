import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { textOfFile } from './text-of-file.ts';

test('what is compressed in a file is read, also in a ZIP file in a ZIP file, and the names of files', () => {
  const inner = zipSync({ 'people.csv': strToU8('canary.mail@secret.example') });
  const outer = zipSync({ 'pack.zip': inner, 'summary.html': strToU8('<p>Wanda</p>') });
  expect(Buffer.from(outer).includes('canary')).toBe(false);
  const text = textOfFile(outer);
  for (const read of ['canary.mail@secret.example', 'people.csv', '<p>Wanda</p>', 'summary.html'])
    expect(text).toContain(read);
  expect(textOfFile(strToU8('a,b'))).toBe('a,b');
});
