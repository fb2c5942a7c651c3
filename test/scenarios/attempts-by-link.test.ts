import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { webhookSecret } from '../support/event.ts';
import { inTheAccount, stores } from '../support/many-changes.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { textOf } from '../support/test-bed.ts';
import { safetyQuiz } from '../support/results.ts';

const { ada, ravi } = people;
const hourMs = 60 * 60_000;
const wednesdayMorning = Date.UTC(2030, 0, 9, 10);
const forklift = 'Forklift theory test';

test.each(stores)(
  'over %s, a quiz taken by its link without signing in is taken on every screen, and for reminders',
  async (store) => {
    const { clock, workspace, testBed, reply, start, report } = await openSkippedCampaigns(store, wednesdayMorning, {
      beforeStart: async (_, started) => {
        inTheAccount(started).forgetAttempts();
        started.quizService.database.run("UPDATE quizzes SET status = 'open'");
        started.quizService.database.run(
          "UPDATE users SET email_address = 'Ravi@Elsewhere.example' WHERE user_name = 'ravi@quiz.example'",
        );
      },
    });
    const { quizService, bots } = testBed;
    quizService.setWebhook({ url: `${bots[0]!.url}/webhooks/quiz`, secret: webhookSecret });
    const idOf = (name: string) =>
      quizService.database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name])!.quiz_id;
    for (const quiz of [safetyQuiz, forklift])
      await start(ada.id, `"${quiz}" for @ravi, @nora due 2030-01-14 09:00 remind 1d complete when submitted`);
    await clock.skip(hourMs);
    // By the address that he has in the service, in any case of letters.
    await takeQuiz(quizService.url, idOf(safetyQuiz), 'RAVI@elsewhere.EXAMPLE');

    await expect
      .poll(async () => textOf(await reply(ada.id, '/quiz-campaign show workplace')))
      .toContain('*Missing*\\n1');
    expect(textOf(await reply(ada.id, '/quiz missing workplace'))).toContain(
      `1 of 2 people hasn’t taken *${safetyQuiz}*`,
    );
    const mine = textOf(await reply(ravi.id, '/quiz mine'));
    expect(mine).toMatch(/Forklift theory test\*[^"]*not taken/);
    expect(mine).toMatch(/Workplace safety basics\* · (?:✅|❌)/u);
    expect((await report(ada.id, 'workplace')).get('Ravi Banerjee')?.['State']).toBe('done');

    await clock.skip(5 * 24 * hourMs);
    const reminders = workspace
      .directMessages(ravi.id)
      .map(textOf)
      .filter((text) => text.includes('Reminder'));
    expect(reminders.filter((text) => text.includes(forklift))).toHaveLength(1);
    expect(reminders.filter((text) => text.includes(safetyQuiz))).toEqual([]);
  },
);
