import { expect, test } from 'vitest';
import { createMembersSince } from '../../../src/features/campaigns/audience.ts';
import type { MemberList } from '../../../src/operations/services/people.ts';
import { monday } from '../../support/builders/campaigns.ts';

const channel = { kind: 'channel', id: 'C1', name: 'kitchen' } as const;

function open(answer: () => MemberList) {
  let now = monday;
  let reads = 0;
  const members = createMembersSince({
    async membersOf() {
      reads += 1;
      return answer();
    },
    atMost: 3,
    now: () => now,
  });
  return { members, reads: () => reads, wait: (ms: number) => (now += ms) };
}

test('campaigns share what was read, unless it is too old for them', async () => {
  const { members, reads, wait } = open(() => ({ personIds: ['UROSA'] }));
  expect(await members(channel, 'UTOM', monday)).toEqual({ personIds: ['UROSA'], isCut: false });
  wait(1_000);
  await members(channel, 'UTOM', monday);
  expect(reads()).toBe(1);
  await members(channel, 'UTOM', monday + 1);
  expect(reads()).toBe(2);
  await members(channel, 'UADA', monday);
  expect(reads()).toBe(3);
});

test('a list that is longer than the bot reads is said to be cut', async () => {
  const long = open(() => ({ personIds: ['U1', 'U2', 'U3', 'U4'] }));
  expect(await long.members(channel, 'UTOM', monday)).toMatchObject({ isCut: true });
  const cut = open(() => ({ personIds: ['U1'], isCut: true }));
  expect(await cut.members(channel, 'UTOM', monday)).toMatchObject({ isCut: true });
});

test('what could not be read is read again', async () => {
  const { members, reads } = open(() => ({ problem: 'The bot isn’t in it.' }));
  for (let count = 0; count < 2; count += 1)
    expect(await members(channel, 'UTOM', monday)).toEqual({ problem: 'The bot isn’t in it.' });
  expect(reads()).toBe(2);
});
