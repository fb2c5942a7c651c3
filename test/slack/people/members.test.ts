import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createMembersOf } from '../../../src/slack/people/members.ts';

const slackError = (error: string) =>
  Object.assign(new Error(error), { code: 'slack_webapi_platform_error', data: { ok: false, error } });

/** A Slack with one channel, whose members come two at a time. */
function slackWith({
  members = ['U1', 'U2', 'U3'],
  isPrivate = false,
  error,
}: { members?: string[]; isPrivate?: boolean; error?: string } = {}) {
  let calls = 0;
  const failing = async () => {
    if (error) throw slackError(error);
  };
  const client = {
    conversations: {
      members: async ({ cursor = '0' }: { cursor?: string }) => {
        await failing();
        calls += 1;
        const next = Number(cursor) + 2;
        return {
          members: members.slice(Number(cursor), next),
          response_metadata: { next_cursor: next < members.length ? String(next) : '' },
        };
      },
      info: async () => ({ channel: { is_private: isPrivate } }),
    },
    usergroups: { users: { list: async () => failing().then(() => ({ users: members })) } },
  } as unknown as WebClient;
  return { membersOf: createMembersOf(client), calls: () => calls };
}

const channel = { kind: 'channel', id: 'C1', name: 'training' } as const;
const userGroup = { kind: 'usergroup', id: 'S1', name: 'kitchen-team' } as const;

test('the members of a channel are read page by page, up to what operations take', async () => {
  expect(await slackWith().membersOf(channel, 'U1', { atMost: 200 })).toEqual({ personIds: ['U1', 'U2', 'U3'] });
  const crowd = slackWith({ members: Array.from({ length: 1_000 }, (_, n) => `U${n}`) });
  await crowd.membersOf(channel, 'U1', { atMost: 200 });
  expect(crowd.calls()).toBe(25);
});

test('the only members of a private channel learn who is in it', async () => {
  expect(await slackWith({ isPrivate: true }).membersOf(channel, 'U1', { atMost: 200 })).toHaveProperty('personIds');
  expect(await slackWith({ isPrivate: true }).membersOf(channel, 'U9', { atMost: 200 })).toEqual({
    problem: 'You’re not in #training, so you can’t use it.',
  });
  expect(await slackWith().membersOf(channel, 'U9', { atMost: 200 })).toHaveProperty('personIds');
});

test('the people of a user group are listed', async () => {
  expect(await slackWith().membersOf(userGroup, 'U9', { atMost: 200 })).toEqual({ personIds: ['U1', 'U2', 'U3'] });
});

test.each([
  ['channel_not_found', channel, 'Invigilator isn’t in #training. Type /invite @Invigilator there'],
  ['missing_scope', userGroup, 'Invigilator may not see who is in @kitchen-team.'],
  ['no_such_subteam', userGroup, '@kitchen-team isn’t a user group any more.'],
])('%s becomes a sentence', async (error, mention, sentence) => {
  expect(await slackWith({ error }).membersOf(mention, 'U1', { atMost: 200 })).toEqual({
    problem: expect.stringContaining(sentence),
  });
});

test('any other error of Slack is thrown', async () => {
  await expect(slackWith({ error: 'fatal_error' }).membersOf(channel, 'U1', { atMost: 200 })).rejects.toThrow();
});
