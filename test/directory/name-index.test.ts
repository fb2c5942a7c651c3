import { describe, expect, test } from 'vitest';
import { buildNameIndex, createNameIndex } from '../../src/directory/name-index.ts';
import { userKeys } from '../support/sample-users.ts';
import { quizUser } from '../support/builders/users.ts';
import { namedThings, thingKeys } from './named-things.ts';

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
