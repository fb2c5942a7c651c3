import { expect, inject, onTestFinished, test, describe } from 'vitest';
import { createSandboxClock, quarterDaySteps } from '../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { inTheAccount, storesFor } from '../support/many-changes.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { followOverRedis } from '../support/redis-clock.ts';
import { runStep, untilEnded, withSteps } from '../support/workflow-steps.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { locationOf } from '../support/results.ts';

const stores = storesFor(import.meta.filename);

const { ada, erin, hana, ravi, rosa, tom } = people;
const hourMs = 60 * 60_000;
const mondayMorning = Date.UTC(2030, 0, 7, 10);

/** Two hours pass. */
test.each(stores)(
  'over %s, a wait goes on over a pass of years ago unless that counts, and ends by name where user or quiz is gone',
  async (store) => {
    const clock = createSandboxClock(mondayMorning - Date.now());
    const testBed = await openProcessTestBed({
      installation: inject('installation'),
      store: store === 'Redis' ? 'redis' : 'sqlite',
      account: inject('account') ?? 'smooth',
      manifestPath: withSteps.workspace.manifestPath,
      clock,
      env: { ...withSteps.env, APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
    });
    onTestFinished(() => testBed.close());
    if (testBed.redis) onTestFinished(followOverRedis(clock, testBed.redis.url));
    const { database } = testBed.quizService;
    const account = inTheAccount(testBed);
    const idOf = (quiz: string) =>
      database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [quiz])?.quiz_id ?? '';
    const [safety, protection] = [idOf('Workplace safety basics'), idOf('Data protection refresher')];
    database.run('DELETE FROM responses');
    database.run(
      `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
       VALUES ('r-old', ?, ?, 'Ravi', '', '', 'submitted', 1, '2027-01-07 10:00:00', 9, 10, 90, 'A', 1, 60, 1, '127.0.0.1', 'assigned_user')`,
      [safety, account.userId('ravi')],
    );

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
    database.run('DELETE FROM quizzes WHERE quiz_id = ?', [protection]);
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
    const clock = createSandboxClock(mondayMorning - Date.now(), quarterDaySteps);
    const testBed = await openProcessTestBed({
      installation: inject('installation'),
      store: 'sqlite',
      manifestPath: withSteps.workspace.manifestPath,
      clock,
      env: withSteps.env,
    });
    onTestFinished(() => testBed.close());
    const {
      workspace,
      quizService: { database },
      bots: [bot],
    } = testBed;
    const { quiz_id, quiz_name } = database.get<{ quiz_id: string; quiz_name: string }>(
      "SELECT quiz_id, name AS quiz_name FROM quizzes WHERE name LIKE 'Workplace safety%'",
    )!;
    const { user_id } = database.get<{ user_id: string }>('SELECT user_id FROM users WHERE user_name = ?', [
      ravi.email,
    ])!;

    // Others have been graded, so people have to pass.
    database.run('DELETE FROM responses WHERE user_id = ? OR email_address = ?', [user_id, ravi.email]);

    const preview = await (
      await workspace.as(ada.id).command('/quiz-campaign start "workplace safety" for @ravi due 2030-01-31 board here')
    ).reply();
    await workspace.as(ada.id).click(locationOf(preview), 'choose:run-campaign');
    const run = await runStep(testBed, erin.id, 'wait_for_result', {
      quiz: quiz_id,
      person: ravi.id,
      until_passed: true,
    });
    const board = () =>
      workspace
        .messages(preview.channel)
        .map(({ blocks }) => JSON.stringify(blocks))
        .join();
    await workspace.until(() => board().includes(quiz_name));

    await clock.skip(hourMs);
    const date_submitted = new Date(clock.now()).toISOString().replace('T', ' ').slice(0, 19);
    database.run(
      `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
         VALUES ('r-essay', ?, ?, 'Ravi', '', '', 'submitted', 1, ?, 0, 10, 0, '', 0, 60, 1, '127.0.0.1', 'assigned_user')`,
      [quiz_id, user_id, date_submitted],
    );
    await sendEvent(
      bot!.url,
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
