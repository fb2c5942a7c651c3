import { describe, expect, inject, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { commandAndVerb } from '../../src/slack/verbs.ts';
import { operations, type FieldKind } from '../hostile/operations.ts';
import {
  canariesIn,
  changesOutside,
  forKitchen,
  offered,
  outside,
  outsideIds,
  owner,
  plantOthers,
  said,
  type,
} from '../support/other-groups.ts';
import { safetyQuiz } from '../support/results.ts';
import { startTestBed, type TestBed } from '../support/test-bed.ts';

/** What is typed for each kind of field: things of others, by name or by ID, or a quiz of Kitchen with people of others. */
const ways: Readonly<Record<string, (kind: FieldKind | undefined) => string>> = {
  'by name': (kind) => thingOf(kind, ({ typed }) => typed),
  'by ID': (kind) => thingOf(kind, ({ id }) => id),
  'with a quiz of Kitchen': (kind) =>
    kind === 'quiz' || kind === 'campaign' ? safetyQuiz : thingOf(kind, ({ typed }) => typed),
};

function thingOf(kind: FieldKind | undefined, named: (thing: { typed: string; id: string }) => string): string {
  switch (kind) {
    case 'quiz':
    case 'quizzes':
    case 'campaign':
      return named(outside.quiz);
    case 'group':
    case 'groups':
      return named(outside.group);
    case 'response':
      return named(outside.response);
    case 'assignees':
    case 'audience':
      return `${named(outside.user)}, ${named(outside.group)}`;
    case 'channel':
      return '';
    case 'choice':
      return 'respondent';
    case 'durations':
      return '14d';
    case 'day':
      return 'since 2026-01-01';
    default:
      return named(outside.user);
  }
}

/** The line of each operation with such things. What is new has a name of its own, and times are times. */
function lineOf(name: string, way: string): string {
  const { line, fields } = operations[name]!;
  const filled: Readonly<Record<string, string>> = {
    due: 'in 2 weeks',
    time: 'in 3 weeks',
    delivery: '',
    name: 'Ladders',
    ...(name === 'create-user' && { user_name: 'kim.march' }),
  };
  const text = line.replaceAll(/\{(\w+)\}/g, (_, field: string) => filled[field] ?? ways[way]!(fields[field]));
  return `${text} --reason needed`.replaceAll(/ +/g, ' ');
}

/** The operations in parts that leave room in the request budget of a minute. */
const partSizes = [8, 4, 4, 8, 8, 12, 12, 12, Infinity];
const parts = partSizes.map((size, at) => {
  const start = partSizes.slice(0, at).reduce((sum, one) => sum + one, 0);
  return catalog.slice(start, start + size);
});
/** What people read whose requests are used up: they would learn nothing. */
const tooMuch = /You’ve done a lot|limit for the bot is reached|isn’t answering right now|Something went wrong/;
const searches = ['', 'z', 'canary', outside.user.id, outside.quiz.id, outside.group.id];

/** What the bot says, and what it offers, to a person who goes through the doors with things of others. */
async function goThrough(testBed: TestBed, part: readonly Operation[], personId: string) {
  const { workspace } = testBed;
  const options: string[] = [];
  await workspace.as(personId).openHome();
  for (const operation of part) {
    const { command, verb } = commandAndVerb(operation);
    for (const line of [`${command} ${verb}`, ...Object.keys(ways).map((way) => lineOf(operation.name, way))]) {
      const form = await type(testBed, personId, line);
      if (form === undefined) continue;
      options.push(await offered(testBed, personId, form, searches));
      await workspace.as(personId).close(form, { all: true });
    }
  }
  return { shown: await said(testBed), options: options.join('\n') };
}

test('every operation has its turn, and a line', () => {
  expect(parts.flat()).toEqual(catalog);
  expect(new Set(Object.keys(operations))).toEqual(new Set(catalog.map(({ name }) => name)));
});

const startFor = (env: Record<string, string>) =>
  startTestBed({ prepare: plantOthers, env: { ...env, OWNERS: owner, ALERTS_CHANNEL: '' } });

describe.each(parts.map((part) => [part.map(({ name }) => name).join(', '), part] as const))('%s', (_, part) => {
  test('show nothing of others, and change nothing of theirs', async () => {
    const testBed = await startFor(forKitchen);
    const { shown, options } = await goThrough(testBed, part, owner);
    expect(canariesIn(`${shown}\n${options}`)).toEqual([]);
    expect(options.match(outsideIds)).toBeNull();
    expect(changesOutside(testBed)).toEqual([]);
    // The rough account has more quizzes than the requests of a minute, and doesn’t answer now and then.
    expect(inject('account') === 'rough' ? null : shown.match(tooMuch)).toBeNull();
  });

  test('show them to a bot for the whole account', async () => {
    const { shown, options } = await goThrough(await startFor({}), part, owner);
    expect(canariesIn(`${shown}\n${options}`)).not.toEqual([]);
  });
});
