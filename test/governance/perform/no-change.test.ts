import { describe, expect, test } from 'vitest';
import { named } from '../../../src/domain/said.ts';
import { openHouse } from '../../support/house.ts';

/** An account that the bot has read, in which Ladders is closed. Each call of the service from now on is in `calls`. */
async function open() {
  const account = openHouse();
  account.account.quizzes[2]!.status = 'closed';
  await Promise.all([account.directory.quizzes.get(), account.directory.users.get(), account.directory.groups.get()]);
  account.calls.splice(0);
  const called = () => account.calls.map(({ call }) => call);
  return { ...account, called };
}

const alreadyClosed = `${named('Ladders')} was closed already. Nothing changed.`;

describe('a change that would change nothing', () => {
  test('is not made, and one read of the service confirms that before the answer', async () => {
    const { act, called, record } = await open();
    expect(await act('UERIN', 'close-quiz', { quiz: ['ladders'] })).toMatchObject({
      kind: 'done',
      result: {
        kind: 'done',
        isNoChange: true,
        message: alreadyClosed,
        next: [{ label: 'Open again', operation: 'open-quiz' }],
      },
    });
    expect(called()).toEqual(['users.get u-erin', 'quizzes.get q-3']);
    expect(await record()).toMatchObject([
      { operation: 'close-quiz', action: 'done', message: '“Ladders” was closed already. Nothing changed.' },
    ]);
  });

  test('is made all the same where the list was out of date', async () => {
    const { act, called, account } = await open();
    account.quizzes[2] = { ...account.quizzes[2]!, status: 'open' };
    const outcome = await act('UERIN', 'close-quiz', { quiz: ['ladders'] });
    expect(outcome).toMatchObject({ kind: 'done', result: { message: expect.stringContaining('Closed') } });
    expect(outcome).not.toHaveProperty('result.isNoChange');
    expect(called()).toContain('quizzes.update q-3');
  });

  test('is tried where the list says that it would change something, which costs no read', async () => {
    const { act, called } = await open();
    expect(await act('UERIN', 'close-quiz', { quiz: ['fire drill'] })).toMatchObject({
      kind: 'done',
      result: { message: expect.stringContaining('Closed') },
    });
    expect(called()).toEqual(['users.get u-erin', 'quizzes.update q-2']);
  });

  test('fails where the service cannot be asked', async () => {
    const { act, faults, called } = await open();
    faults.set('quizzes.get', new Error('no answer'));
    expect(await act('UERIN', 'close-quiz', { quiz: ['ladders'] })).toMatchObject({ kind: 'failed' });
    expect(called()).not.toContain('quizzes.update q-3');
  });

  test.each([
    ['open-quiz', 'UERIN', { quiz: ['fire safety'] }, `${named('Fire safety')} was open already. Nothing changed.`],
    [
      'rename-quiz',
      'UERIN',
      { quiz: ['q-1'], name: ['Fire safety'] },
      `${named('Fire safety')} was called that already. Nothing changed.`,
    ],
    ['suspend-user', 'UADA', { user: ['sven'] }, `${named('Sven')} was suspended already. Nothing changed.`],
    ['reinstate-user', 'UADA', { user: ['rosa'] }, `${named('Rosa Almeida')} wasn’t suspended. Nothing changed.`],
    [
      'add-to-group',
      'UADA',
      { user: ['rosa'], group: ['crew'] },
      `${named('Rosa Almeida')} was in the group ${named('Crew')} already. Nothing changed.`,
    ],
    [
      'remove-from-group',
      'UADA',
      { user: ['rosa'], group: ['warehouse'] },
      `${named('Rosa Almeida')} wasn’t in the group ${named('Warehouse')}. Nothing changed.`,
    ],
    [
      'update-user',
      'UADA',
      { user: ['rosa'], last_name: ['Almeida'] },
      `${named('Rosa Almeida')} had these values already. Nothing changed.`,
    ],
    [
      'unassign-quiz',
      'UERIN',
      { quiz: ['q-1'], to: ['rosa'] },
      `${named('Fire safety')} wasn’t assigned to ${named('Rosa Almeida')}. Nothing changed.`,
    ],
    [
      'unassign-quiz',
      'UERIN',
      { quiz: ['q-1'], to: ['rosa', 'nora'] },
      `${named('Fire safety')} wasn’t assigned to ${named('Rosa Almeida')} and ${named('Nora')}. Nothing changed.`,
    ],
  ])('by %s of %s is not made: %j', async (name, personId, input, message) => {
    const { act, called } = await open();
    expect(await act(personId, name, input)).toMatchObject({ kind: 'done', result: { isNoChange: true, message } });
    expect(called().filter((call) => /update|assign/.test(call))).toEqual([]);
    expect(called().filter((call) => !call.startsWith(`users.get u-${personId.slice(1).toLowerCase()}`))).toHaveLength(
      1,
    );
  });
});

describe('a change that would change nothing and needs approval', () => {
  test('is not requested by a person who has the right: they may see how things are', async () => {
    const { act, requests } = await open();
    expect(await act('UUMA', 'suspend-user', { user: ['sven'] })).toMatchObject({
      kind: 'done',
      result: { isNoChange: true },
    });
    expect(await requests()).toEqual([]);
  });

  test('is requested by other people, who may not', async () => {
    const { act, requests } = await open();
    expect(await act('UNORA', 'close-quiz', { quiz: ['ladders'], reason: ['Over'] })).toMatchObject({
      kind: 'requested',
    });
    expect(await requests()).toHaveLength(1);
  });
});
