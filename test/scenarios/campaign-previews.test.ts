import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { inTheAccount, storyStores } from '../support/many-changes.ts';
import { actionIdOf, locationOf } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, ravi, maya } = people;
const hourMs = 60 * 60_000;
/** A clock that skips goes on while a message is posted: until half an hour after the working hours begin. */
const stepsSeconds = 60 * 60;
const [safety, privacy] = ['Workplace safety basics', 'Data protection refresher'];
/** A Monday, in the working hours of Ravi and before those of Maya, who is in New York. */
const mondayMorning = Date.UTC(2030, 0, 7, 11);

async function openCampaigns(store: string, options: Parameters<typeof openSkippedCampaigns>[2] = {}) {
  const bed = await openSkippedCampaigns(store, mondayMorning, options);
  const { workspace, reply } = bed;
  return {
    ...bed,
    preview: (personId: string, line: string) => reply(personId, `/quiz-campaign start ${line}`),
    /** When the messages with these words came, in seconds. */
    cameAt: (personId: string, words: string) =>
      workspace
        .directMessages(personId)
        .filter((message) => textOf(message).includes(words))
        .map(({ ts }) => Math.floor(Number(ts))),
  };
}

/** The moments that a message names, in seconds. */
const momentsIn = (text: string) => [...text.matchAll(/<!date\^(\d+)\^/g)].map(([, seconds]) => Number(seconds));

test.each(storyStores)(
  'over %s, the messages of a second campaign come when its preview says, and what comes too late is said before Start',
  async (store) => {
    const { clock, workspace, preview, startShown, cameAt } = await openCampaigns(store);
    const first = await preview(ada.id, `"${safety}" for @ravi due in 2 weeks`);
    expect(await startShown(ada.id, first)).toMatch(/first messages go out now/);
    await workspace.until(() => workspace.directMessages(ravi.id).length > 0);

    // Ravi had today’s message, and gets one more for what is due today. Maya’s working hours begin after the due time.
    const late = textOf(await preview(tom.id, `"${privacy}" for @ravi, @maya due 2030-01-07 13:00`));
    expect(late).toMatch(/⚠️ \*Maya Goldberg\* can’t be messaged before it’s due. Choose a later time/);

    const second = await preview(tom.id, `"${privacy}" for @ravi, @maya due in 2 weeks`);
    const said = textOf(second);
    expect(said).not.toContain('can’t be messaged');
    expect(said).toContain(
      'Another campaign writes to Ravi Banerjee today, and people get one message a day: theirs would go out on their next working day.',
    );
    const [, from = 0, to = 0] = momentsIn(said);
    expect(await startShown(tom.id, second)).toMatch(
      /first messages go out from <!date[^|]*\|Mon 7 Jan> to <!date[^|]*\|Tue 8 Jan>, in each person’s working hours/,
    );

    await clock.skip(3.5 * hourMs);
    const cameFirst = await workspace.until(() => cameAt(maya.id, privacy)[0]);
    await clock.skip(19 * hourMs);
    const cameLast = await workspace.until(() => cameAt(ravi.id, privacy)[0]);
    expect(Math.abs(cameFirst - from)).toBeLessThan(stepsSeconds);
    expect(Math.abs(cameLast - to)).toBeLessThan(stepsSeconds);
  },
);

test.each(storyStores)(
  'over %s, a preview names the other campaigns of its quiz, choices tell them apart, and a message has the words of its starter',
  async (store) => {
    const { preview, startShown, reply, workspace } = await openCampaigns(store);
    await startShown(
      ada.id,
      await preview(ada.id, `"${safety}" for @ravi, @maya due 2030-01-14 12:00 say "Before <the> audit, please"`),
    );
    const asks = await workspace.until(() => workspace.directMessages(ravi.id)[0]);
    expect(textOf(asks)).toContain('>“Before &lt;the&gt; audit, please”');

    const twin = await preview(tom.id, `"${safety}" for Kitchen, @ravi due 2030-01-18 12:00`);
    expect(textOf(twin)).toMatch(
      new RegExp(
        `⚠️ 1 of these people has to take it for another campaign already: started by <@${ada.id}>, due <!date`,
      ),
    );
    expect(textOf(twin)).toMatch(/From Kitchen: \d+ of the \d+ people who are in it now/);
    await startShown(tom.id, twin);
    // It was shown before: nothing new is to be confirmed.
    const asked = await reply(ada.id, '/quiz-campaign show workplace');
    const labels = (asked.blocks ?? []).flatMap((block) =>
      block.type === 'actions'
        ? block.elements.flatMap((element) => (element.type === 'button' ? [element.text.text] : []))
        : [],
    );
    expect(labels).toEqual([
      'Workplace safety basics, due 18 Jan 2030, 12:00, by Tom Lindqvist',
      'Workplace safety basics, due 14 Jan 2030, 12:00, by Ada Okafor',
    ]);
    expect(actionIdOf(asked, labels[0]!)).toBe('choose:show-campaign');
  },
);

test.each(storyStores)(
  'over %s, a preview counts who takes part of a group, names who hears of late people, and says when others have it due',
  async (store) => {
    const { preview, startShown, account, testBed, clock } = await openCampaigns(store);
    const kitchen = testBed.quizService.database
      .all<{ user_name: string; suspended: number }>(
        "SELECT user_name, suspended FROM users JOIN user_groups USING (user_id) JOIN groups USING (group_id) WHERE group_name = 'Kitchen' ORDER BY suspended",
      )
      .map(({ user_name, suspended }) => ({ name: user_name.split('@')[0]!, suspended }));
    const passing = kitchen.slice(1).filter(({ suspended }) => suspended === 0);
    for (const { name } of passing) account.pass(name, safety, clock.now());

    const round = textOf(
      await preview(tom.id, `"${safety}" for Kitchen due in 2 weeks escalate 1d to @ada complete when passed`),
    );
    expect(round).toContain(`From Kitchen: 1 of the ${kitchen.length} people who are in it now.`);
    expect(round.match(/\d+ (people|person) passed it already/g)).toEqual([
      `${passing.length} people passed it already`,
    ]);
    expect(round).toMatch(/To Ada Okafor 1 day after it’s due/);

    await startShown(
      ada.id,
      await preview(ada.id, `"${safety}" for Kitchen within 14d valid 12 months complete when passed`),
    );
    const twin = textOf(await preview(tom.id, `"${safety}" for Kitchen due in 4 weeks complete when passed`));
    expect(twin).toMatch(/This person has to take it for another campaign already: started by <[^>]*>, due <!date/);
  },
);

test.each(storyStores)(
  'over %s, an ongoing campaign assigns its quiz to those who need it, and to others before they have to renew their pass',
  async (store) => {
    const { preview, startShown, account, testBed, clock, workspace } = await openCampaigns(store, {
      beforeStart: async (_, started) => inTheAccount(started).forgetAttempts(),
    });
    const day = 24 * hourMs;
    account.pass('maya', safety, clock.now() - 331 * day);
    const line = `"${safety}" for @ravi, @maya within 14d valid 12 months complete when passed`;
    const shown = await preview(ada.id, line);
    expect(textOf(shown)).toContain('1 person still needs the quiz');
    expect(textOf(shown)).toContain('Who has a pass that counts gets the quiz when it’s to be renewed.');
    await startShown(ada.id, shown);
    const assigned = () =>
      testBed.quizService.database
        .all<{ user_name: string }>('SELECT user_name FROM users JOIN user_quizzes USING (user_id)')
        .map(({ user_name }) => user_name.split('@')[0]);
    await workspace.until(() => workspace.directMessages(ravi.id)[0]);
    expect(assigned()).toEqual(['ravi']);
    await clock.skip(3.5 * day);
    await workspace.until(() => (assigned().includes('maya') ? true : undefined));
  },
);

test.each(storyStores)(
  'over %s, a quiz is closed and renamed with a word on the campaign that runs for it',
  async (store) => {
    const { preview, startShown, reply, workspace } = await openCampaigns(store);
    await startShown(ada.id, await preview(ada.id, `"${safety}" for @ravi, @maya due 2030-01-14 12:00`));

    const renamed = textOf(await reply(tom.id, '/quiz rename workplace to Safety at work'));
    expect(renamed).toContain('Renamed *Workplace safety basics* to *Safety at work*. Its campaign shows the new name');
    const asked = await reply(tom.id, '/quiz close "Safety at work"');
    expect(textOf(asked)).toMatch(
      /1 campaign is running for \*Safety at work\* \(due <[^>]*\|14 Jan 2030, 12:00>, by \*Ada Okafor\*\): it would pause, and its 2 people get no messages until it’s open again\./,
    );
    await workspace.as(tom.id).click(locationOf(asked), 'choose:confirmed');
    await workspace.until(() =>
      workspace
        .ephemerals(tom.id)
        .find((message) => textOf(message).includes('Its campaign pauses: 2 people get no messages until it’s open')),
    );
    const held = await preview(tom.id, '"Safety at work" for @hana due in 2 weeks');
    expect(textOf(held)).toContain('The first messages would go out once the quiz is open.');
  },
);

test.each(storyStores)('over %s, a campaign is not started after its due time', async (store) => {
  const { clock, workspace, preview } = await openCampaigns(store);
  const shown = await preview(ada.id, `"${safety}" for @ravi due 2030-01-07 15:00`);
  await clock.skip(5 * hourMs);
  await workspace.as(ada.id).click(locationOf(shown), 'choose:run-campaign');
  const refused = await workspace.until(() =>
    workspace.ephemerals(ada.id).find((message) => textOf(message).includes('is over. Press “Change…”')),
  );
  expect(textOf(refused)).toContain('|Mon 7 Jan, 15:00>, is over.');
});
