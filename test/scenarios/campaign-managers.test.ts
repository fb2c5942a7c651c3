import { expect, test, describe } from 'vitest';
import { people, profileFields, userGroups } from '../../src/sandbox/workspace/people.ts';
import { storyStores, inTheAccount } from '../support/many-changes.ts';
import { locationOf, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';
import { pressAll } from '../support/forged-buttons.ts';

const { ada, tom, erin, zoe, lena, gus } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const sundayEvening = Date.UTC(2030, 0, 6, 22);
const privacyQuiz = 'Data protection refresher';
const managedBy = (person: { id: string }) => ({ [profileFields.manager.id]: person.id });

type Bed = Awaited<ReturnType<typeof openSkippedCampaigns>>;

/** What a manager read of their late people. */
const listsOf = ({ workspace }: Bed, personId: string) =>
  workspace
    .directMessages(personId)
    .map(textOf)
    .filter((text) => text.includes('who report'));
/** Presses a button in the row below a name in the list of a manager. */
async function clickBelow({ directMessage, workspace }: Bed, personId: string, name: string, action: string) {
  const message = await directMessage(personId, /who reports? to you/);
  const { blocks = [] } = message;
  const row = blocks[blocks.findIndex((block) => JSON.stringify(block).includes(`*${name}*`)) + 1];
  await workspace.as(personId).click(locationOf(message), { block: row?.block_id, action });
}

/** What a lead read of missing people. */
const escalationsTo = ({ written }: Bed, personId: string) =>
  written(personId).filter(
    (line) => /\d (?:person|people) still ha/.test(line) || line.includes('People are still missing'),
  );

test.each(storyStores)(
  'over %s, each manager gets one list a week of their own late people, and the lead the others',
  async (store) => {
    const bed = await openSkippedCampaigns(store, sundayEvening);
    const { clock, workspace, account, reply, startShown, start, report } = bed;
    workspace.setPerson({ ...gus, fields: managedBy(lena) });
    const preview = await reply(
      ada.id,
      `/quiz-campaign start "${safetyQuiz}" for @rosa, @nora, @gus due 2030-01-08 12:00 remind none escalate 2d to manager`,
    );
    expect(textOf(preview)).toContain('To each person’s manager, or else you, 2 days after it’s due');
    expect(textOf(preview)).toContain(
      '2 people have a manager in Slack, who would get their name. The names of 1 would go to you.',
    );
    await startShown(ada.id, preview);
    await start(ada.id, `"${privacyQuiz}" for @rosa, @ravi due 2030-01-08 12:00 remind none escalate 2d to manager`);
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toContain('each person’s manager, or else');

    await clock.skip(3 * dayMs + 15 * hourMs);
    const list = textOf(await bed.directMessage(zoe.id, 'who report to you are late'));
    expect(list).toContain('2 people who report to you are late with a quiz.');
    expect(list).toMatch(new RegExp(`\\*Ravi Banerjee\\* · ${privacyQuiz}`));
    expect(list).toMatch(new RegExp(`\\*Rosa Almeida\\* · .*${safetyQuiz}`));
    expect(list).toMatch(new RegExp(`\\*Rosa Almeida\\* · .*${privacyQuiz}`));
    expect(list).not.toMatch(/Nora|Gus/);
    expect(textOf(await bed.directMessage(erin.id, 'who reports to you is late'))).toMatch(
      new RegExp(`\\*Nora Fields\\* · ${safetyQuiz}`),
    );
    expect(textOf(await bed.directMessage(ada.id, '1 person still has to take'))).toContain('Gus Hartmann');
    expect(escalationsTo(bed, ada.id)).toHaveLength(1);
    expect((await report(ada.id, 'workplace')).get('Rosa Almeida')).toMatchObject({ Manager: 'Zoe Marsh' });
    expect((await report(ada.id, 'workplace')).get('Gus Hartmann')).toMatchObject({ Manager: '' });

    account.pass('ravi', privacyQuiz, clock.now());
    account.pass('rosa', privacyQuiz, clock.now());
    await clock.skip(6 * dayMs);
    expect(listsOf(bed, zoe.id)).toHaveLength(1);
    await clock.skip(dayMs + hourMs);
    await expect.poll(() => listsOf(bed, zoe.id).length).toBe(2);
    const [, second] = listsOf(bed, zoe.id);
    expect(second).toContain('Rosa Almeida');
    expect(second).not.toMatch(new RegExp(`Ravi|${privacyQuiz}`));

    workspace.setPerson({ ...zoe, isDeleted: true });
    await clock.skip(7 * dayMs);
    await bed.directMessage(ada.id, '2 people still have to take');
    expect(listsOf(bed, zoe.id)).toHaveLength(2);
    expect(workspace.directMessages(lena.id)).toEqual([]);
  },
);

test.each(storyStores)('over %s, a manager says that somebody is not theirs, and takes that back', async (store) => {
  const bed = await openSkippedCampaigns(store, sundayEvening);
  const { clock, workspace, start, press, directMessage } = bed;
  await start(
    ada.id,
    `"${safetyQuiz}" for @rosa, @ravi, @nora due 2030-01-08 12:00 remind none escalate 2d to manager`,
  );
  await clock.skip(3 * dayMs + 15 * hourMs);

  const list = await directMessage(zoe.id, 'who report to you are late');
  await clickBelow(bed, zoe.id, 'Ravi Banerjee', 'row:not-my-report');
  const told = await directMessage(ada.id, 'doesn’t report to them');
  expect(textOf(told)).toMatch(/<@U00000ZOE> says that \*Ravi Banerjee\*/);
  expect(workspace.directMessages(ada.id).filter((message) => textOf(message).includes('doesn’t report'))).toHaveLength(
    1,
  );
  const shown = await directMessage(zoe.id, 'You said that *Ravi Banerjee* doesn’t report to you.');

  expect(shown.ts).toBe(list.ts);

  await press(zoe.id, await directMessage(zoe.id, /who reports? to you/), 'Undo');
  await directMessage(zoe.id, '*Ravi Banerjee* is on your list again');

  await clock.skip(7 * dayMs);
  await expect.poll(() => listsOf(bed, zoe.id).length).toBe(2);
  expect(listsOf(bed, zoe.id).at(-1)).toContain('*Ravi Banerjee*');
  expect(listsOf(bed, zoe.id).at(-1)).toContain('*Rosa Almeida*');
  expect(escalationsTo(bed, ada.id)).toEqual([]);
});

test.each(storyStores)(
  'over %s, a field that people edit themselves decides nothing, unless the operator names it',
  async (store) => {
    const line = `"${safetyQuiz}" for @rosa, @ravi due 2030-01-08 12:00 remind none escalate 2d to manager`;
    const editable = { ...profileFields.manager, isProtected: false };
    const bed = await openSkippedCampaigns(store, sundayEvening);
    bed.workspace.setProfileField(editable);
    const preview = await bed.reply(ada.id, `/quiz-campaign start ${line}`);
    expect(textOf(preview)).toContain('The names of people who are late would go to you.');
    expect(textOf(preview)).toContain('so it decides nothing');
    await bed.startShown(ada.id, preview);
    await bed.clock.skip(3 * dayMs + 15 * hourMs);
    await bed.directMessage(ada.id, '2 people still have to take');
    expect(bed.workspace.directMessages(zoe.id)).toEqual([]);
    expect(textOf(await bed.reply(ada.id, '/quiz-admin status'))).toContain('so it decides nothing');
    await bed.testBed.close();

    const named = await openSkippedCampaigns(store, sundayEvening, { env: { MANAGER_FIELD: 'manager' } });
    named.workspace.setProfileField(editable);
    await named.start(ada.id, line);
    await named.clock.skip(3 * dayMs + 15 * hourMs);
    await named.directMessage(zoe.id, '2 people who report to you are late');
  },
);

describe('a campaign that is offered to another owner', () => {
  const { ravi, rosa } = people;
  const minuteMs = 60_000;
  const mondayMorning = Date.UTC(2030, 0, 7, 11);

  /** A campaign of Tom’s for the kitchen team, whose Rosa he trains. Ravi, whom he doesn’t train, waits to be taken in. */
  async function openWaiting(store: string) {
    const bed = await openSkippedCampaigns(store, mondayMorning, {
      async beforeStart(_, { quizService, workspace }) {
        const account = inTheAccount({ quizService });
        account.forgetAttempts();
        account.train('tom', { quizzes: [safetyQuiz], groups: ['Kitchen'] });
        workspace.setUserGroup({ ...userGroups.kitchen, members: [rosa.id] });
      },
    });
    await bed.start(tom.id, `"${safetyQuiz}" for @kitchen-team within 14d remind none`);
    await bed.clock.skip(5 * minuteMs);
    bed.workspace.setUserGroup({ ...userGroups.kitchen, members: [rosa.id, ravi.id] });
    await bed.clock.skip(3 * minuteMs);
    await bed.directMessage(tom.id, 'doesn’t train everyone on this list');
    const peopleIn = async (personId: string) => [...(await bed.report(personId, 'workplace')).keys()].toSorted();
    const offer = async () => {
      const offers = () =>
        bed.workspace.directMessages(ada.id).filter((message) => textOf(message).includes('asks you to answer'));
      const before = offers().length;
      const asked = await bed.reply(tom.id, '/quiz-campaign hand-over workplace to @ada');
      return { asked, message: await bed.workspace.until(() => offers()[before]) };
    };
    return { ...bed, people: peopleIn, offer };
  }

  test.each(storyStores)(
    'over %s, who is asked to answer for a campaign accepts first, and who waits for an approval goes on waiting',
    async (store) => {
      const bed = await openWaiting(store);
      const { clock, workspace, offer, people: peopleIn, press, reply, directMessage, answer, testBed } = bed;
      const { asked, message } = await offer();
      expect(textOf(asked)).toContain('Nothing changes until they accept');
      await clock.skip(2 * dayMs);
      expect(await peopleIn(tom.id)).toEqual(['Rosa Almeida']);

      // Nobody else can press her button.
      const at = /\\"offer\\":\[\\"(\d+)/.exec(JSON.stringify(message.blocks))?.[1] ?? '';
      const campaignId = /\\"campaign\\":\[\\"([^\\]+)/.exec(JSON.stringify(message.blocks))?.[1] ?? '';
      const forged = { campaign: [campaignId], offer: [at] };
      const [byTom, byRosa] = await pressAll(testBed, [
        [people.katarzyna.id, 'hand-over-campaign', forged],
        [rosa.id, 'hand-over-campaign', forged],
      ]);
      expect(byTom).not.toContain('over to you');
      expect(byRosa).not.toContain('over to you');

      await press(ada.id, message, 'Accept');
      await answer(ada.id, 'Handed the campaign for');
      await directMessage(tom.id, 'answers for the campaign');
      await press(ada.id, message, 'Accept');
      await answer(ada.id, 'You answer for the campaign');
      await clock.skip(2 * dayMs);
      expect(await peopleIn(ada.id)).toEqual(['Rosa Almeida']);
      await directMessage(ada.id, 'doesn’t train everyone on this list');

      // Who joins from now on is taken in by the rule, which she accepted.
      workspace.setUserGroup({ ...userGroups.kitchen, members: [rosa.id, ravi.id, people.nora.id] });
      await clock.skip(5 * minuteMs);
      await directMessage(people.nora.id, 'asks you to take');
      expect(await peopleIn(ada.id)).toEqual(['Nora Fields', 'Rosa Almeida']);
      const trail = textOf(await reply(ada.id, '/quiz-admin audit since 1d'));
      expect(trail).toMatch(
        /The bot, by a rule that <@\w+> approved, added \*Nora Fields\* to the campaign for [^·]*, since they joined its audience/,
      );
      expect(trail).not.toMatch(/<@\w+> (assigned|started to assign)/);
    },
  );

  test('an offer that is withdrawn or too old says so, and the owner stays', async () => {
    const bed = await openWaiting('SQLite');
    const { clock, offer, press, reply, answer, account } = bed;
    const { asked, message } = await offer();
    await press(tom.id, asked, 'Withdraw offer');
    await answer(tom.id, 'The offer to hand it over is withdrawn');
    await press(ada.id, message, 'Accept');
    await answer(ada.id, 'is withdrawn');

    await offer();
    const kept = textOf(await reply(tom.id, '/quiz-campaign hand-over workplace to @tom'));
    expect(kept).toContain('The offer to hand it over is withdrawn');
    expect(textOf(await reply(tom.id, '/quiz-campaign hand-over workplace to @tom'))).toContain(
      'already. Nothing changed',
    );
    const trail = textOf(await reply(ada.id, '/quiz-admin audit since 1d'));
    expect(trail.match(/> withdrew the offer to answer for the campaign for/g)).toHaveLength(2);
    expect(trail).toMatch(/> took the campaign for [^·]* over, which changed nothing/);
    expect(trail).not.toContain('asked *Tom');

    const second = await offer();
    await clock.skip(8 * dayMs);
    await press(ada.id, second.message, 'Accept');
    await answer(ada.id, 'expired after 7 days');

    const third = await offer();
    account.change('ada', `user_type = 'respondent', edit_quizzes = 0, manage_users = 0`);
    await press(ada.id, third.message, 'Accept');
    await clock.skip(5 * minuteMs);
    expect(textOf(await reply(tom.id, '/quiz-campaign show workplace'))).toContain(`Started by <@${tom.id}>`);
  });
});
