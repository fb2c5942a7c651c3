import { expect, test, describe } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { inTheAccount, storyStores } from '../support/many-changes.ts';
import { safetyQuiz, actionIdOf, locationOf } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, ravi, nora, rosa, maya } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const wednesdayEvening = Date.UTC(2030, 0, 9, 22);
const mondayMorning = Date.UTC(2030, 0, 7, 11);
const privacyQuiz = 'Data protection refresher';

const cameAt = ({ ts }: Message) => new Date(Number(ts) * 1_000).toISOString().slice(0, 13);

test.each(storyStores)(
  'over %s, counts add up everywhere and go by what the service has, and a reminder comes before a due time on a Sunday or Monday morning',
  async (store) => {
    const { clock, workspace, testBed, account, reply, start, posted, report } = await openSkippedCampaigns(
      store,
      wednesdayEvening,
      {
        env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
        beforeStart: async (_, started) => inTheAccount(started).forgetAttempts(),
      },
    );
    const ofSafety = `"${safetyQuiz}" for @ravi, @nora, @rosa due 2030-01-14 09:00 remind 1d board #training complete when passed`;
    const ofPrivacy = `"${privacyQuiz}" for @maya due 2030-01-13 12:00 remind 1d`;
    await start(ada.id, ofSafety);
    await start(tom.id, ofPrivacy);
    await clock.skip(15 * hourMs);

    account.pass('ravi', safetyQuiz, clock.now());
    account.pass('rosa', safetyQuiz, clock.now());
    account.fail('nora', safetyQuiz, 200 / 3, clock.now());
    const rows = await report(ada.id, 'workplace');
    expect([...rows.values()].map(({ Person, State, Result }) => `${Person}: ${State}, ${Result}`).toSorted()).toEqual([
      'Nora Fields: missing, failed',
      'Ravi Banerjee: done, passed',
      'Rosa Almeida: done, passed',
    ]);
    const board = textOf(await posted(channels.training.id, '2 of 3 passed (66.7%)'));
    expect(board).toContain('*Missing*\\n0');
    expect(board).toContain('*Not passed*\\n1');
    const shown = textOf(await reply(ada.id, '/quiz-campaign show workplace'));
    for (const fact of ['*Passed*\\n2 of 3 people', '*Missing*\\n0', '*Not passed*\\n1', 'failed with 66.7%'])
      expect(shown).toContain(fact);
    const missing = textOf(await reply(ada.id, '/quiz missing workplace'));
    expect(missing).toContain(`1 of 3 people took *${safetyQuiz}* and didn’t pass.`);
    expect(missing).toContain('Nora Fields · not passed');
    expect(textOf(await reply(ada.id, '/quiz results workplace'))).toContain('66.7%');

    const { ask, approve } = approvalActions(testBed);
    const request = await ask(ada.id, '/quiz delete-response workplace of nora --reason Cheated');
    expect(textOf(request)).toContain('66.7%');
    expect(
      await approve(tom.id, await ask(ada.id, '/quiz delete-response workplace of ravi --reason Cheated')),
    ).toContain('Deleted');
    await posted(channels.training.id, '1 of 3 passed (33.3%)');
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toContain('*Missing*\\n1');
    account.forget('rosa', safetyQuiz);
    await clock.skip(33 * hourMs + hourMs / 2);

    await posted(channels.training.id, '0 of 3 passed');
    expect([...(await report(ada.id, 'workplace')).values()].map(({ State }) => State)).toEqual(
      Array.from({ length: 3 }, () => 'missing'),
    );
    const reminderTo = async ({ id }: { id: string }) => {
      await workspace.until(() => workspace.directMessages(id)[1]);
      const [first, reminder, ...others] = workspace.directMessages(id);
      expect([textOf(first).includes('asks you to take'), others]).toEqual([true, []]);
      return reminder!;
    };
    for (const person of [ravi, rosa]) expect(textOf(await reminderTo(person))).toContain('Reminder from');
    expect(textOf(await reminderTo(nora))).toMatch(/You haven’t passed .* asks you to try again by .*Take again/);
    const reminders = await Promise.all([ravi, rosa, nora, maya].map(reminderTo));
    expect(reminders.map(cameAt)).toEqual(['2030-01-11T17', '2030-01-11T17', '2030-01-11T17', '2030-01-11T22']);
  },
);

test('the board says how many will be done by the due time from the second day on, and afterwards what it came to', async () => {
  const { clock, account, start, posted, report } = await openSkippedCampaigns('SQLite', wednesdayEvening, {
    beforeStart: async (_, started) => inTheAccount(started).forgetAttempts(),
  });
  await start(
    ada.id,
    `"${safetyQuiz}" for @ravi, @nora, @rosa, @maya, @uma, "Gabriel Nunes" due 2030-01-18 12:00 remind none board #training complete when passed`,
  );
  await clock.skip(24 * hourMs);
  account.pass('ravi', safetyQuiz, clock.now());
  await report(ada.id, 'workplace');
  expect(textOf(await posted(channels.training.id, '1 of 6 passed'))).not.toContain('pace');

  await clock.skip(36 * hourMs);
  account.pass('rosa', safetyQuiz, clock.now());
  await report(ada.id, 'workplace');
  const board = textOf(await posted(channels.training.id, '2 of 6 passed'));
  expect(board).toMatch(/At today’s pace, about [345] of 6 by .*Fri 18 Jan.*, most likely \d to \d\./);
  expect(board).toContain('"name":"On time for 18 Jan"');
  expect(board).not.toContain('Everyone');

  await clock.skip(8 * 24 * hourMs);
  account.pass('nora', safetyQuiz, clock.now());
  await report(ada.id, 'workplace');
  const late = textOf(await posted(channels.training.id, '3 of 6 passed'));
  expect(late).toContain('2 of them by the due time, 1 later.');
  expect(late).not.toContain('pace');
});

test('the board of a campaign that is over says what it came to, and of whom it speaks', async () => {
  const { clock, account, start, reply, press, posted, report } = await openSkippedCampaigns(
    'SQLite',
    wednesdayEvening,
    {
      beforeStart: async (_, started) => inTheAccount(started).forgetAttempts(),
    },
  );
  await start(
    ada.id,
    `"${safetyQuiz}" for @ravi, @nora, @rosa, @maya due 2030-01-14 09:00 remind none board #training complete when passed`,
  );
  await clock.skip(15 * hourMs);
  account.pass('ravi', safetyQuiz, clock.now());
  account.fail('nora', safetyQuiz, 40, clock.now());
  await clock.skip(6 * 24 * hourMs);
  await report(ada.id, 'workplace');
  await press(ada.id, await reply(ada.id, '/quiz-campaign end workplace'), 'End anyway');
  const board = textOf(await posted(channels.training.id, /is over.*🎯 1 by the due time\./s));
  for (const fact of ['*Didn’t take it*\\n2', '*Not passed*\\n1']) expect(board).toContain(fact);
  expect(board).not.toMatch(/Missing|Overdue/);
});

test.each(storyStores)(
  'over %s, who failed reads it after the campaign, with the way on, while the quiz is open',
  async (store) => {
    const { clock, account, start, reply, press } = await openSkippedCampaigns(store, wednesdayEvening);
    await start(ada.id, `"${safetyQuiz}" for @rosa due 2030-01-14 09:00 complete when passed`);
    await clock.skip(15 * hourMs);
    account.fail('rosa', safetyQuiz, 40, clock.now());
    await press(ada.id, await reply(ada.id, '/quiz-campaign end workplace'), 'End anyway');
    await expect
      .poll(async () => textOf(await reply(people.rosa.id, '/quiz today')))
      .toMatch(new RegExp(`You haven’t passed \\*${safetyQuiz}\\* yet.*Take again`, 's'));
    account.setStatus(safetyQuiz, 'closed');
    await clock.skip(hourMs);
    await expect.poll(async () => textOf(await reply(people.rosa.id, '/quiz today'))).not.toMatch(/You haven’t passed/);
  },
);

test('who is reminded reads who gets a reminder, when, and whom no message reaches', async () => {
  const { clock, reply, start } = await openSkippedCampaigns('SQLite', wednesdayEvening, {
    beforeStart: async (_, started) => inTheAccount(started).forgetAttempts(),
  });
  await start(
    ada.id,
    `"${safetyQuiz}" for @ravi, @nora, "Gabriel Nunes" due 2030-01-18 12:00 remind none complete when passed`,
  );
  await clock.skip(15 * hourMs);
  const said = textOf(await reply(ada.id, '/quiz-campaign remind workplace'));
  expect(said).toMatch(
    /Scheduled reminders about \*Workplace safety basics\* for 2 people: \*(Ravi Banerjee|Nora Fields)\* and \*(Ravi Banerjee|Nora Fields)\*\. They go out .*Fri 11 Jan.*\. No message reaches \*Gabriel Nunes\*: nobody in Slack has their address\./,
  );
  expect(textOf(await reply(ada.id, '/quiz-campaign remind gabriel nunes'))).toMatch(
    /Nobody of \*Gabriel Nunes\* is left to remind .*\. No message reaches \*Gabriel Nunes\*: nobody in Slack/,
  );
});

test('the board of an ongoing campaign says a day once, and no name twice', async () => {
  const { clock, start, posted } = await openSkippedCampaigns('SQLite', wednesdayEvening, {
    beforeStart: async (_, started) => inTheAccount(started).forgetAttempts(),
  });
  await start(ada.id, `"${safetyQuiz}" for @ravi, @nora, @rosa within 3d remind none board #training`);
  const names = 'Nora Fields, Ravi Banerjee, Rosa Almeida';
  const isOnce = async (label: string) => {
    const board = textOf(await posted(channels.training.id, label));
    expect(board).toMatch(new RegExp(`\\*${label}\\* <!date\\^\\d+\\^[^>]*>: ${names}"`));
    for (const name of names.split(', ')) expect(board.split(name)).toHaveLength(2);
  };
  await isOnce('Due:');
  await clock.skip(4 * 24 * hourMs);
  await isOnce('Overdue, due since:');
});

test.each(storyStores)(
  'over %s, a pass that is valid at the due time counts, and one that is not is to be renewed',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning);
    const { clock, workspace, account, reply, startShown, posted, report } = bed;
    account.pass('ravi', safetyQuiz, Date.UTC(2029, 2, 1, 10));
    account.pass('rosa', safetyQuiz, Date.UTC(2029, 0, 10, 10));
    account.fail('nora', safetyQuiz, 40, Date.UTC(2029, 2, 1, 10));

    const preview = await reply(
      ada.id,
      `/quiz-campaign start "${safetyQuiz}" for @ravi, @rosa, @nora due 2030-01-31 valid 12 months board #training`,
    );
    const said = textOf(preview);
    expect(said).toContain('*A pass counts*\\nFor 12 months');
    expect(said).toContain(
      '1 person passed it, which doesn’t count any more when it’s due. Valid until: Rosa Almeida (10 Jan 2030).',
    );
    expect(said).toContain('1 person passed it already. Valid until: Ravi Banerjee (1 Mar 2030).');
    await workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'View all'));
    const all = await workspace.until(() =>
      workspace.views(ada.id).find((view) => textOf(view).includes('2 people take part')),
    );
    expect(textOf(all)).toMatch(/Rosa Almeida[^•]+valid until 10 Jan 2030/);
    expect(textOf(all)).toContain('Ravi Banerjee · left out: valid until 1 Mar 2030');

    await startShown(ada.id, preview);
    await posted(channels.training.id, '0 of 2 passed');
    for (const { id } of [rosa, nora]) await bed.directMessage(id, safetyQuiz);
    expect(workspace.directMessages(ravi.id)).toEqual([]);
    const before = await report(ada.id, 'workplace');
    expect(before.get('Rosa Almeida')).toMatchObject({
      State: 'missing',
      Result: '',
      'Valid until (UTC)': '2030-01-11T00:00:00.000Z',
    });

    await clock.skip(dayMs);
    account.pass('rosa', safetyQuiz, clock.now());
    const after = await report(ada.id, 'workplace');
    expect(after.get('Rosa Almeida')).toMatchObject({
      State: 'done',
      Result: 'passed',
      'Valid until (UTC)': '2031-01-09T00:00:00.000Z',
    });
    await posted(channels.training.id, '1 of 2 passed');
  },
);

test('with one date for everyone, a pass of the month before it counts until the year after', async () => {
  const bed = await openSkippedCampaigns('SQLite', mondayMorning);
  const { clock, account, reply } = bed;
  account.pass('ravi', safetyQuiz, Date.UTC(2030, 0, 2, 10));
  account.pass('rosa', safetyQuiz, Date.UTC(2029, 10, 2, 10));
  const line = `"${safetyQuiz}" for @ravi, @rosa, @nora due 15 feb valid until 31 jan`;
  const said = textOf(await reply(ada.id, `/quiz-campaign start ${line}`));
  expect(said).toContain('*A pass counts*\\nUntil 31 Jan');
  expect(said).toContain('Ravi Banerjee (31 Jan 2031)');
  expect(said).toContain('Rosa Almeida (31 Jan 2030)');

  await bed.start(ada.id, line);
  account.pass('rosa', safetyQuiz, clock.now());
  account.fail('nora', safetyQuiz, 40, clock.now());
  const rows = await bed.report(ada.id, 'workplace');
  expect(rows.get('Rosa Almeida')).toMatchObject({ State: 'done', 'Valid until (UTC)': '2031-02-01T00:00:00.000Z' });
  expect(rows.get('Nora Fields')).toMatchObject({ State: 'missing', Result: 'failed', 'Valid until (UTC)': '' });
});

describe('the message of Monday', () => {
  test.each(storyStores)(
    'over %s, who answers for a campaign reads on Monday what was done, who is overdue, what expires and what most got wrong, once, until they turn it off',
    async (store) => {
      const { clock, workspace, account, start, directMessage, press } = await openSkippedCampaigns(
        store,
        wednesdayEvening,
        { beforeStart: async (_, started) => inTheAccount(started).forgetAttempts() },
      );
      await start(
        ada.id,
        `"${safetyQuiz}" for @ravi, @nora due 2030-01-11 12:00 remind none escalate none complete when passed`,
      );
      account.pass('rosa', 'Food hygiene, level 2', Date.UTC(2029, 0, 30, 10));
      await start(ada.id, '"Food hygiene" for @rosa within 14d valid 12 months renew 5d');
      await clock.skip(24 * hourMs);
      account.pass('ravi', safetyQuiz, clock.now());
      // Nobody asks for the questions: the answers are read in the background.
      for (const name of ['tom', 'uma', 'erin', 'rosa']) account.fail(name, safetyQuiz, 40, clock.now());
      await clock.skip(4 * 24 * hourMs);

      const message = await directMessage(ada.id, 'The week in your campaigns');
      expect(new Date(Number(message.ts) * 1_000).toISOString()).toMatch(/^2030-01-14T/);
      const text = textOf(message);
      expect(text).toContain(`✅ Done last week: 1 person · ${safetyQuiz} 1`);
      expect(text).toContain(`⏰ *${safetyQuiz}*: 1 person is overdue. Nora Fields`);
      expect(text).toContain('🔁 Within 30 days: 1 pass expires · Food hygiene, level 2 1');
      expect(text).toContain(`❓ *${safetyQuiz}*: 5 of 5 got this question wrong: `);
      expect(text).toContain('"Questions"');
      for (const { id } of [tom, rosa])
        expect(JSON.stringify(workspace.directMessages(id))).not.toContain('The week in');

      await press(ada.id, message, 'Stop these messages');
      const weeks = () => workspace.directMessages(ada.id).filter((one) => textOf(one).includes('The week in')).length;
      await clock.skip(8 * 24 * hourMs);
      expect(weeks()).toBe(1);

      const home = async (words: string) => {
        await workspace.as(ada.id).openHome();
        return workspace.until(() => {
          const view = workspace.home(ada.id);
          return view && textOf(view).includes(words) ? view : undefined;
        });
      };
      const off = await home('Turn the message of Monday on');
      await workspace.as(ada.id).click({ view: off }, actionIdOf(off, 'Turn the message of Monday on'));
      expect(textOf(await home('Stop the message of Monday'))).not.toContain('Turn the message of Monday on');
      await clock.skip(7 * 24 * hourMs);
      await expect.poll(weeks).toBe(2);
    },
  );
});
