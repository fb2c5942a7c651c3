import { describe, expect, test } from 'vitest';
import {
  broughtQuizzes,
  bringsQuizzes,
  findGroups,
  isWithOthers,
  personBelonging,
  quizBelonging,
  responseBelongs,
  shownUser,
  type BoundFacts,
} from '../../../src/directory/bounds/rule.ts';
import { hasAddress } from '../../../src/directory/identity.ts';
import type { User } from '../../../src/quiz-api/users.ts';
import { quizUser } from '../../support/builders/users.ts';

const kitchen = { group_id: 'g-kitchen', group_name: 'Kitchen' };
const sales = { group_id: 'g-sales', group_name: 'Sales' };
const facts: BoundFacts = { groupIds: new Set([kitchen.group_id]), isMade: ({ user_id }) => user_id === 'u-made' };

describe('the groups that GROUPS names', () => {
  const groups = [kitchen, sales, { group_id: 'g-3', group_name: 'Café' }, { group_id: 'g-4', group_name: 'cafe' }];
  const find = (...names: string[]) => {
    const { ids, unresolved } = findGroups(names, groups);
    return { ids: [...ids], unresolved };
  };

  test.each([
    ['a name', 'Kitchen', 'g-kitchen'],
    ['a name in another case', 'kITCHEN', 'g-kitchen'],
    ['an ID', 'g-sales', 'g-sales'],
    ['the ID of a group whose name others have', 'g-4', 'g-4'],
  ])('are found by %s', (_, name, id) => expect(find(name)).toEqual({ ids: [id], unresolved: [] }));

  test('are none for a name that several have, or none', () => {
    expect(find('Cafe', 'Kitchen', 'Garden')).toEqual({
      ids: ['g-kitchen'],
      unresolved: [
        { name: 'Cafe', why: 'several' },
        { name: 'Garden', why: 'unknown' },
      ],
    });
  });

  test('are found by ID before a name', () => {
    const trap = { group_id: 'g-9', group_name: 'g-kitchen' };
    expect([...findGroups(['g-kitchen'], [trap, kitchen]).ids]).toEqual(['g-kitchen']);
  });
});

describe('a person', () => {
  test.each<[string, Partial<User>, string, boolean]>([
    ['in the group', { groups: [kitchen] }, 'own', true],
    ['in another group', { groups: [sales] }, 'others', false],
    ['in both', { groups: [kitchen, sales] }, 'shared', true],
    ['in no group', {}, 'others', false],
    ['in no group, and made by the bot', { user_id: 'u-made' }, 'own', true],
    ['made by the bot, and in another group since', { user_id: 'u-made', groups: [sales] }, 'others', false],
    [
      'made by the bot, and trainer of another group since',
      { user_id: 'u-made', trainergroups: [sales] },
      'others',
      false,
    ],
    ['who trains the group', { user_type: 'trainer', trainergroups: [kitchen] }, 'own', false],
    ['who trains it and another one', { user_type: 'trainer', trainergroups: [sales, kitchen] }, 'shared', false],
    ['in the group who trains another', { groups: [kitchen], trainergroups: [sales] }, 'shared', true],
    [
      'in the group who trains what cannot be read',
      { groups: [kitchen], trainergroups: [{ group_id: '', group_name: '' }] },
      'shared',
      true,
    ],
    ['who is administrator of the account, and in no group', { user_type: 'administrator' }, 'others', false],
  ])('%s', (_, user, belonging, brings) => {
    expect(personBelonging(quizUser(user), facts)).toBe(belonging);
    expect(bringsQuizzes(quizUser(user), facts)).toBe(brings);
  });
});

describe('a quiz', () => {
  const quiz = { quiz_id: 'q-1', name: 'Hygiene', date_assigned: null };
  const having = (...some: Partial<User>[]) => {
    const users = some.map((user) => quizUser({ quizzes: [quiz], ...user }));
    return { inside: broughtQuizzes(users, facts).has('q-1'), outside: isWithOthers(users, facts) };
  };

  test.each<[string, readonly string[] | undefined, Partial<User>[], boolean, string]>([
    ['of the group', ['g-kitchen'], [], false, 'own'],
    ['of another group', ['g-sales'], [], false, 'others'],
    ['of both', ['g-kitchen', 'g-sales'], [], false, 'shared'],
    ['of nobody', [], [], false, 'others'],
    ['of nobody that the bot made', [], [], true, 'own'],
    ['of others that the bot made', ['g-sales'], [], true, 'shared'],
    ['of a person in the group', [], [{ groups: [kitchen] }], false, 'own'],
    ['of a person in the group and in another', [], [{ groups: [kitchen, sales] }], false, 'own'],
    ['of people here and elsewhere', [], [{ groups: [kitchen] }, { groups: [sales] }], false, 'shared'],
    ['of the group, and of a person in no group', ['g-kitchen'], [{}], false, 'shared'],
    ['of a trainer of the group', [], [{ trainergroups: [kitchen] }], false, 'others'],
    ['of the group and of its trainer', ['g-kitchen'], [{ trainergroups: [kitchen, sales] }], false, 'own'],
    ['of a person in the group, where its groups are not known', undefined, [{ groups: [kitchen] }], false, 'shared'],
    ['whose groups are not known', undefined, [], false, 'others'],
  ])('%s', (_, groupIds, users, isMade, belonging) => {
    const assigned = having(...users);
    const quizFacts = { groupIds: groupIds && new Set(groupIds), assigned, isMade };
    expect(quizBelonging(quizFacts, facts.groupIds)).toBe(belonging);
  });
});

describe('a response', () => {
  const rosa = quizUser({ groups: [kitchen] });
  const sam = quizUser({ user_id: 'u-sam', user_name: 'sam', email_address: 'Sam@quiz.example', groups: [sales] });
  const users = {
    byId: (id: string) => [rosa, sam].find(({ user_id }) => user_id === id),
    withAddress: (address: string) => [rosa, sam].filter((user) => hasAddress(user, address)),
  };
  const by = (user_id: string | null, email_address = '', user_name: string | null = null) => ({
    user_id,
    user_name,
    email_address,
  });

  test.each([
    ['of a person in the group', by('u-rosa'), true, true],
    ['of a person elsewhere', by('u-sam'), false, false],
    ['of a user whom the account does not list', by('u-gone', 'rosa@quiz.example'), false, false],
    ['of a guest with the address of a person in the group', by(null, 'ROSA@quiz.example'), true, true],
    ['of a guest with the address of a person elsewhere', by(null, 'sam@quiz.example'), false, false],
    [
      'with the address of a person in the group and the user name of one elsewhere',
      by(null, 'rosa@quiz.example', 'sam@quiz.example'),
      false,
      false,
    ],
    ['of a guest with an address that no user has', by(null, 'guest@elsewhere.example'), true, false],
    ['of a guest without an address', by(null), true, false],
    ['of a guest with an empty ID', by(''), true, false],
  ])('%s', (_, response, toOwn, toShared) => {
    expect(responseBelongs(response, 'own', users, facts)).toBe(toOwn);
    expect(responseBelongs(response, 'shared', users, facts)).toBe(toShared);
    expect(responseBelongs(response, 'others', users, facts)).toBe(false);
  });
});

describe('what is shown of a user', () => {
  const isShown = (quizId: string) => quizId === 'q-ours';
  const named = (quiz_id: string) => ({ quiz_id, name: quiz_id, date_assigned: null });

  test('has no groups of others', () => {
    const shown = shownUser(quizUser({ groups: [sales, kitchen], trainergroups: [kitchen, sales] }), facts, isShown);
    expect(shown.groups).toEqual([kitchen]);
    expect(shown.trainergroups).toEqual([kitchen]);
  });

  test('has every quiz of a person in the group, and of a trainer those that belong to the bot', () => {
    const quizzes = [named('q-ours'), named('q-theirs')];
    expect(shownUser(quizUser({ groups: [kitchen], quizzes }), facts, isShown).quizzes).toEqual(quizzes);
    expect(shownUser(quizUser({ trainergroups: [kitchen], quizzes }), facts, isShown).quizzes).toEqual([quizzes[0]]);
  });

  test('of a trainer of other quizzes is that they train one that is not known, since none would mean every quiz', () => {
    const trainer = (...ids: string[]) =>
      shownUser(quizUser({ trainergroups: [kitchen], trainerquizzes: ids.map(named) }), facts, isShown).trainerquizzes;
    expect(trainer('q-theirs', 'q-ours')).toEqual([named('q-ours')]);
    expect(trainer('q-theirs')).toEqual([{ quiz_id: '', name: '' }]);
    expect(trainer()).toEqual([]);
  });

  test('is the record itself where nothing is left out', () => {
    const user = quizUser({ groups: [kitchen] });
    expect(shownUser(user, facts, isShown)).toBe(user);
  });
});
