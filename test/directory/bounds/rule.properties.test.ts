import fc from 'fast-check';
import { test } from 'vitest';
import { beyondByUser } from '../../../src/directory/bounds/reach.ts';
import {
  broughtQuizzes,
  isWithOthers,
  personBelonging,
  quizBelonging,
  responseBelongs,
  shownUser,
  type Belonging,
  type BoundFacts,
} from '../../../src/directory/bounds/rule.ts';
import { createUsersByGroup } from '../../../src/directory/bounds/users-by-group.ts';
import { hasAddress } from '../../../src/directory/identity.ts';
import type { User } from '../../../src/quiz-api/users.ts';
import { quizUser } from '../../support/builders/users.ts';

const [groupIds, quizIds] = [
  ['g-1', 'g-2', 'g-3', 'g-4'],
  ['q-1', 'q-2', 'q-3', 'q-4', 'q-5'],
];
const some = (ids: readonly string[]) => fc.uniqueArray(fc.constantFrom(...ids), { maxLength: ids.length });
const group = (group_id: string) => ({ group_id, group_name: `group ${group_id}` });
const quiz = (quiz_id: string) => ({ quiz_id, name: `quiz ${quiz_id}`, date_assigned: null });

const user = fc
  .record({
    number: fc.nat(9),
    type: fc.constantFrom('respondent', 'trainer', 'administrator'),
    groups: some(groupIds),
    trains: some(groupIds),
    quizzes: some(quizIds),
    trainsQuizzes: some(quizIds),
  })
  .map(({ number, type, groups, trains, quizzes, trainsQuizzes }) =>
    quizUser({
      user_id: `u-${number}`,
      user_name: `u-${number}@quiz.example`,
      email_address: '',
      first_name: `name of u-${number}`,
      user_type: type,
      groups: groups.map(group),
      trainergroups: trains.map(group),
      quizzes: quizzes.map(quiz),
      trainerquizzes: trainsQuizzes.map(quiz),
    }),
  );

/** An account, and the groups that a bot is for. `unread`: quizzes whose groups are not known. */
const account = fc.record({
  users: fc.uniqueArray(user, { selector: ({ user_id }) => user_id, maxLength: 8 }),
  groupsOf: fc.dictionary(fc.constantFrom(...quizIds), some(groupIds)),
  unread: some(quizIds),
  bound: some(groupIds),
  madeUsers: fc.uniqueArray(fc.nat(9).map((number) => `u-${number}`)),
  madeQuizzes: some(quizIds),
});
type Account = typeof account extends fc.Arbitrary<infer Value> ? Value : never;

/** All that a bot gets to know of an account. */
function shownOf({ users, groupsOf, unread, bound, madeUsers, madeQuizzes }: Account) {
  const ids = new Set(bound);
  const facts: BoundFacts = { groupIds: ids, isMade: ({ user_id }) => madeUsers.includes(user_id) };
  const having = (quizId: string) => users.filter(({ quizzes }) => quizzes.some(({ quiz_id }) => quiz_id === quizId));
  const brought = broughtQuizzes(users, facts);
  const belongingOf = (quizId: string): Belonging =>
    quizBelonging(
      {
        groupIds: unread.includes(quizId) ? undefined : new Set(groupsOf[quizId] ?? []),
        assigned: { inside: brought.has(quizId), outside: isWithOthers(having(quizId), facts) },
        isMade: madeQuizzes.includes(quizId),
      },
      ids,
    );
  const people = users.filter((one) => personBelonging(one, facts) !== 'others');
  const shown = people.map((one) => shownUser(one, facts, (quizId) => belongingOf(quizId) !== 'others'));
  return { facts, belongingOf, people, shown };
}

const isOthers = (belonging: Belonging) => belonging === 'others';

test('what is shown names no group, user or quiz of others', () => {
  fc.assert(
    fc.property(account, (one) => {
      const { facts, belongingOf, shown } = shownOf(one);
      const text = JSON.stringify(shown);
      const hidden = [
        ...groupIds.filter((id) => !facts.groupIds.has(id)),
        ...quizIds.filter((id) => isOthers(belongingOf(id))),
        ...one.users.filter((other) => isOthers(personBelonging(other, facts))).map(({ user_id }) => user_id),
      ];
      return hidden.every((id) => !text.includes(`"${id}"`) && !text.includes(` ${id}"`));
    }),
  );
});

test('whatever others are called and do among themselves, what is shown stays the same', () => {
  fc.assert(
    fc.property(account, fc.array(user), (one, strangers) => {
      const { facts, people, shown, belongingOf } = shownOf(one);
      const others = strangers
        .filter((other) => isOthers(personBelonging(other, facts)))
        .filter(({ user_id }) => people.every((known) => known.user_id !== user_id));
      const after = shownOf({ ...one, users: [...people, ...others] });
      const seen = (belonging: (quizId: string) => Belonging) => quizIds.map((id) => !isOthers(belonging(id)));
      return JSON.stringify([shown, seen(belongingOf)]) === JSON.stringify([after.shown, seen(after.belongingOf)]);
    }),
  );
});

test('nothing is the own of two bots without a group in common, and what two share is nobody’s own', () => {
  fc.assert(
    fc.property(account, some(groupIds), (one, otherGroups) => {
      const [here, there] = [
        shownOf({ ...one, madeUsers: [], madeQuizzes: [] }),
        shownOf({ ...one, bound: otherGroups.filter((id) => !one.bound.includes(id)), madeUsers: [], madeQuizzes: [] }),
      ];
      const agrees = (a: Belonging, b: Belonging) => a !== 'own' || b === 'others';
      const isAgreed = (a: Belonging, b: Belonging) => agrees(a, b) && agrees(b, a);
      return one.users.every((each) => isAgreed(personBelonging(each, here.facts), personBelonging(each, there.facts)));
    }),
  );
});

test('a response that belongs to the bot is never one of somebody who belongs to others', () => {
  const respondent = fc.record({
    user_id: fc.option(fc.nat(12).map((number) => `u-${number}`)),
    user_name: fc.option(fc.nat(12).map((number) => `u-${number}@quiz.example`)),
    email_address: fc.nat(12).map((number) => `U-${number}@quiz.example`),
  });
  fc.assert(
    fc.property(account, respondent, fc.constantFrom(...quizIds), (one, response, quizId) => {
      const { facts, belongingOf } = shownOf(one);
      const belonging = belongingOf(quizId);
      const users = {
        byId: (id: string) => one.users.find(({ user_id }) => user_id === id),
        withAddress: (address: string) => one.users.filter((other) => hasAddress(other, address)),
      };
      if (!responseBelongs(response, belonging, users, facts)) return true;
      const isOf = (other: User) =>
        response.user_id === null
          ? [response.user_name ?? '', response.email_address].some((address) => hasAddress(other, address))
          : other.user_id === response.user_id;
      const people = one.users.filter(isOf);
      const isKnown = people.length > 0 && people.every((person) => !isOthers(personBelonging(person, facts)));
      return (
        !isOthers(belonging) && (isKnown || (response.user_id === null && people.length === 0 && belonging === 'own'))
      );
    }),
  );
});

test('what is not known makes no quiz the bot’s own', () => {
  fc.assert(
    fc.property(account, (one) => {
      const { belongingOf } = shownOf(one);
      return one.unread.every((quizId) => belongingOf(quizId) !== 'own');
    }),
  );
});

test('a user is changed only where no other group is theirs, and no administrator is', () => {
  fc.assert(
    fc.property(account, (one) => {
      const { facts } = shownOf(one);
      return one.users
        .filter((each) => beyondByUser(each, { suspended: true }, facts) === undefined)
        .every(
          (each) =>
            each.user_type !== 'administrator' &&
            [...each.groups, ...each.trainergroups].every(({ group_id }) => facts.groupIds.has(group_id)),
        );
    }),
  );
});

test('users by group are those of the rule, in the order of the list', async () => {
  await fc.assert(
    fc.asyncProperty(account, async (one) => {
      const { facts } = shownOf({ ...one, madeUsers: [] });
      const { of, ungrouped, having } = await createUsersByGroup()(one.users);
      const isGrouped = (each: User) => each.groups.length + each.trainergroups.length > 0;
      const holders = (quizId: string) =>
        one.users.filter(({ quizzes }) => quizzes.some(({ quiz_id }) => quiz_id === quizId));
      const sorted = [of(facts.groupIds), ungrouped, ...quizIds.map(having)];
      const expected = [
        one.users.filter((each) => !isOthers(personBelonging(each, facts))),
        one.users.filter((each) => !isGrouped(each)),
        ...quizIds.map(holders),
      ];
      return JSON.stringify(sorted) === JSON.stringify(expected);
    }),
  );
});
