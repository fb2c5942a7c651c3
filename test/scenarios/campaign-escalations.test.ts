import { expect, test } from 'vitest';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { storesFor } from '../support/many-changes.ts';
import { locationOf } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const stores = storesFor(import.meta.filename);

const { ada, rosa } = people;
const minuteMs = 60_000;
const sundayEvening = Date.UTC(2030, 0, 13, 21);

const quizzes = Array.from({ length: 11 }, (_, index) => `Drill ${index + 101}`);

/** A night passes. */
test.each(stores)(
  'over %s, escalations of several campaigns that fall into Sunday night reach the lead on Monday in one message',
  async (store) => {
    const { clock, workspace, start } = await openSkippedCampaigns(store, sundayEvening, {
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

test.each(stores)('over %s, an escalation tells those apart whom no message reaches', async (store) => {
  const { clock, workspace, start, directMessage } = await openSkippedCampaigns(store, sundayEvening);
  await start(ada.id, '"Workplace safety" for @ravi, @rosa due 2030-01-15 12:00 remind none escalate 1h');
  workspace.setPerson({ ...rosa, isDeleted: true });
  await clock.skip(41 * 60 * minuteMs);

  const told = textOf(await directMessage(ada.id, 'still has to take'));
  expect(told).toMatch(/1 person still has to take \*Workplace safety basics\*/);
  expect(told).toMatch(/"text":"Ravi Banerjee/);
  expect(told).toMatch(/Can’t be reached by message:\* Rosa Almeida/);
});
