import { describe, expect, test } from 'vitest';
import { kindOf, type Field } from '../../../src/operations/fields/fields.ts';
import { openHouse } from '../../support/house.ts';

async function open(who = 'UADA') {
  const account = openHouse();
  const resolver = await account.readerFor(who);
  const { directory } = resolver;
  await Promise.all([directory.quizzes.get(), directory.users.get(), directory.groups.get()]);
  const narrow = (field: Field, text: string, limit = 100) => kindOf(field).narrow(text, field, { ...resolver, limit });
  return { ...account, narrow };
}

const field = (kind: Field['kind'], more: object = {}) => ({ kind, label: '', ...more }) as Field;

describe('a picker offers', () => {
  test('quizzes with the typed words in a state that makes sense, as far as the person may see them', async () => {
    const { narrow, account } = await open();
    expect(await narrow(field('quiz'), 'fire')).toMatchObject([{ name: 'Fire drill' }, { name: 'Fire safety' }]);
    expect(await narrow(field('quiz'), 'fire', 1)).toHaveLength(1);
    expect(await narrow(field('quiz', { status: ['closed'] }), '')).toEqual([]);
    expect(account.quizzes).toHaveLength(3);
    expect(await (await open('UROSA')).narrow(field('quiz'), '')).toEqual([]);
  });

  test('users whom the field accepts, as far as the person may see them', async () => {
    const { narrow } = await open();
    expect(await narrow(field('user'), 'rosa')).toMatchObject([{ user_id: 'u-rosa' }]);
    expect(
      await narrow(field('user', { accepts: (user: { suspended: boolean }) => user.suspended }), ''),
    ).toMatchObject([{ user_id: 'u-sven' }]);
    expect(await (await open('UNORA')).narrow(field('user'), '')).toEqual([]);
  });

  test('groups, as far as the person may see them', async () => {
    expect(await (await open()).narrow(field('group'), 'crew')).toEqual([{ group_id: 'g-1', group_name: 'Crew' }]);
    expect(await (await open('UUMA')).narrow(field('group'), '')).toEqual([]);
  });

  test('as assignees groups first, for half of the places at most, then users', async () => {
    const { narrow } = await open();
    const offered = (await narrow(field('assignees'), '', 2)) as { kind: string }[][];
    expect(offered.map((one) => one.map(({ kind }) => kind))).toEqual([['group'], ['user']]);
  });

  test.each(['text', 'email', 'choice', 'flags', 'people', 'channel', 'subscription'] as const)(
    'nothing of its own for a field of kind %s',
    async (kind) => {
      expect(await (await open()).narrow(field(kind, { options: [] }), '')).toEqual([]);
    },
  );
});
