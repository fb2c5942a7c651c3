import { expect, onTestFinished, test, inject } from 'vitest';
import { createSandboxClock, quarterDaySteps } from '../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { locationOf } from '../support/results.ts';
import { runStep, withSteps } from '../support/workflow-steps.ts';

const { ada, erin, ravi } = people;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const mondayMorning = Date.UTC(2030, 0, 7, 10);
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
  const { user_id } = database.get<{ user_id: string }>('SELECT user_id FROM users WHERE user_name = ?', [ravi.email])!;

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
