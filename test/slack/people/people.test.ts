import { WebClient } from '@slack/web-api';
import { Keyv } from 'keyv';
import { expect, onTestFinished, test } from 'vitest';
import type { Person } from '../../../src/sandbox/workspace/model.ts';
import { people, teamId } from '../../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../../src/sandbox/workspace/workspace.ts';
import { slackLogger } from '../../../src/slack/connection/client.ts';
import type { Known } from '../../../src/slack/people/people.ts';
import { peopleOf } from '../../support/sample-users.ts';
import { recordingLog } from '../../support/log.ts';

const elsewhere: Person = { ...people.ivo, teamId: 'T0ELSEWHERE', enterpriseId: 'E0OWN' };

test.each<[string, Person, string | undefined, Partial<Known>]>([
  ['a colleague', people.ada, undefined, { outsider: undefined, emailAddress: 'ada@quiz.example' }],
  ['a guest', people.lena, undefined, { outsider: 'guest' }],
  ['a deactivated person', people.dora, undefined, { outsider: 'deactivated' }],
  ['a person of another company who has the address of a colleague', people.ivo, undefined, { outsider: 'stranger' }],
  ['a person of another company, where the bot is in an organization', people.ivo, 'E0OWN', { outsider: 'stranger' }],
  ['a person of another workspace of the same organization', elsewhere, 'E0OWN', { outsider: undefined }],
  ['a person of an organization, where the bot is in none', elsewhere, undefined, { outsider: 'stranger' }],
  [
    'a person whose address is not confirmed',
    people.aisha,
    undefined,
    { outsider: undefined, emailAddress: undefined, isUnconfirmed: true },
  ],
])('Slack describes %s', async (_, person, enterpriseId, expected) => {
  const enterprise =
    enterpriseId === undefined ? undefined : { id: enterpriseId, name: 'Own', isInstalledForAll: false };
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken: 'xoxb-people',
    signingSecret: 'signing',
    ...(enterprise && { enterprise }),
  });
  onTestFinished(() => workspace.close());
  workspace.setPerson(person);
  const client = new WebClient('xoxb-people', {
    slackApiUrl: workspace.apiUrl,
    logger: slackLogger(recordingLog().log),
  });
  const own = async () => ({ teamId, enterpriseId });
  expect(await peopleOf(client, { own, now: () => 0 }).of(person.id)).toMatchObject(expected);
});

/** A Slack whose people all have the same profile, which it changes. */
function openSlack() {
  const clock = { now: 1_000_000 };
  const calls: string[] = [];
  const slack = { deleted: false, isAway: false };
  const userOf = (id: string) => ({ id, team_id: 'T1', locale: 'de-DE', deleted: slack.deleted });
  const client = {
    users: {
      async info({ user }: { user: string }) {
        calls.push(`info ${user}`);
        return { user: userOf(user) };
      },
      async list() {
        calls.push('list');
        if (slack.isAway) throw new Error('Slack is away');
        return { members: Array.from({ length: 30 }, (_, n) => userOf(`U${n}`)) };
      },
    },
  } as unknown as WebClient;
  const stored = { kept: new Map<string, string>(), locales: new Map<string, string>() };
  const found = peopleOf(client, {
    kept: new Keyv({ store: stored.kept }),
    locales: new Keyv({ store: stored.locales }),
    now: () => clock.now,
  });
  return { clock, calls, slack, stored, found };
}

test('a person is asked about once in ten minutes, once by all who ask at the same time, and anew where it must be fresh', async () => {
  const { clock, calls, slack, found } = openSlack();
  await Promise.all([found.of('U1'), found.of('U1')]);
  expect((await found.of('U1')).outsider).toBeUndefined();
  expect(calls).toEqual(['info U1']);
  slack.deleted = true;
  expect(await found.of('U1', { maxAgeMs: 0 })).toMatchObject({ outsider: 'deactivated' });
  expect(await found.of('U1')).toMatchObject({ outsider: 'deactivated' });
  expect(calls).toHaveLength(2);
  clock.now += 60_000;
  await found.of('U1', { maxAgeMs: 60_000 });
  expect(calls).toHaveLength(3);
  clock.now += 600_000;
  await found.of('U1');
  expect(calls).toHaveLength(4);
  await found.changed('U1', 'de-DE');
  await found.of('U1');
  expect(calls).toHaveLength(5);
});

test('many people are read from the list, those who are not known yet', async () => {
  const { calls, slack, found } = openSlack();
  const personIds = Array.from({ length: 30 }, (_, n) => `U${n}`);
  await found.learn(personIds.slice(0, 20));
  expect(calls).toEqual([]);
  await found.of('U3');
  await found.learn(personIds);
  for (const personId of personIds) expect(await found.of(personId)).toMatchObject({ personId });
  expect(calls).toEqual(['info U3', 'list']);
  slack.isAway = true;
  await found.learn(Array.from({ length: 30 }, (_, n) => `V${n}`));
});

test('what is kept for longer than minutes names nobody', async () => {
  const { stored, found } = openSlack();
  await found.of('U1');
  const [kept, locale] = [stored.kept, stored.locales].map(
    (store) => JSON.parse([...store.values()].join()) as { value: object; expires: number },
  );
  expect(Object.keys(locale!.value).toSorted()).toEqual(['at', 'locale']);
  expect(kept!.expires - Date.now()).toBeLessThanOrEqual(600_000);
});
