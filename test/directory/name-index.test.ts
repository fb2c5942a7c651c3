import { describe, expect, test } from 'vitest';
import { buildNameIndex, createNameIndex, sortInSlices } from '../../src/directory/name-index.ts';
import { userKeys } from '../support/sample-users.ts';
import { quizUser } from '../support/builders/users.ts';
import fc from 'fast-check';
import { plainName } from '../../src/directory/names.ts';

interface NamedThing {
  id: string;
  name: string;
}
const namedThings = (names: readonly string[]) => names.map((name, index): NamedThing => ({ id: `id-${index}`, name }));
const thingKeys = { id: ({ id }: NamedThing) => id, names: ({ name }: NamedThing) => [name] };

const quizzes = createNameIndex(
  namedThings([
    'Fire safety',
    'Fire safety, advanced',
    'Datenschutz für Führungskräfte',
    'Première secours',
    'Forklift',
    'Сварка',
    '消防安全',
    '🔥 drill',
  ]),
  thingKeys,
);
const match = (text: string) => {
  const matched = quizzes.match(text);
  switch (matched.kind) {
    case 'one':
      return matched.item.name;
    case 'several':
      return matched.items.map(({ name }) => name);
    case 'none':
      return { nearest: matched.nearest.map(({ name }) => name) };
  }
};

describe('a typed name stands for', () => {
  test.each([
    ['id-4', 'Forklift'],
    ['Fire safety', 'Fire safety'],
    ['FIRE SAFETY', 'Fire safety'],
    [' fire   safety ', 'Fire safety'],
    ['advanced', 'Fire safety, advanced'],
    ['advanced, fire', 'Fire safety, advanced'],
    ['fuhrungskrafte', 'Datenschutz für Führungskräfte'],
    ['premiere', 'Première secours'],
    ['safety adv', 'Fire safety, advanced'],
    ['сварка', 'Сварка'],
    ['安全', '消防安全'],
    ['🔥', '🔥 drill'],
  ])('the one thing that is meant: “%s”', (text, name) => {
    expect(match(text)).toBe(name);
  });

  test('several, where its words are in several names', () => {
    expect(match('fire')).toEqual(['Fire safety', 'Fire safety, advanced']);
  });

  test('nothing, where they are in none; the nearest are offered', () => {
    expect(match('Fire saftey')).toEqual({ nearest: ['Fire safety', 'Fire safety, advanced'] });
    expect(match('forkliftt')).toEqual({ nearest: ['Forklift'] });
    expect(match('saftey fire')).toEqual({ nearest: ['Fire safety', 'Fire safety, advanced'] });
    expect(match('firesafety')).toEqual({ nearest: ['Fire safety'] });
    expect(match('Xyzzy')).toEqual({ nearest: [] });
  });

  test('nothing, where nothing was typed, be there one thing only', () => {
    const only = createNameIndex(namedThings(['Forklift']), thingKeys);
    expect(only.match(' ')).toEqual({ kind: 'none', nearest: [] });
  });

  test('all who bear it, and the first 25 of them are offered', () => {
    const twins = createNameIndex(namedThings(Array.from({ length: 40 }, () => 'Rosa Almeida')), thingKeys);
    for (const text of ['rosa almeida', 'alm']) {
      const matched = twins.match(text);
      expect(matched).toMatchObject({ kind: 'several', count: 40 });
      expect(matched.kind === 'several' && matched.items).toHaveLength(25);
    }
  });

  test('only what is accepted', () => {
    const isAdvanced = ({ name }: { name: string }) => name.endsWith('advanced');
    expect(quizzes.match('fire', { accepts: isAdvanced })).toMatchObject({
      kind: 'one',
      item: { name: 'Fire safety, advanced' },
    });
    expect(quizzes.match('Fire safety', { accepts: isAdvanced })).toMatchObject({
      kind: 'one',
      item: { name: 'Fire safety, advanced' },
    });
    expect(quizzes.match('id-0', { accepts: isAdvanced })).toEqual({ kind: 'none', nearest: [] });
    expect(quizzes.match('saftey', { accepts: isAdvanced })).toMatchObject({
      nearest: [{ name: 'Fire safety, advanced' }],
    });
  });
});

describe('a search', () => {
  test('gives the exact name, then names that begin so, then words, then parts; each in the order of names', () => {
    const names = ['Unsafe', 'Fire, safe', 'Safety', 'Safe driving', 'Safe', 'Air: safe'];
    const index = createNameIndex(namedThings(names), thingKeys);
    expect(index.search('safe', { limit: 9 }).map(({ name }) => name)).toEqual([
      'Safe',
      'Safe driving',
      'Safety',
      'Air: safe',
      'Fire, safe',
      'Unsafe',
    ]);
  });

  test('copes with 10,000 characters, in what was typed and in a name', () => {
    const long = 'Über Sicherheit '.repeat(625).trim();
    const index = createNameIndex(namedThings(['Forklift', long]), thingKeys);
    for (const text of [long, long.slice(0, 9_000), 'sicherheit uber']) {
      expect(index.search(text, { limit: 9 }).map(({ id }) => id)).toEqual(['id-1']);
    }
    for (const text of ['x'.repeat(10_000), 'x y z '.repeat(1_666), `${long} x`]) {
      expect(index.search(text, { limit: 9 })).toEqual([]);
    }
    expect(index.match(`${long.slice(0, -1)}d`)).toMatchObject({ nearest: [{ id: 'id-1' }] });
  });
});

describe('a person', () => {
  const rosa = quizUser();
  const samuel = quizUser({
    user_id: 'u-samuel',
    first_name: 'Samuel',
    last_name: 'Adeyemi',
    user_name: 'sadeyemi',
    email_address: 'samuel@quiz.example',
  });
  const nameless = quizUser({ user_id: 'u-0', first_name: '', last_name: '', user_name: 'kiosk', email_address: '' });
  const people = createNameIndex([rosa, samuel, nameless], userKeys);

  test('comes once, though two of the names are the same', () => {
    expect(people.search('quiz.example', { limit: 9 })).toEqual([rosa, samuel]);
  });

  test('is known by the whole address, any case, but not by one that differs in an accent', () => {
    expect(people.named('Samuel@QUIZ.example')).toEqual([samuel]);
    expect(people.named('SADEYEMI')).toEqual([samuel]);
    expect(people.named('sámuel@quiz.example')).toEqual([]);
    expect(people.named('samuel')).toEqual([]);
    expect(people.named('')).toEqual([]);
  });
});

describe('our own write', () => {
  test('is seen at once: made, renamed, removed', () => {
    const index = createNameIndex(namedThings(['Forklift', 'Fire safety']), thingKeys);
    index.put({ id: 'new', name: 'First aid' });
    index.put({ id: 'id-0', name: 'Crane' });
    index.remove('id-1');
    index.remove('unknown');
    expect(index.search('', { limit: 9 }).map(({ name }) => name)).toEqual(['First aid', 'Crane']);
    expect(index.search('forklift', { limit: 9 })).toEqual([]);
    expect(index.match('fire safety')).toEqual({ kind: 'none', nearest: [] });
    expect(index.named('first AID')).toEqual([{ id: 'new', name: 'First aid' }]);
    expect(index.byId('id-1')).toBeUndefined();
  });

  test('finds room, however many there are', () => {
    const index = createNameIndex(namedThings([]), thingKeys);
    const things = namedThings(Array.from({ length: 2_000 }, (_, number) => `Quiz ${number}`));
    for (const thing of things) index.put(thing);
    expect(things.filter(({ name }) => index.search(name, { limit: 1 })[0]?.name !== name)).toEqual([]);
  });
});

test('an index built in slices leaves time for other work and finds the same', async () => {
  const things = namedThings(Array.from({ length: 3_500 }, (_, number) => `Quiz ${number % 100}`));
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const index = await buildNameIndex(things, thingKeys, pause);
  expect(index.search('quiz', { limit: 4_000 })).toEqual(
    createNameIndex(things, thingKeys).search('quiz', { limit: 4_000 }),
  );
  expect(pauses).toBeGreaterThan(6);
});

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
        const foundBy = (found: ReturnType<typeof without.match>) =>
          found.kind === 'several' ? new Set(found.items) : found.kind === 'one' ? found.item : 'none';
        expect(foundBy(index.match(text, { accepts }))).toEqual(foundBy(without.match(text)));
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
