import { expect, test } from 'vitest';
import type { View } from '../../src/sandbox/workspace/model.ts';
import { channels, people, userGroups } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { inTheAccount, storyStores } from '../support/many-changes.ts';
import { locationOf, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, ravi, nora, rosa, hana, katarzyna } = people;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const mondayMorning = Date.UTC(2030, 0, 7, 11);

/** Somebody in the quiz account, beside the bot. */
type Bed = Awaited<ReturnType<typeof openSkippedCampaigns>>;
const groupId = (bed: Bed, name: string) =>
  bed.testBed.quizService.database.get<{ group_id: string }>('SELECT group_id FROM groups WHERE group_name = ?', [name])
    ?.group_id ?? '';

test.each(storyStores)(
  'over %s, who joins a channel or a user group is asked to take the quiz, also where the event is lost, and who leaves is not any more',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning);
    const { clock, workspace, account, reply, start, directMessage, written, report } = bed;
    account.pass('ravi', safetyQuiz, Date.UTC(2029, 5, 1, 10));
    workspace.setUserGroup({ ...userGroups.kitchen, members: [rosa.id] });
    const line = `"${safetyQuiz}" for @kitchen-team, #partners within 14d valid 12 months remind 3d`;
    const preview = await reply(ada.id, `/quiz-campaign start ${line}`);
    expect(textOf(preview)).toContain('People who join them later are taken in by themselves, up to 20 an hour');
    await start(ada.id, line);
    await directMessage(rosa.id, 'asks you to take');
    await clock.skip(5 * minuteMs);

    // A user group: Ravi has a pass that counts.
    workspace.setUserGroup({ ...userGroups.kitchen, members: [rosa.id, ravi.id] });
    // A channel.
    await workspace.join(channels.partners.id, nora.id);
    await clock.skip(3 * minuteMs);
    await directMessage(nora.id, 'asks you to take');
    expect(written(ravi.id)).toEqual([]);
    const shown = textOf(await reply(ada.id, '/quiz-campaign show workplace'));
    expect(shown).toMatch(/Nora Fields[^•]+in it since/);
    expect(shown).toContain('valid until');

    // She leaves before her reminder.
    await workspace.leave(channels.partners.id, nora.id);
    workspace.faults.setEventFault({ kind: 'lost' }, ['member_joined_channel']);
    await workspace.join(channels.partners.id, hana.id);
    workspace.faults.setEventFault(undefined);
    await clock.skip(hourMs);
    expect(written(hana.id)).toEqual([]);
    await clock.skip(20 * dayMs);
    expect(written(hana.id)[0]).toContain('asks you to take');
    expect(written(nora.id)).toHaveLength(1);
    const rows = await report(ada.id, 'workplace');
    expect(rows.get('Nora Fields')).toMatchObject({ State: 'not required any more' });
    expect(rows.get('Nora Fields')?.['Left (UTC)']).toMatch(/^2030-01-07T11:/);
    expect(rows.get('Ravi Banerjee')).toMatchObject({ State: 'valid' });

    await workspace.join(channels.partners.id, nora.id);
    await clock.skip(3 * minuteMs);
    expect((await report(ada.id, 'workplace')).get('Nora Fields')).toMatchObject({ State: 'due' });
    expect(textOf(await reply(ada.id, '/quiz-admin audit'))).toMatch(
      /added \*Nora Fields\* to the campaign for [^·]*, since they joined its audience/,
    );
  },
);

test.each(storyStores)(
  'over %s, who joins a group of the account is found, and who is suspended or deleted is not required any more',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning);
    const { clock, testBed, account, reply, start, directMessage, report } = bed;
    const { database } = testBed.quizService;
    const kitchen = groupId(bed, 'Kitchen');
    const join = (name: string) =>
      database.run('INSERT OR IGNORE INTO user_groups (user_id, group_id) VALUES (?, ?)', [
        account.userId(name),
        kitchen,
      ]);
    database.run('DELETE FROM user_groups WHERE group_id = ?', [kitchen]);
    for (const name of ['rosa', 'ravi', 'nora']) join(name);
    await start(ada.id, `"${safetyQuiz}" for Kitchen within 14d remind none`);
    await clock.skip(5 * minuteMs);

    // Through the bot, at once.
    await reply(ada.id, `/quiz-group add @katarzyna to Kitchen`);
    await clock.skip(5 * minuteMs);
    await directMessage(katarzyna.id, 'asks you to take');
    // Beside the bot, within a day.
    join('maya');
    account.change('ravi', 'suspended = 1');
    account.remove('nora');
    await clock.skip(dayMs);
    await directMessage(people.maya.id, 'asks you to take');
    const rows = await report(ada.id, 'workplace');
    const stateOf = (name: string) => rows.get(name)?.['State'];
    expect(['Rosa Almeida', 'Katarzyna Nowak', 'Maya Goldberg'].map(stateOf)).toEqual(['due', 'due', 'due']);
    const left = 'not required any more';
    expect(['Ravi Banerjee', 'Nora Fields'].map(stateOf)).toEqual([left, left]);
  },
);

/** New users of the account, who are in a group. */
function addStarters(bed: Bed, group: string, count: number): void {
  const { database } = bed.testBed.quizService;
  for (let number = 1; number <= count; number += 1) {
    const id = `u-${group.toLowerCase().replace(' ', '-')}-${number}`;
    const name = `${id}@quiz.example`;
    database.run(
      `INSERT INTO users (user_id, user_name, folded_user_name, user_type, first_name, last_name, date_created)
       VALUES (?, ?, ?, 'respondent', 'Starter', ?, '2030-01-07 11:00:00')`,
      [id, name, name, String(number)],
    );
    database.run('INSERT INTO user_groups (user_id, group_id) VALUES (?, ?)', [id, groupId(bed, group)]);
  }
}

test.each(storyStores)(
  'over %s, 25 people at once wait for whoever answers for the campaign to look at the list, and 60 are added to a round at once',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning);
    const { clock, reply, start, press, directMessage, answer, report } = bed;
    await start(ada.id, `"${safetyQuiz}" for Night shift within 14d remind none`);
    await clock.skip(5 * minuteMs);
    const before = (await report(ada.id, 'workplace')).size;
    addStarters(bed, 'Night shift', 25);
    await clock.skip(dayMs);
    const asked = await directMessage(ada.id, '25 people joined the audience of the campaign');
    expect((await report(ada.id, 'workplace')).size).toBe(before);
    expect(textOf(await reply(ada.id, '/quiz today'))).toContain('25 people wait to be taken into the campaign');

    await press(ada.id, asked, 'Review…');
    const preview = await answer(ada.id, '25 people* who joined the audience');
    expect(textOf(preview)).toContain('it would be due');
    await press(ada.id, preview, 'Start');
    await answer(ada.id, 'Took 25 people into the campaign');
    await clock.skip(hourMs);
    expect((await report(ada.id, 'workplace')).size).toBe(before + 25);
    expect(textOf(await reply(ada.id, '/quiz-campaign take-in workplace'))).toContain('Nobody waits');
    await clock.skip(2 * dayMs);
    expect(bed.written(ada.id).filter((line) => line.includes('joined the audience'))).toHaveLength(1);

    await start(ada.id, '"Food hygiene" for Kitchen due 1 feb');
    const inKitchen = (await report(ada.id, 'food')).size;
    addStarters(bed, 'Front desk', 60);
    await clock.skip(hourMs);
    expect(textOf(await reply(ada.id, '/quiz-campaign add Front desk to food'))).toContain('Added ');
    expect((await report(ada.id, 'food')).size).toBeGreaterThanOrEqual(inKitchen + 60);
  },
);

test('whom the owner doesn’t train is taken in after an approval', async () => {
  const bed = await openSkippedCampaigns('SQLite', mondayMorning, {
    env: { APPROVALS_CHANNEL: leadsChannelId },
    async beforeStart(_, { quizService, workspace: before }) {
      const account = inTheAccount({ quizService });
      account.forgetAttempts();
      account.train('tom', { quizzes: [safetyQuiz], groups: ['Kitchen'] });
      before.setUserGroup({ ...userGroups.kitchen, members: [rosa.id] });
    },
  });
  const { clock, workspace, start, press, directMessage, answer, report, testBed } = bed;
  const { requests, approve } = approvalActions(testBed);
  await start(tom.id, `"${safetyQuiz}" for @kitchen-team within 14d remind none`);
  await clock.skip(5 * minuteMs);
  workspace.setUserGroup({ ...userGroups.kitchen, members: [rosa.id, ravi.id] });
  await clock.skip(3 * minuteMs);
  await press(tom.id, await directMessage(tom.id, 'doesn’t train everyone on this list'), 'Review…');
  const preview = await answer(tom.id, '1 person* who joined the audience');
  const { id } = await (await workspace.as(tom.id).click(locationOf(preview), 'form:run-campaign')).view();
  const isForm = (view: View) => view.id === id && textOf(view).includes('Why do you want this');
  const form = await workspace.until(() => workspace.views(tom.id).find(isForm));
  await workspace.as(tom.id).submit(form, { reason: 'He works in the kitchen now' });
  await approve(ada.id, await workspace.until(() => requests()[0]));
  await directMessage(tom.id, 'Took 1 person into the campaign');
  await clock.skip(3 * minuteMs);
  await directMessage(ravi.id, 'asks you to take');
  expect((await report(tom.id, 'workplace')).get('Ravi Banerjee')).toMatchObject({ State: 'due' });
});
