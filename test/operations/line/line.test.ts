import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inEnglish } from '../../../src/domain/said.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { parseCommandLine } from '../../support/parse-line.ts';
import { nearestVerbs } from '../../../src/operations/line/line.ts';

const parse = (text: string) => parseCommandLine(catalog, '/quiz', text);

describe('a command line', () => {
  test.each(['help', 'HELP'])('“%s” shows the help', (text) => {
    expect(parse(text)).toEqual({ kind: 'help', isWhole: false });
  });

  test('“help all” shows all of it', () => {
    expect(parse('help all')).toEqual({ kind: 'help', isWhole: true });
  });

  test('with an unknown verb returns the verb, and the rest as Slack sent it', () => {
    expect(parse(' clsoe  Fire &amp; <@U0ROSA|rosa>')).toEqual({
      kind: 'unknown',
      verb: 'clsoe',
      rest: 'Fire &amp; <@U0ROSA|rosa>',
    });
  });
});

describe('an unknown verb', () => {
  test('resembles two verbs at most, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('lst', 'opn', 'cop', 'assig', 'show', 'lis')), (verb) => {
        const found = nearestVerbs(catalog, '/quiz', verb);
        expect(found.length).toBeLessThanOrEqual(2);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });
});

test('a command line of nothing but the word that parts it is read in twenty ways at most', () => {
  const line = parse(`rename ${'to '.repeat(2_000)}`);
  expect(line.kind === 'operation' && line.inputs).toHaveLength(20);
});

describe('a reason', () => {
  test.each([
    ['--reason "Left in spring"', 'Left in spring'],
    ['--reason Left in spring', 'Left in spring'],
    ['—reason=Left', 'Left'],
    ['–reason “Left, in spring”', 'Left, in spring'],
    ['--reason ask <@U0ROSA|rosa> in <#C1|training>', 'ask @rosa in #training'],
  ])('is what follows %s', (typed, reason) => {
    expect(parse(`delete Fire safety ${typed}`)).toMatchObject({
      inputs: [{ quiz: ['Fire safety'], reason: [reason] }],
    });
  });

  test.each(['delete "Fire --reason safety"', 'delete Fire--reason safety', 'delete Fire --reasonable'])(
    'is none in %s',
    (typed) => {
      expect(parse(typed)).not.toHaveProperty(['inputs', 0, 'reason']);
    },
  );
});

test('a name with a mention in it is in words, and a filter keeps it', () => {
  expect(parse('create Ask <@U0ROSA|rosa>')).toMatchObject({ inputs: [{ name: ['Ask @rosa'] }] });
  expect(parseCommandLine(catalog, '/quiz-admin', 'audit <@U0ROSA|rosa> since 7d')).toMatchObject({
    inputs: [{ filter: ['person:U0ROSA|rosa since 7d'] }],
  });
});

describe('every operation', () => {
  const but = (isRight: (operation: Operation) => boolean) =>
    catalog.filter((operation) => !isRight(operation)).map(({ name }) => name);

  test('has a name and a command of its own; the name has a verb and an object', () => {
    expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length);
    expect(new Set(catalog.map(({ command }) => command.split(' <')[0])).size).toBe(catalog.length);
    expect(but(({ name }) => /^[a-z]+(-[a-z]+)+$/.test(name))).toEqual([]);
  });

  test('has a form within the limits of Slack', () => {
    expect(
      but(({ submit, name, title = '' }) => [submit, name, inEnglish(title)].every(({ length }) => length <= 24)),
    ).toEqual([]);
  });

  const inOrder = catalog.filter(
    (operation) => operation.parse === undefined || /^\S+ \S+ \[(?!filter)[a-z_]+\](?! <)/.test(operation.command),
  );

  test.each(inOrder.map((operation) => [operation.command, operation] as const))(
    'shows its own fields in order, separated by a word: %s',
    (command, operation) => {
      const shown = [...command.matchAll(/[<[]([a-z_]+)[>\]]/g)].map(([, field]) => field);
      expect(shown).toEqual(Object.keys(operation.fields).slice(0, shown.length));
      expect(command).toMatch(
        /^\/quiz(-[a-z]+)? [a-z]+(-[a-z]+)?( [<[][a-z_]+[>\]]( [a-z]+ [<[][a-z_]+[>\]])?)?( …)?$/,
      );
    },
  );

  test('that changes data needs a right', () => {
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
});
