import { expect, inject, onTestFinished, test } from 'vitest';
import { createSandboxClock, quarterDaySteps } from '../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { locationOf } from '../support/results.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, ravi, hana } = people;
const hourMs = 60 * 60_000;
const sundayEvening = Date.UTC(2030, 0, 6, 22);

test('two campaigns write one message a day, in the hours of each person and not in do-not-disturb, and a snoozed reminder comes the next day', async () => {
  const clock = createSandboxClock(sundayEvening - Date.now(), quarterDaySteps);
  const testBed = await openProcessTestBed({
    installation: inject('installation'),
    store: 'sqlite',
    account: inject('account') ?? 'smooth',
    clock,
    env: { ALERTS_CHANNEL: '' },
  });
  onTestFinished(() => testBed.close());
  const { workspace } = testBed;
  testBed.quizService.database.run('DELETE FROM responses');
  for (const quiz of ['workplace safety', 'data protection']) {
    const preview = await (
      await workspace
        .as(ada.id)
        .command(`/quiz-campaign start "${quiz}" for @ravi, @hana due 2030-01-09 12:00 remind 1d`)
    ).reply();
    await workspace.as(ada.id).click(locationOf(preview), 'choose:run-campaign');
    await workspace.until(() =>
      workspace.ephemerals(ada.id).find(({ ts, text }) => ts === preview.ts && text.includes('Started a campaign')),
    );
  }
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
