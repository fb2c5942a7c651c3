import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { storyStores } from '../support/many-changes.ts';
import { redisMissing } from '../support/redis.ts';
import { actionIdOf, locationOf } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, uma, rosa, ravi, hana, maya, katarzyna } = people;
const [minuteMs, hourMs] = [60_000, 3_600_000];
const mondayMorning = Date.UTC(2030, 0, 7, 11);

const isLastPage = (answer: unknown) => !Object(answer).response_metadata?.next_cursor;

/** A bot that has read who is in Slack. Tom decides beside Ada. */
async function openDepartures(store: string, { instances = 1, isKilled = false } = {}) {
  const bed = await openSkippedCampaigns(store, mondayMorning, {
    env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
    instances,
    isKilled,
  });
  const { clock, workspace, testBed } = bed;
  await workspace.until(() =>
    workspace.calls.some(({ method, answer }) => method === 'users.list' && isLastPage(answer)),
  );
  // What was read is kept meanwhile.
  await clock.skip(minuteMs);
  return {
    ...bed,
    ...approvalActions({ workspace }),
    lists: () =>
      workspace
        .messages(leadsChannelId)
        .filter(
          ({ metadata, ...message }) =>
            metadata?.event_type !== 'approval_request' && textOf(message).includes('left Slack'),
        ),
    isSuspended: (name: string) =>
      testBed.quizService.database.get<{ suspended: number }>(
        `SELECT suspended FROM users WHERE user_name = '${name}@quiz.example'`,
      )?.suspended === 1,
  };
}

test.each(storyStores)(
  'over %s, a person who leaves Slack is listed the next day, and suspended with approval',
  async (store) => {
    const bed = await openDepartures(store);
    const { clock, workspace, reply, posted, press, answer, requests, approve, isSuspended } = bed;
    workspace.faults.setEventFault({ kind: 'twice' }, ['user_change']);
    await workspace.setActive(rosa.id, false);
    workspace.faults.setEventFault(undefined);
    await clock.skip(20 * hourMs);
    expect(workspace.messages(leadsChannelId)).toEqual([]);
    await clock.skip(3 * hourMs);
    const list = await posted(leadsChannelId, '1 person has left Slack');
    expect(textOf(list)).toContain('Rosa Almeida');

    await press(uma.id, list, 'Suspend…');
    const preview = await answer(uma.id, 'Suspend 1 person who has left Slack');
    const form = await (
      await workspace.as(uma.id).click(locationOf(preview), actionIdOf(preview, 'Request approval…'))
    ).view();
    expect((await workspace.as(uma.id).submit(form, { reason: 'Left the company' })).errors).toBeUndefined();
    expect(isSuspended('rosa')).toBe(false);
    await approve(ada.id, await workspace.until(() => requests()[0]));
    await workspace.until(() => isSuspended('rosa'));
    await clock.skip(minuteMs);
    await posted(leadsChannelId, 'nobody on this list is waiting for a decision');
    const record = await reply(ada.id, '/quiz-admin audit');
    expect(textOf(record)).toMatch(/uspend[^]*Rosa Almeida|Rosa Almeida[^]*uspend/);
    expect(bed.lists()).toHaveLength(1);
  },
);

test.each(storyStores.flatMap((store) => [[store, 'is told'] as const, [store, 'is not told'] as const]))(
  'over %s, whoever is back when the suspension of several people is made stays active, where the bot %s of it',
  async (store, hears) => {
    const bed = await openDepartures(store);
    const { clock, workspace, posted, press, answer, requests, approve, isSuspended } = bed;
    await workspace.setActive(rosa.id, false);
    await workspace.setActive(ravi.id, false);
    await clock.skip(23 * hourMs);
    await press(ada.id, await posted(leadsChannelId, '2 people have left Slack'), 'Suspend…');
    const preview = await answer(ada.id, 'Suspend 2 people who have left Slack');
    const form = await (
      await workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'Request approval…'))
    ).view();
    expect((await workspace.as(ada.id).submit(form, { reason: 'Left the company' })).errors).toBeUndefined();
    const request = await workspace.until(() => requests()[0]);

    if (hears === 'is not told') workspace.faults.setEventFault({ kind: 'lost' }, ['user_change']);
    await workspace.setActive(ravi.id, true);
    workspace.faults.setEventFault(undefined);
    await clock.skip(minuteMs);
    const shown = await bed.review(tom.id, request);
    const warning = /Ravi Banerjee\*? would be left out: They’re back in the workspace/;
    expect(warning.test(textOf(shown))).toBe(hears === 'is told');
    await approve(tom.id, request);
    await workspace.until(() => isSuspended('rosa'));
    await clock.skip(2 * minuteMs);
    expect(isSuspended('ravi')).toBe(false);
    await posted(leadsChannelId, 'nobody on this list is waiting for a decision');
    expect(textOf(await bed.reply(ada.id, '/quiz-admin audit'))).toMatch(
      /suspend \*Ravi Banerjee\*[^•]*back in the workspace/,
    );
  },
);

test.each(storyStores)(
  'over %s, a person is found whose event is lost, nobody is listed who is back, and who is stays active when an administrator says so',
  async (store) => {
    const bed = await openDepartures(store);
    const { clock, workspace, posted, press, answer, lists } = bed;
    await workspace.setActive(ravi.id, false);
    await clock.skip(hourMs);
    workspace.faults.setEventFault({ kind: 'lost' }, ['user_change']);
    await workspace.setActive(ravi.id, true);
    await workspace.setActive(rosa.id, false);
    workspace.faults.setEventFault(undefined);
    await clock.skip(22 * hourMs);
    const list = await posted(leadsChannelId, '1 person has left Slack');
    expect(textOf(list)).not.toContain('Ravi');
    await press(ada.id, list, 'Dismiss');
    await answer(ada.id, 'Rosa Almeida* stays active');
    await clock.skip(minuteMs);
    await posted(leadsChannelId, 'nobody on this list is waiting for a decision');
    await clock.skip(48 * hourMs);
    expect(lists()).toHaveLength(1);
  },
);

test.each(storyStores)('over %s, a mass deactivation is counted, and nobody is listed', async (store) => {
  const bed = await openDepartures(store);
  const { clock, workspace, posted, press, answer, lists } = bed;
  for (const { id } of [rosa, ravi, hana, maya, katarzyna]) await workspace.setActive(id, false);
  await clock.skip(23 * hourMs);
  const told = await posted(leadsChannelId, 'That looks like a migration');
  expect(textOf(told)).toContain('5 of 12 people');
  await clock.skip(24 * hourMs);
  expect(lists()).toHaveLength(1);
  expect(textOf(told)).not.toContain('Rosa');
  await press(ada.id, told, 'Show who has left');
  expect(textOf(await answer(ada.id, 'Nothing happens until you start it'))).toContain(
    'Suspend 5 people who have left Slack',
  );
});

test.each(storyStores)(
  'over %s, a list whose answer is lost, and whose bot is killed then, is posted once, and says when its person is back',
  async (store) => {
    const bed = await openDepartures(store, { isKilled: true });
    const { clock, workspace, posted, lists, isSuspended, testBed } = bed;
    await workspace.setActive(rosa.id, false);
    workspace.faults.inject(
      { kind: 'lost-answer' },
      { method: 'chat.postMessage', times: 1, when: ({ channel }) => channel === leadsChannelId },
    );
    await clock.skip(23 * hourMs);
    await posted(leadsChannelId, '1 person has left Slack');
    await testBed.bots[0]!.kill();
    await testBed.bots[0]!.start();
    await clock.skip(hourMs);
    await workspace.setActive(rosa.id, true);
    await clock.skip(hourMs);
    expect(textOf(await posted(leadsChannelId, 'nobody on this list is waiting for a decision'))).not.toContain(
      'Suspend…',
    );
    expect(lists()).toHaveLength(1);
    expect(isSuspended('rosa')).toBe(false);
  },
);

test.skipIf(redisMissing !== null)('two instances post one list, whichever of them has the event', async () => {
  const bed = await openDepartures('Redis', { instances: 2 });
  const { clock, workspace, posted, lists, testBed } = bed;
  await workspace.setActive(rosa.id, false);
  workspace.setBot(`${testBed.bots[1]!.url}/slack/events`);
  await workspace.setActive(ravi.id, false);
  await clock.skip(24 * hourMs);
  const list = await posted(leadsChannelId, '2 people have left Slack');
  expect(textOf(list)).toMatch(/Rosa Almeida.*Ravi Banerjee/s);
  await clock.skip(24 * hourMs);
  expect(lists()).toHaveLength(1);
});
