import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNameIndex, sortInSlices } from '../../src/directory/name-index.ts';
import { plainName } from '../../src/directory/names.ts';
import { namedThings, thingKeys, type NamedThing } from './named-things.ts';

const anyNames = fc.array(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((name) => plainName(name) !== ''),
  { minLength: 1, maxLength: 20 },
);

const accentedNames = fc.array(
  fc
    .string({ unit: fc.constantFrom(...'aeosnlcАиάωéüñçøłßžİ1 -’,'.split('')), minLength: 1, maxLength: 20 })
    .filter((name) => plainName(name) !== ''),
  { minLength: 1, maxLength: 20 },
);

const typings: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.normalize('NFD'),
  (name) => name.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''),
  (name) => `  ${name}\t`,
];

/** Few letters, so that names and what is typed have much in common. */
const alikeName = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', 'B', ' ', '-', ','), maxLength: 8 });

describe('whatever the names', () => {
  test('a private name changes nothing for a person who may read only the public ones', () => {
    const something = fc.record({ name: alikeName, secret: alikeName });
    fc.assert(
      fc.property(fc.array(something, { minLength: 1, maxLength: 20 }), alikeName, (somethings, text) => {
        const things = somethings.map((thing, index) => ({ ...thing, id: `id-${index}` }));
        const keys = { id: ({ id }: { id: string }) => id, names: ({ name }: { name: string }) => [name] };
        const index = createNameIndex(things, { ...keys, privateNames: ({ secret }) => [secret] });
        const without = createNameIndex(things, keys);
        const accepts = () => 'public names' as const;
        const limit = things.length;
        expect(new Set(index.search(text, { limit, accepts }))).toEqual(new Set(without.search(text, { limit })));
        const match = (found: ReturnType<typeof without.match>) =>
          found.kind === 'several' ? new Set(found.items) : found.kind === 'one' ? found.item : 'none';
        expect(match(index.match(text, { accepts }))).toEqual(match(without.match(text)));
      }),
    );
  });

  test('a person who may read private names finds things by them', () => {
    fc.assert(
      fc.property(anyNames, fc.nat(), (secrets, which) => {
        const things = secrets.map((secret, index) => ({ secret, id: `id-${index}` }));
        const thing = things[which % things.length]!;
        const index = createNameIndex(things, {
          id: ({ id }) => id,
          names: () => [],
          privateNames: ({ secret }) => [secret],
        });
        expect(index.search(thing.secret, { limit: things.length })).toContain(thing);
      }),
    );
  });

  test('the name, the beginning of any of its words, and the id find the thing', () => {
    fc.assert(
      fc.property(anyNames, fc.nat(), fc.nat(), fc.nat(), (names, which, whichWord, letters) => {
        const things = namedThings(names);
        const index = createNameIndex(things, thingKeys);
        const thing = things[which % things.length]!;
        const words = thing.name.split(/\s+/);
        const word = [...new Intl.Segmenter().segment(words[whichWord % words.length]!)].map(({ segment }) => segment);
        for (const text of [thing.name, word.slice(0, letters % (word.length + 1)).join(''), thing.id]) {
          expect(index.search(text, { limit: things.length })).toContain(thing);
        }
      }),
    );
  });

  test('they are found in any case, with and without accents', () => {
    fc.assert(
      fc.property(accentedNames, fc.nat(), fc.constantFrom(...typings), (names, which, type) => {
        const things = namedThings(names);
        const thing = things[which % things.length]!;
        const index = createNameIndex(things, thingKeys);
        expect(index.search(type(thing.name), { limit: things.length })).toContain(thing);
      }),
    );
  });

  test('a name that only one thing has stands for it', () => {
    fc.assert(
      fc.property(anyNames, fc.nat(), (names, which) => {
        const things = namedThings(names);
        const thing = things[which % things.length]!;
        fc.pre(things.filter(({ name }) => plainName(name) === plainName(thing.name)).length === 1);
        expect(createNameIndex(things, thingKeys).match(thing.name)).toEqual({ kind: 'one', item: thing });
      }),
    );
  });

  test('no more is found than asked for, and nothing that is not accepted', () => {
    fc.assert(
      fc.property(fc.array(alikeName), alikeName, fc.nat(10), fc.nat(3), (names, text, limit, kind) => {
        const accepts = ({ id }: NamedThing) => id.length % 4 !== kind && !id.endsWith(`${kind}`);
        const index = createNameIndex(namedThings(names), thingKeys);
        const found = index.search(text, { limit, accepts });
        const matched = index.match(text, { accepts });
        const offered =
          matched.kind === 'one' ? [matched.item] : matched.kind === 'several' ? matched.items : matched.nearest;
        expect(found.length).toBeLessThanOrEqual(limit);
        expect([...found, ...offered].filter((thing) => !accepts(thing))).toEqual([]);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });

  test('a search gives what looking at every name gives, in the same order', () => {
    fc.assert(
      fc.property(fc.array(alikeName), alikeName, (names, text) => {
        const things = namedThings(names);
        const found = createNameIndex(things, thingKeys).search(text, { limit: things.length });
        expect(found.map(({ name }) => plainName(name))).toEqual(
          lookAtEveryName(names.map(plainName), plainName(text)),
        );
      }),
    );
  });

  test('the count is the number of items that a search without a limit finds, also by ID', () => {
    const texts = fc.oneof(alikeName, fc.constantFrom('', 'id-0', 'id-1', ' id-2 ', 'id'));
    fc.assert(
      fc.property(fc.array(alikeName, { maxLength: 20 }), texts, fc.nat({ max: 3 }), (names, text, hidden) => {
        const index = createNameIndex(namedThings(names), thingKeys);
        const accepts = ({ id }: NamedThing) => Number(id.slice(-1)) % 4 !== hidden;
        expect(index.count(text, { accepts })).toBe(index.search(text, { limit: Infinity, accepts }).length);
      }),
    );
  });
});

function lookAtEveryName(names: readonly string[], text: string): string[] {
  const words = text.split(/[ ,]/).filter((word) => word !== '');
  if (words.length === 0) words.push(text);
  const rank = (name: string) => {
    if (name === text) return 0;
    if (name.startsWith(text)) return 1;
    if (words.every((word) => name.startsWith(word) || new RegExp(`[ ,-]${word}`).test(name))) return 2;
    return words.every((word) => name.includes(word)) ? 3 : undefined;
  };
  return names
    .map((name) => ({ name, rank: rank(name) }))
    .filter((ranked) => ranked.rank !== undefined)
    .toSorted((a, b) => a.rank! - b.rank! || (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(({ name }) => name);
}

interface Item {
  key: number;
  place: number;
}

/** The sorted items, and the number of comparisons in each slice. */
function sorted(items: readonly Item[], itemsInSlice: number): { items: Item[]; slices: number[] } {
  const slices = [0];
  const compare = (a: Item, b: Item) => {
    slices[slices.length - 1]! += 1;
    return a.key - b.key;
  };
  const sorting = sortInSlices(items, compare, itemsInSlice);
  for (;;) {
    const { done, value } = sorting.next();
    if (done) return { items: value, slices };
    slices.push(0);
  }
}

test('sorts like toSorted, and keeps the order of equal items', () => {
  const anyItems = fc
    .array(fc.nat({ max: 9 }), { maxLength: 60 })
    .map((keys) => keys.map((key, place) => ({ key, place })));
  fc.assert(
    fc.property(anyItems, fc.integer({ min: 1, max: 20 }), (items, itemsInSlice) => {
      expect(sorted(items, itemsInSlice).items).toEqual(items.toSorted((a, b) => a.key - b.key));
    }),
  );
});

test('has slices that hardly grow with the number of items', () => {
  const longest = (count: number) =>
    Math.max(
      ...sorted(
        Array.from({ length: count }, (_, place) => ({ key: (place * 7919) % 104_729, place })),
        100,
      ).slices,
    );
  expect(longest(20_000)).toBeLessThanOrEqual(longest(1_000) * 3);
});
