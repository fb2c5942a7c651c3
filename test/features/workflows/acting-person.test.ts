import { expect, test } from 'vitest';
import { createActingPersons } from '../../../src/features/workflows/acting-person.ts';

const { textFor, personIn } = createActingPersons('xoxb-secret');
const text = textFor('T1', 'UADA');

test('a step acts as the person for whom the bot made its text, on every instance and after a restart', () => {
  expect(personIn('T1', text)).toBe('UADA');
  expect(createActingPersons('xoxb-secret').personIn('T1', text)).toBe('UADA');
  expect(text.length).toBeLessThan(75);
});

test.each([
  ['an ID alone', 'UADA'],
  ['another person’s ID with this signature', text.replace('UADA', 'UBOB')],
  ['a changed signature', `${text.slice(0, -2)}${text.endsWith('A') ? 'BB' : 'AA'}`],
  ['more after it', `${text}x`],
  ['another case', text.toLowerCase()],
  ['nothing', ''],
])('%s makes nobody', (_name, forged) => {
  expect(personIn('T1', forged)).toBeUndefined();
});

test('a text counts in its workspace alone, and only with the secret it was made with', () => {
  expect(personIn('T2', text)).toBeUndefined();
  expect(createActingPersons('xoxb-another').personIn('T1', text)).toBeUndefined();
});
