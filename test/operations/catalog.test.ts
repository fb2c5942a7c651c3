import { inEnglish } from '../../src/domain/said.ts';
import { expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';

test('names and commands are unique', () => {
  expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length);
  expect(new Set(catalog.map(({ command }) => command.split(' <')[0])).size).toBe(catalog.length);
});

test.each(catalog.map((operation) => [operation.name, operation] as const))(
  'the name of %s has a verb and an object',
  (name) => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
  },
);

const inOrder = catalog.filter(
  (operation) => operation.parse === undefined || /^\S+ \S+ \[(?!filter)[a-z_]+\](?! <)/.test(operation.command),
);

test.each(inOrder.map((operation) => [operation.command, operation] as const))(
  '%s shows its own fields in order, separated by a word',
  (command, operation) => {
    const shown = [...command.matchAll(/[<[]([a-z_]+)[>\]]/g)].map(([, field]) => field);
    expect(shown).toEqual(Object.keys(operation.fields).slice(0, shown.length));
    expect(command).toMatch(/^\/quiz(-[a-z]+)? [a-z]+(-[a-z]+)?( [<[][a-z_]+[>\]]( [a-z]+ [<[][a-z_]+[>\]])?)?( …)?$/);
  },
);

test.each(catalog.map((operation) => [operation.name, operation] as const))(
  'the form of %s is within the limits of Slack',
  (_, operation) => {
    expect(operation.submit.length).toBeLessThanOrEqual(24);
    expect(operation.name.length).toBeLessThanOrEqual(24);
    expect(inEnglish(operation.title ?? '').length).toBeLessThanOrEqual(24);
  },
);

test('every operation that changes data needs a right', () => {
  const changing = catalog.filter(({ access }) => access !== 'read' && access !== 'own');
  // A token can do what its owner can, and a person takes back what they lent. What a batch needs depends on its rows: `run-batch` asks for their rights.
  expect(changing.filter(({ right }) => right === 'known' || right === 'staff').map(({ name }) => name)).toEqual([
    'make-token',
    'revoke-token',
    'take-rights-back',
    'run-batch',
    'pause-batch',
    'resume-batch',
    'cancel-batch',
  ]);
});
