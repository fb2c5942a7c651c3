import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { storyStores } from '../support/many-changes.ts';
import { quizId, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';
import { runStep, untilEnded, withSteps } from '../support/workflow-steps.ts';

const { ada, erin, hana, ravi, rosa, tom } = people;
const hourMs = 60 * 60_000;
const mondayMorning = Date.UTC(2030, 0, 7, 10);

/** Two hours pass. */
test.each(storyStores)(
  'over %s, a wait goes on over a pass of years ago unless that counts, and ends by name where user or quiz is gone',
  async (store) => {
    const { clock, testBed, account } = await openSkippedCampaigns(store, mondayMorning, {
      ...withSteps.workspace,
      env: { ...withSteps.env, APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
    });
    const [safety, protection] = [quizId(testBed, safetyQuiz), quizId(testBed, 'Data protection refresher')];
    account.pass('ravi', safetyQuiz, Date.UTC(2027, 0, 7, 10));

    const wait = async (quiz: string, person: string, more = {}) =>
      runStep(testBed, ada.id, 'wait_for_result', { quiz, person, until_passed: true, ...more });
    const anyTime = await wait(safety, ravi.id, { any_time: true });
    const sinceNow = await wait(safety, ravi.id);
    const ofHana = await wait(safety, hana.id);
    const ofQuiz = await wait(protection, ravi.id);
    const ofDeleted = await wait(safety, rosa.id);
    expect(await untilEnded(testBed, anyTime)).toMatchObject({
      state: 'completed',
      outputs: { result: 'passed', in_time: true },
    });
    await clock.skip(hourMs / 4);

    const { ask, approve } = approvalActions(testBed);
    expect(await approve(tom.id, await ask(ada.id, '/quiz-user delete rosa almeida --reason Left'))).toContain(
      'Deleted the user',
    );
    expect(await untilEnded(testBed, ofDeleted)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('“Rosa Almeida” isn’t in the quiz account any more'),
    });

    const hanaId = account.userId('hana');
    account.remove('hana');
    account.removeQuiz('Data protection refresher');
    await clock.skip(2 * hourMs);
    expect(await untilEnded(testBed, ofHana)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('“Hana Kobayashi” isn’t in the quiz account any more'),
    });
    expect(await untilEnded(testBed, ofQuiz)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('“Data protection refresher” isn’t in the quiz account any more'),
    });
    expect([ofHana.error, ofQuiz.error].join()).not.toMatch(new RegExp(`${hanaId}|${protection}`));
    expect(sinceNow.state).toBe('running');
  },
);

describe('a result that is marked later', () => {
  const minuteMs = 60_000;
  const unmarked = { points: 0, percentage_score: 0, grade: '', pass: 0 };
  const marked = { points: 9, percentage_score: 90, grade: 'A', pass: 1 };

  test('a result that a person marks days later is on the board, and ends the wait of a workflow, within the hour', async () => {
    const { clock, workspace, testBed, account, start, posted } = await openSkippedCampaigns('SQLite', mondayMorning, {
      ...withSteps.workspace,
      env: withSteps.env,
    });
    const { database } = testBed.quizService;
    const [quiz_id, quiz_name, user_id] = [quizId(testBed, safetyQuiz), safetyQuiz, account.userId('ravi')];
    // Others have been graded, so people have to pass.
    account.fail('nora', safetyQuiz, 40);
    await start(ada.id, `"${safetyQuiz}" for @ravi due 2030-01-31 board #training`);
    const run = await runStep(testBed, erin.id, 'wait_for_result', {
      quiz: quiz_id,
      person: ravi.id,
      until_passed: true,
    });
    const board = () => workspace.messages(channels.training.id).map(textOf).join();
    await posted(channels.training.id, safetyQuiz);

    await clock.skip(hourMs);
    const date_submitted = new Date(clock.now()).toISOString().replace('T', ' ').slice(0, 19);
    database.run(
      `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
         VALUES ('r-essay', ?, ?, 'Ravi', '', '', 'submitted', 1, ?, 0, 10, 0, '', 0, 60, 1, '127.0.0.1', 'assigned_user')`,
      [quiz_id, user_id, date_submitted],
    );
    await sendEvent(
      testBed.bots[0]!.url,
      eventBody({}, { response_id: 'r-essay', quiz_id, quiz_name, user_id, date_submitted, ...unmarked, pass: false }),
    );
    await clock.skip(50 * hourMs);
    expect([board().includes('Waiting to be marked'), run.state]).toEqual([true, 'running']);

    database.run(
      "UPDATE responses SET points = :points, percentage_score = :percentage_score, grade = :grade, pass = :pass WHERE response_id = 'r-essay'",
      marked,
    );
    // The hour begins when the last reading has ended, and the board is edited some seconds after the next one.
    await clock.skip(hourMs + 2 * minuteMs);
    await workspace.until(() => !board().includes('Waiting to be marked'));
    await workspace.until(() => run.state === 'completed');
    expect(run.outputs).toMatchObject({ result: 'passed', percentage: 90, in_time: true });
  });
});
