import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { storesFor } from '../support/many-changes.ts';
import { quizId, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, rosa } = people;
const dayMs = 24 * 3_600_000;
const monday = Date.UTC(2030, 0, 7, 11);
const quizzes = [safetyQuiz, 'Data protection refresher', 'Forklift theory test'];

test.each(storesFor(import.meta.filename))(
  'over %s, a year of six quizzes brings somebody punctual under 15 messages',
  async (store) => {
    const bed = await openSkippedCampaigns(store, monday);
    const { testBed, workspace, account, clock, start, directMessage, written, skipStopped } = bed;
    for (let round = 0; round < 6; round += 1) {
      const quiz = quizzes[round % quizzes.length]!;
      account.forget('rosa', quiz);
      expect(await start(ada.id, `"${quiz}" for @rosa due in 2 weeks`)).toContain('Started a campaign');
      await workspace.until(() => written(rosa.id).filter((line) => line.includes('asks you to take')).length > round);
      await clock.skip(2 * dayMs);
      account.pass('rosa', quiz, clock.now());
      const now = new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ');
      await sendEvent(
        testBed.bots[0]!.url,
        eventBody(
          { event_id: `e-${round}` },
          {
            quiz_id: quizId(testBed, quiz),
            quiz_name: quiz,
            response_id: `r-${round}`,
            user_id: account.userId('rosa'),
            user_name: rosa.email,
            email_address: rosa.email,
            pass: true,
            date_submitted: now,
          },
        ),
      );
      await workspace.until(() => written(rosa.id).filter((line) => line.includes('You passed')).length > round);
      await skipStopped(58 * dayMs);
      console.log(round, Date.now());
    }
    await directMessage(rosa.id, 'asks you to take');
    const texts = workspace.directMessages(rosa.id).map(textOf);
    console.log(written(rosa.id));
    expect(texts.length).toBeGreaterThanOrEqual(6);
    expect(texts.length).toBeLessThan(15);
  },
  300_000,
);
