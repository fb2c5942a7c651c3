import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openingStart } from '../../../src/sandbox/opening/opening.ts';
import { tourTitles } from '../../../src/sandbox/workspace/tour.ts';

test('the page has the steps of the README’s tour', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const tour = /## A tour\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
  expect([...tour.matchAll(/^\d\. \*\*(.+)\.\*\*/gm)].map(([, title]) => title)).toEqual(tourTitles);
});

test.each([
  ['Thursday', '2026-11-19T14:00:00Z', '2026-11-16T08:50:00.000Z'],
  ['Wednesday', '2026-11-25T23:00:00Z', '2026-11-16T08:50:00.000Z'],
  ['Friday', '2026-11-27T00:00:00Z', '2026-11-23T08:50:00.000Z'],
])('on a %s, the week of the sandbox begins on the Monday before the last Thursday', (_, now, monday) => {
  expect(new Date(openingStart(Date.parse(now))).toISOString()).toBe(monday);
});
