import { expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { storyStores } from '../support/many-changes.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';
import { locationOf } from '../support/results.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';

const { ada, ravi, nora, rosa, hana } = people;
const hourMs = 60 * 60_000;
const sundayEvening = Date.UTC(2030, 0, 6, 22);
const minuteMs = 60_000;
const nextSunday = Date.UTC(2030, 0, 13, 21);

/** Several days pass, in messages that come at their times. */
test.each(storyStores)(
  'over %s, a campaign says of each person what arrived and what did not, and why',
  async (store) => {
    const { clock, workspace, start, reply, report } = await openSkippedCampaigns(store, sundayEvening);
    await start(ada.id, '"Workplace safety" for @ravi, @nora, @rosa due 2030-01-11 12:00 remind 3d, 1d');
    workspace.setPerson({ ...people.rosa, isDeleted: true });
    await clock.skip(16 * hourMs);
    await clock.skip(48 * hourMs);

    const show = async () => textOf(await reply(ada.id, '/quiz-campaign show workplace'));
    await expect.poll(show).toContain('not reached: nobody in Slack has their address');
    const shown = await show();
    expect(shown).toMatch(/Nora.*reminded/);
    expect(shown).toMatch(/Rosa Almeida · not reached: nobody in Slack has their address/);

    const rows = await report(ada.id, 'workplace');
    const cell = (name: string, title: string) => rows.get(name)?.[title];
    /** Slack’s times of the messages that a person got. */
    const gotAt = (id: string) =>
      workspace.directMessages(id).map(({ ts }) => new Date(Math.floor(Number(ts) * 1_000)).toISOString().slice(0, 16));
    for (const [name, { id }] of [
      ['Ravi Banerjee', ravi],
      ['Nora Fields', nora],
      ['Rosa Almeida', rosa],
    ] as const) {
      const arrived = [cell(name, 'First message (UTC)'), ...(cell(name, 'Reminded (UTC)') ?? '').split(' ')];
      expect(arrived.filter(Boolean).map((at) => at!.slice(0, 16))).toEqual(gotAt(id));
    }
    expect(cell('Rosa Almeida', 'Not reached')).toContain('nobody in Slack has their address');
    expect(cell('Nora Fields', 'Not reached')).toBe('');
  },
);

test.each(storyStores)(
  'over %s, who is suspended is told from the late on every screen, and is late again once they are back',
  async (store) => {
    const { clock, workspace, account, start, reply, report, written } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    await start(
      ada.id,
      '"Workplace safety" for @ravi, @nora due 2030-01-08 12:00 remind 1d overdue 1d board #training',
    );
    await clock.skip(16 * hourMs);
    account.change('nora', 'suspended = 1');
    await clock.skip(48 * hourMs);

    const read = async () => ({
      show: textOf(await reply(ada.id, '/quiz-campaign show workplace')),
      matrix: textOf(await reply(ada.id, '/quiz-campaign matrix')),
      today: textOf(await reply(ada.id, '/quiz today')),
      board: textOf(workspace.messages(channels.training.id).at(-1)),
      report: (await report(ada.id, 'workplace')).get('Nora Fields')?.['State'],
    });
    await expect.poll(read).toEqual({
      show: expect.stringMatching(/\*Overdue\*\\n1.*Can’t be reached\*\\n1.*📵 Nora Fields.*they are suspended/s),
      matrix: expect.stringMatching(/1 person is overdue.*📵 1 can’t be reached/s),
      today: expect.stringMatching(/1 person missed.*1 person can’t be reached by message/s),
      board: expect.stringMatching(/Overdue:\* Ravi Banerjee\b.*Can’t be reached by message:\* Nora Fields/s),
      report: 'missing, can’t be reached',
    });
    const before = written(people.nora.id).length;

    account.change('nora', 'suspended = 0');
    await clock.skip(25 * hourMs);
    await expect.poll(() => written(people.nora.id).length).toBeGreaterThan(before);
    const back = await read();
    expect(back).toEqual({
      show: expect.stringMatching(/\*Overdue\*\\n2/),
      matrix: expect.stringMatching(/2 people are overdue/),
      today: expect.stringMatching(/2 people missed/),
      board: expect.stringMatching(/Overdue:\* Nora Fields, Ravi Banerjee/),
      report: 'missing',
    });
    for (const text of Object.values(back)) expect(text).not.toMatch(/suspended|can’t be reached/i);
  },
);

/** Hana is not disturbed until 10:00, when it is 01:00 in UTC. */
test.each(storyStores)(
  'over %s, a message says what is so when it is posted: to take again where they failed, and nothing where they passed',
  async (store) => {
    const { clock, workspace, account, start, directMessage, written } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    const due = 'for @hana, @ravi due 2030-01-11 12:00 remind none complete when passed';
    await start(ada.id, `"Workplace safety" ${due}`);
    await start(ada.id, `"Data protection" ${due}`);
    await clock.skip(2.5 * hourMs);
    expect(written(hana.id)).toEqual([]);
    account.fail('hana', 'Workplace safety basics', 20, clock.now());
    account.pass('hana', 'Data protection refresher', clock.now());
    await clock.skip(hourMs);

    const message = await directMessage(hana.id, 'Workplace safety');
    expect(textOf(message)).toMatch(/You haven’t passed \*Workplace safety basics\* yet.*try again.*Take again/s);
    expect(workspace.directMessages(hana.id)).toHaveLength(1);
    expect(textOf(message)).not.toContain('Data protection');
  },
);

test('two campaigns write one message a day, in the hours of each person and not in do-not-disturb, and a snoozed reminder comes the next day', async () => {
  const { clock, workspace, start } = await openSkippedCampaigns('SQLite', sundayEvening);
  for (const quiz of ['workplace safety', 'data protection'])
    await start(ada.id, `"${quiz}" for @ravi, @hana due 2030-01-09 12:00 remind 1d`);
  /** What the bot wrote to a person: when on their clock, and how many quizzes it names. */
  const messagesTo = ({ id, timeZone }: { id: string; timeZone: string }) =>
    workspace.directMessages(id).map((message) => {
      const text = textOf(message);
      const at = new Intl.DateTimeFormat('en', {
        weekday: 'short',
        hour: '2-digit',
        hourCycle: 'h23',
        timeZone,
      }).format(Number(message.ts) * 1_000);
      const quizzes = ['Workplace safety basics', 'Data protection refresher'].filter((quiz) =>
        text.includes(`*${quiz}*`),
      );
      return `${at}: ${quizzes.length}${text.includes('Reminder') ? ' reminders' : ''}`;
    });

  // Monday, 13:00 in UTC and 22:00 in Tokyo.
  await clock.skip(15 * hourMs);
  expect([messagesTo(ravi), messagesTo(hana)]).toEqual([['Mon, 09: 2'], ['Mon, 10: 2']]);
  await clock.skip(24 * hourMs);
  expect([messagesTo(ravi), messagesTo(hana)]).toEqual([['Mon, 09: 2', 'Tue, 12: 2 reminders'], ['Mon, 10: 2']]);

  await workspace.as(ravi.id).click(workspace.directMessages(ravi.id).at(-1)!, 'button:snooze-reminders');
  await workspace.until(() =>
    textOf(workspace.directMessages(ravi.id).at(-1)).includes('You’ll be reminded again on your next working day.'),
  );
  await clock.skip(24 * hourMs);
  expect([messagesTo(ravi), messagesTo(hana)]).toEqual([
    ['Mon, 09: 2', 'Tue, 12: 2 reminders', 'Wed, 09: 2 reminders'],
    ['Mon, 10: 2', 'Wed, 10: 2 reminders'],
  ]);
});

const quizzes = Array.from({ length: 11 }, (_, index) => `Drill ${index + 101}`);

/** A night passes. */
test.each(storyStores)(
  'over %s, escalations of several campaigns that fall into Sunday night reach the lead on Monday in one message',
  async (store) => {
    const { clock, workspace, start } = await openSkippedCampaigns(store, nextSunday, {
      async beforeStart(_, { quizService: { database } }) {
        const date_created = '2030-01-01 00:00:00';
        for (const name of quizzes)
          addQuiz(database, { quiz_id: crypto.randomUUID(), name, status: 'open', date_created });
      },
    });
    for (const [index, name] of quizzes.entries()) {
      await start(ada.id, `"${name}" for @ravi due 2030-01-13 22:${10 + index} remind none escalate 1h`);
      await clock.skip(3 * minuteMs);
    }
    await clock.skip(13 * 60 * minuteMs);

    const missing = () =>
      workspace.directMessages(ada.id).filter((message) => textOf(message).includes('Ravi Banerjee'));
    const message = await workspace.until(() => missing()[0]);
    expect(missing().map(({ ts }) => new Date(Number(ts) * 1000).toISOString().slice(0, 13))).toEqual([
      '2030-01-14T09',
    ]);
    expect(quizzes.filter((name) => !textOf(message).includes(`*${name}*`))).toEqual([]);
    const excusing = JSON.stringify(message).match(/"operation\\":\\"excuse-campaign.+?\}\}/g) ?? [];
    expect(new Set(excusing).size).toBe(quizzes.length);

    const [about, buttons] = message.blocks?.slice(-2) ?? [];
    const name = quizzes.find((quiz) => JSON.stringify(about).includes(quiz));
    const click = { block: buttons?.block_id, action: 'ask:remind-campaign' };
    const answer = await (await workspace.as(ada.id).click(locationOf(message), click)).reply();
    expect(textOf(answer)).toContain(`Scheduled a reminder about *${name}*`);
  },
);

test.each(storyStores)('over %s, an escalation tells those apart whom no message reaches', async (store) => {
  const { clock, workspace, start, directMessage } = await openSkippedCampaigns(store, nextSunday);
  await start(ada.id, '"Workplace safety" for @ravi, @rosa due 2030-01-15 12:00 remind none escalate 1h');
  workspace.setPerson({ ...rosa, isDeleted: true });
  await clock.skip(41 * 60 * minuteMs);

  const told = textOf(await directMessage(ada.id, 'still has to take'));
  expect(told).toMatch(/1 person still has to take \*Workplace safety basics\*/);
  expect(told).toMatch(/"text":"Ravi Banerjee/);
  expect(told).toMatch(/Can’t be reached by message:\* Rosa Almeida/);
});
