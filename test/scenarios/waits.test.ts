import { expect, inject, onTestFinished, test } from 'vitest';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { inTheAccount, storesFor } from '../support/many-changes.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { followOverRedis } from '../support/redis-clock.ts';
import { runStep, untilEnded, withSteps } from '../support/workflow-steps.ts';

const stores = storesFor(import.meta.filename);

const { ada, hana, ravi, rosa, tom } = people;
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
