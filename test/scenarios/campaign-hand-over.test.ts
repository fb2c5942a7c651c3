import { expect, test } from 'vitest';
import { people, userGroups } from '../../src/sandbox/workspace/people.ts';
import { pressAll } from '../support/forged-buttons.ts';
import { inTheAccount, storesFor } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const stores = storesFor(import.meta.filename);

const { ada, tom, ravi, rosa } = people;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
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

test.each(stores)(
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
