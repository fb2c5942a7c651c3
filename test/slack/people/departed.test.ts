import { expect, test } from 'vitest';
import type { User } from '../../../src/quiz-api/records.ts';
import { createWhoHasLeft } from '../../../src/slack/people/departed.ts';
import { knownFrom, type SlackUser } from '../../../src/slack/people/people.ts';
import { quizUser } from '../../support/builders/users.ts';

const teamId = 'T1';

function userNamed(name: string): User {
  const address = `${name}@quiz.example`;
  return quizUser({ user_id: `u-${name}`, user_name: address, email_address: address });
}

function memberNamed(name: string, overrides: Partial<SlackUser> = {}): SlackUser {
  return { id: `U${name}`, team_id: teamId, profile: { email: `${name}@quiz.example` }, ...overrides };
}

function openWhoHasLeft(users: readonly User[], members: readonly SlackUser[]) {
  const byAddress = new Map(users.map((user) => [user.email_address, user]));
  const lookedUp: string[] = [];
  const whoHasLeft = createWhoHasLeft({
    people: {
      of: async () => {
        throw new Error('nobody is asked about');
      },
      async *everyone() {
        yield members.map((member) => knownFrom(member, { teamId, enterpriseId: undefined }));
      },
    },
    identity: {
      async userWithAddress(address) {
        lookedUp.push(address);
        return byAddress.get(address);
      },
    },
  });
  return { whoHasLeft, lookedUp };
}

test('whose an address is, is looked up only where Slack lists the address or the user was found before', async () => {
  const users = ['ada', 'ben', 'cleo', 'dora', 'emil'].map(userNamed);
  const members = [memberNamed('ada'), memberNamed('ben', { deleted: true }), memberNamed('gone', { deleted: true })];
  const { whoHasLeft, lookedUp } = openWhoHasLeft(users, members);
  const standings = await whoHasLeft.everyone(users, new Map([['u-cleo', 'Ugone']]));
  expect(Object.fromEntries(standings)).toEqual({
    'u-ada': { kind: 'here', personId: 'Uada' },
    'u-ben': { kind: 'left', personId: 'Uben', at: undefined },
    'u-cleo': { kind: 'left', personId: 'Ugone', at: undefined },
  });
  expect(lookedUp).toEqual(['ada@quiz.example', 'ben@quiz.example', 'cleo@quiz.example']);
});

test('other work has its turn while a large account is looked through', async () => {
  const names = Array.from({ length: 1_000 }, (_, number) => `person-${number}`);
  const users = names.map(userNamed);
  const { whoHasLeft } = openWhoHasLeft(
    users,
    names.map((name) => memberNamed(name)),
  );
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await whoHasLeft.everyone(users, new Map());
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(9);
});
