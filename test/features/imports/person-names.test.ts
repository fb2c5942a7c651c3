import { describe, expect, test } from 'vitest';
import { splitName, tidyParts } from '../../../src/features/imports/read-person.ts';
import fc from 'fast-check';

describe('a whole name', () => {
  test.each([
    ['Anna Meier', 'Anna', 'Meier'],
    ['Dr. Anna Meier', 'Anna', 'Meier'],
    ['Prof. Dr. rer. nat. Anna Meier', 'Anna', 'Meier'],
    ['Dipl.-Ing. Max Groß', 'Max', 'Groß'],
    ['Mme Anne Dupont', 'Anne', 'Dupont'],
    ['Dott.ssa Giulia De Rossi', 'Giulia', 'De Rossi'],
    ['Herr Meier', '', 'Meier'],
    ['Meier, Anna', 'Anna', 'Meier'],
    ['Meier, Dr. Anna', 'Anna', 'Meier'],
    ['Smith, John, Jr.', 'John', 'Smith Jr.'],
    ['Smith Jr., John', 'John', 'Smith Jr.'],
    ['John Smith, Jr.', 'John', 'Smith Jr.'],
    ['John Smith III', 'John', 'Smith III'],
    ['Jane Doe, PhD', 'Jane', 'Doe'],
    ['Jane Doe MBA', 'Jane', 'Doe'],
    ['Jack Ma', 'Jack', 'Ma'],
    ['Mag Ruffman', 'Mag', 'Ruffman'],
    ['García Márquez, Gabriel José', 'Gabriel José', 'García Márquez'],
    ['Gabriel García Márquez', 'Gabriel', 'García Márquez'],
    ['Gabriel José García Márquez', 'Gabriel José', 'García Márquez'],
    ['Ana Maria da Silva', 'Ana Maria', 'da Silva'],
    ['Jan Willem van den Berg', 'Jan Willem', 'van den Berg'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Jean-Pierre DUPONT', 'Jean-Pierre', 'DUPONT'],
    ['DUPONT LEGRAND Anne', 'Anne', 'DUPONT LEGRAND'],
    ['ANNA MEIER', 'ANNA', 'MEIER'],
    ['Anna Meier (extern)', 'Anna', 'Meier'],
    ['Anna', 'Anna', ''],
    ['王小明', '王小明', ''],
    ['Dr.', 'Dr.', ''],
  ])('“%s” is %s | %s', (whole, first, last) => {
    expect(splitName(whole)).toEqual({ first, last });
  });

  test.each([
    ['Meier Anna Maria', 'Anna Maria', 'Meier'],
    ['van der Berg Sanne', 'Sanne', 'van der Berg'],
    ['Meier, Anna', 'Anna', 'Meier'],
    ['Dr. Meier Anna', 'Anna', 'Meier'],
    ['Meier', '', 'Meier'],
  ])('with the last name first, “%s” is %s | %s', (whole, first, last) => {
    expect(splitName(whole, 'last first')).toEqual({ first, last });
  });

  test('loses no word that is neither a title nor a degree, in any order', () => {
    const words = fc.array(fc.constantFrom('Anna', 'García', 'van', 'de', 'MEIER', 'Jr.', 'O’Neil', 'Ó', '李'), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        words,
        fc.constantFrom('first last' as const, 'last first' as const),
        fc.boolean(),
        (all, order, hasComma) => {
          const whole = hasComma ? `${all[0]}, ${all.slice(1).join(' ')}` : all.join(' ');
          const { first, last } = splitName(whole, order);
          expect(`${first} ${last}`.trim().split(/\s+/).toSorted()).toEqual(all.toSorted());
        },
      ),
    );
  });
});

test.each([
  [
    { first: 'Dr. Anna', last: 'Meier' },
    { first: 'Anna', last: 'Meier' },
  ],
  [
    { first: 'Jane', last: 'Doe, PhD' },
    { first: 'Jane', last: 'Doe' },
  ],
  [
    { first: 'John', last: 'Smith, Jr.' },
    { first: 'John', last: 'Smith Jr.' },
  ],
  [
    { first: 'María José', last: 'García López' },
    { first: 'María José', last: 'García López' },
  ],
  [
    { first: '', last: '' },
    { first: '', last: '' },
  ],
])('the parts %j are %j', (written, tidied) => {
  expect(tidyParts(written)).toEqual(tidied);
});
