import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { createActingPersons } from '../../../src/features/workflows/acting-person.ts';

const dayMs = 24 * 3_600_000;

function setUp(secret = 'xoxb-secret', uses = new Keyv<number>()) {
  const clock = { now: 20_000 * dayMs + 5 };
  return { uses, clock, ...createActingPersons({ secret, uses, now: () => clock.now }) };
}
const text = setUp().textFor('T1', 'UADA');

test('a step acts as the person for whom the bot made its text, on every instance and after a restart', async () => {
  expect(await setUp().personIn('T1', text)).toBe('UADA');
  expect(text.length).toBeLessThan(75);
});

test.each([
  ['an ID alone', 'UADA'],
  ['another person’s ID with this signature', text.replace('UADA', 'UBOB')],
  ['another day with this signature', text.replace(/\.\w+\./, '.zzzz.')],
  ['a changed signature', `${text.slice(0, -2)}${text.endsWith('A') ? 'BB' : 'AA'}`],
  ['more after it', `${text}x`],
  ['another case', text.toLowerCase()],
  ['what version 1.6 made', text.replace(/\.\w+\./, '.')],
  ['nothing', ''],
])('%s makes nobody', async (_name, forged) => {
  expect(await setUp().personIn('T1', forged)).toBeUndefined();
});

test('a text counts in its workspace alone, and only with the secret it was made with', async () => {
  expect(await setUp().personIn('T2', text)).toBeUndefined();
  expect(await setUp('xoxb-another').personIn('T1', text)).toBeUndefined();
});

test('a text that no step has used for 90 days counts no more, and each use lets it count for 90 more', async () => {
  const unused = setUp();
  unused.clock.now += 90 * dayMs;
  expect(await unused.personIn('T1', text)).toBeUndefined();
  const used = setUp();
  for (let n = 0; n < 3; n += 1) {
    used.clock.now += 89 * dayMs;
    expect(await used.personIn('T1', text)).toBe('UADA');
  }
  used.clock.now += 90 * dayMs;
  expect(await used.personIn('T1', text)).toBeUndefined();
});
