import { listedName, shownName, shownQuizName } from '../../../src/operations/wording/shown-name.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test.each([
  ['Rosa Almeida', 'R. A.'],
  ['rosa', 'R.'],
  ['Maria del Carmen López', 'M. L.'],
  ['  Olu \n Adeyemi ', 'O. A.'],
  ['élodie Ångström', 'É. Å.'],
  ['e\u0301lodie A\u030Angstro\u0308m', 'E\u0301. A\u030A.'],
  ['سارة العمري', 'س. ا.'],
  ['𝒜da 李小龙', '𝒜. 李.'],
  ['👩‍🚒 👨‍👩‍👧‍👦', '👩‍🚒. 👨‍👩‍👧‍👦.'],
  ['(Jo) ’t Hooft', 'J. H.'],
  ['Dr. - Weber', 'D. W.'],
  ['\u202Egnp.exe Weber', 'G. W.'],
  ['', 'Guest'],
  ['Guest', 'Guest'],
])('the initials of “%s” are “%s”', (name, initials) => {
  expect(shownName(name, false)).toBe(initials);
});

test('a name is shown unchanged in a channel with names', () => {
  expect(shownName('Rosa\nAlmeida', true)).toBe('Rosa Almeida');
  expect(shownName(' ', true)).toBe('Guest');
});

test('the initials of any name are short', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constant(`A${'\u0301'.repeat(10_000)}`),
        fc.constant('x '.repeat(5_000)),
      ),
      (name) => {
        const shown = shownName(name, false);
        expect(shown.length).toBeGreaterThan(0);
        expect(shown.length).toBeLessThanOrEqual(80);
        expect(shown.isWellFormed()).toBe(true);
      },
    ),
  );
});

test('a name in a list and the name of a quiz stay short', () => {
  for (const name of ['&'.repeat(10_000), '👩‍🚒'.repeat(500), '<!channel> '.repeat(50)]) {
    expect(listedName(name, true).length).toBeLessThanOrEqual(60);
    expect(shownQuizName(name).length).toBeLessThanOrEqual(100);
  }
  expect(shownQuizName(' \n ')).toBe('Unnamed quiz');
});
