import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { pressAll } from '../support/forged-buttons.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { leaveFewAttempts, quizId, safetyQuiz, submittedResponses } from '../support/results.ts';
import { textOf, type TestBed } from '../support/test-bed.ts';
import { actingText, runStep, startStepsTestBed, untilEnded } from '../support/workflow-steps.ts';
import { eventually } from '../support/watchdog.ts';

const { ada, erin, nora, ravi, rosa, tom, uma, zoe, lena } = people;
const changes = ({ requests }: TestBed) => requests.filter((request) => !request.startsWith('GET'));
const audited = ({ lines }: TestBed) =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'audit');

function userIdOf({ quizService: { database } }: TestBed, userName: string): string {
  return database.get<{ user_id: string }>('SELECT user_id FROM users WHERE user_name = ?', [userName])?.user_id ?? '';
}

/** A person submits the quiz. */
const submit = (testBed: TestBed, userName: string, data: Record<string, unknown> = {}, id = 'r-new') =>
  sendEvent(
    testBed.url,
    eventBody(
      { event_id: `event-${id}` },
      {
        response_id: id,
        quiz_id: quizId(testBed, safetyQuiz),
        quiz_name: safetyQuiz,
        user_id: userIdOf(testBed, userName),
        date_submitted: new Date().toISOString(),
        ...data,
      },
    ),
  );

/** The wait has begun: the service was asked for the result, and the record has it. */
const untilRead = (testBed: TestBed) =>
  eventually(() =>
    expect(audited(testBed)).toContainEqual(expect.objectContaining({ operation: 'show-results', outcome: 'done' })),
  );

const forget = ({ quizService: { database } }: TestBed) => {
  database.run('DELETE FROM responses');
  database.run('DELETE FROM user_quizzes');
  database.run('DELETE FROM group_quizzes');
};

describe('a person who sets up a step', () => {
  test('chooses themself, and quizzes and groups that they may choose', async () => {
    const {
      workspace: { functions },
    } = await startStepsTestBed();
    expect(await functions.options(erin.id, 'assign_quiz', 'acts_as')).toEqual([
      { text: 'Erin Castellanos (you)', value: expect.stringMatching(new RegExp(`^${erin.id}\\.`)) },
    ]);
    const quizzes = await functions.options(erin.id, 'assign_quiz', 'quiz', 'onb');
    expect(quizzes.map(({ text }) => text)).toEqual(['Onboarding, week 1']);
    expect((await functions.options(erin.id, 'assign_quiz', 'group')).map(({ text }) => text)).toContain('Kitchen');
  });

  test('gets no options as a respondent, a guest or a stranger', async () => {
    const {
      workspace: { functions },
    } = await startStepsTestBed();
    await expect(functions.options(rosa.id, 'assign_quiz', 'acts_as')).rejects.toThrow(
      'Only trainers and administrators',
    );
    await expect(functions.options(lena.id, 'assign_quiz', 'quiz')).rejects.toThrow('Guests of this workspace');
    await expect(functions.options(zoe.id, 'assign_quiz', 'group')).rejects.toThrow('Nobody in the quiz account');
  });
});

describe('who a step acts as', () => {
  test('is nobody where the text is not the bot’s own, and nothing reaches the service', async () => {
    const testBed = await startStepsTestBed();
    const own = await actingText(testBed, erin.id);
    const inputs = { quiz: quizId(testBed, safetyQuiz), person: rosa.id };
    for (const forged of [ada.id, own.replace(erin.id, ada.id), `${own}x`, `${ada.id}.${'A'.repeat(43)}`]) {
      const ended = await untilEnded(
        testBed,
        await testBed.workspace.functions.run('assign_quiz', { ...inputs, acts_as: forged }),
      );
      expect(ended).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('can’t tell who published this workflow'),
      });
    }
    expect([changes(testBed), audited(testBed)]).toEqual([[], []]);
    // Administrators are notified once.
    const told = testBed.workspace
      .directMessages(ada.id)
      .filter((message) => textOf(message).includes('A workflow ends with an error in the step “Assign a quiz”'));
    expect(told).toHaveLength(1);
  });

  test('is nobody in another kind of step, or in another workflow than the first where Slack names it', async () => {
    const testBed = await startStepsTestBed();
    const { functions } = testBed.workspace;
    const inputs = { quiz: quizId(testBed, safetyQuiz), person: rosa.id, acts_as: await actingText(testBed, erin.id) };
    expect(await untilEnded(testBed, await functions.run('get_result', inputs))).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('were lent to the step “Assign a quiz” alone. Edit this step'),
    });
    expect([changes(testBed), audited(testBed)]).toEqual([[], []]);
    expect(await untilEnded(testBed, await functions.run('assign_quiz', inputs, 'Wf0FIRST'))).toMatchObject({
      state: 'completed',
    });
    expect(await untilEnded(testBed, await functions.run('assign_quiz', inputs, 'Wf0SECOND'))).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('were lent to another workflow. Edit this step'),
    });
  });

  test('is decided by their rights when it runs, not when it was published', async () => {
    const testBed = await startStepsTestBed();
    const { database } = testBed.quizService;
    const acts_as = await actingText(testBed, erin.id);
    database.run("UPDATE users SET suspended = 1 WHERE user_name = 'erin@quiz.example'");
    const ended = await untilEnded(
      testBed,
      await testBed.workspace.functions.run('assign_quiz', {
        acts_as,
        quiz: quizId(testBed, safetyQuiz),
        person: rosa.id,
      }),
    );
    expect(ended).toMatchObject({ state: 'failed', error: expect.stringContaining('is suspended') });
    expect(changes(testBed)).toEqual([]);
  });
});

describe('the person whose rights a step runs with', () => {
  const lentTo = ({ workspace }: TestBed, personId: string) =>
    workspace
      .directMessages(personId)
      .filter((message) => JSON.stringify(message.blocks).includes('setting up a workflow'));

  test('gets one direct message for the steps of a workflow, which revokes them all', async () => {
    const testBed = await startStepsTestBed();
    const { workspace } = testBed;
    const inputs = { quiz: quizId(testBed, safetyQuiz), person: rosa.id };
    const texts = {
      assign_quiz: await actingText(testBed, erin.id),
      get_result: await actingText(testBed, erin.id, 'get_result'),
    };
    const message = await workspace.until(() => lentTo(testBed, erin.id)[0]);
    await workspace.as(erin.id).click(message, 'choose:take-rights-back');
    await workspace.until(() =>
      JSON.stringify(workspace.directMessages(erin.id)).includes('don’t run with your rights'),
    );
    for (const [step, acts_as] of Object.entries(texts))
      expect(await untilEnded(testBed, await workspace.functions.run(step, { ...inputs, acts_as }))).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('were revoked'),
      });
    expect(workspace.directMessages(erin.id)).toHaveLength(1);
  });

  test('gets one direct message for a step, in which they revoke them: no run uses them any more', async () => {
    const testBed = await startStepsTestBed();
    const { workspace } = testBed;
    const inputs = { quiz: quizId(testBed, safetyQuiz), person: rosa.id, acts_as: await actingText(testBed, erin.id) };
    expect(await actingText(testBed, erin.id)).toBe(inputs.acts_as);
    const message = await workspace.until(() => lentTo(testBed, erin.id)[0]);
    expect(JSON.stringify(message.blocks)).toContain('*Assign a quiz*');
    await workspace.as(erin.id).click(message, 'choose:take-rights-back');
    await workspace.until(() =>
      JSON.stringify(workspace.directMessages(erin.id)).includes('doesn’t run with your rights'),
    );
    expect(await untilEnded(testBed, await workspace.functions.run('assign_quiz', inputs))).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('were revoked. Edit this step'),
    });
    expect(changes(testBed)).toEqual([]);
    expect(audited(testBed)).toEqual([
      expect.objectContaining({ operation: 'take-rights-back', by: erin.id, outcome: 'done' }),
    ]);
    expect(workspace.directMessages(erin.id)).toHaveLength(1);
  });

  test('is listed for administrators alone, who revoke them; a wait that began with them ends with an error', async () => {
    const testBed = await startStepsTestBed();
    const { workspace } = testBed;
    forget(testBed);
    const waiting = await runStep(testBed, erin.id, 'wait_for_result', {
      quiz: quizId(testBed, safetyQuiz),
      person: rosa.id,
    });
    await untilRead(testBed);
    const listed = async (personId: string) => {
      const before = workspace.ephemerals(personId).length;
      await workspace.as(personId).command('/quiz-admin workflows');
      return workspace.until(() => workspace.ephemerals(personId)[before]);
    };
    expect(JSON.stringify(await listed(erin.id))).toContain('Only administrators');
    const list = await listed(ada.id);
    expect(JSON.stringify(list.blocks)).toMatch(
      new RegExp(`\\*Wait for a result\\* · published by <@${erin.id}>.*last used`),
    );
    await workspace.as(ada.id).click(list, 'choose:revoke-lent-rights');
    await workspace.until(() => JSON.stringify(workspace.ephemerals(ada.id)).includes('doesn’t run with these rights'));
    await submit(testBed, rosa.email);
    expect(await untilEnded(testBed, waiting)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('were revoked'),
    });
    expect(JSON.stringify(await listed(ada.id))).toContain('Nobody lends their rights');
  });

  test('keeps them from others: a trainer cannot revoke them with a button that they forge', async () => {
    const testBed = await startStepsTestBed();
    const { workspace } = testBed;
    const inputs = { quiz: quizId(testBed, safetyQuiz), person: rosa.id, acts_as: await actingText(testBed, ada.id) };
    const grant = { grant: [inputs.acts_as.replace(/\.[^.]*$/, '')] };
    expect(
      await pressAll(testBed, [
        [erin.id, 'revoke-lent-rights', grant],
        [erin.id, 'take-rights-back', grant],
      ]),
    ).toEqual([
      expect.stringContaining('Only administrators'),
      expect.stringContaining('No step runs with these rights any more. Nothing changed.'),
    ]);
    expect(await untilEnded(testBed, await workspace.functions.run('assign_quiz', inputs))).toMatchObject({
      state: 'completed',
    });
  });
});

test('a run whose workflow was deleted is forgotten when it ends', async () => {
  const testBed = await startStepsTestBed();
  forget(testBed);
  const waiting = await runStep(testBed, erin.id, 'wait_for_result', {
    quiz: quizId(testBed, safetyQuiz),
    person: rosa.id,
  });
  await untilRead(testBed);
  waiting.state = 'cancelled';
  await submit(testBed, rosa.email);
  await eventually(() => expect(testBed.lines.join()).toContain('its workflow is gone'));
  expect(
    testBed.workspace.calls.filter(
      ({ method, error }) => method === 'functions.completeSuccess' && error === 'execution_not_in_running_state',
    ),
  ).toHaveLength(1);
});

describe('a step', () => {
  test('creates a user with the name and address of a person’s profile, and says why it cannot create another', async () => {
    const testBed = await startStepsTestBed();
    const ended = await untilEnded(testBed, await runStep(testBed, ada.id, 'create_user', { person: zoe.id }));
    expect(ended).toMatchObject({ state: 'completed' });
    expect(
      testBed.quizService.database.get(
        "SELECT first_name, last_name, user_type FROM users WHERE user_name = 'zoe@quiz.example'",
      ),
    ).toEqual({ first_name: 'Zoe', last_name: 'Marsh', user_type: 'respondent' });
    const again = await untilEnded(testBed, await runStep(testBed, ada.id, 'create_user', { person: zoe.id }));
    expect(again).toMatchObject({ state: 'failed', error: expect.stringContaining('zoe@quiz.example') });
  });

  test('tells no address of a profile to a person who does not manage users', async () => {
    const testBed = await startStepsTestBed({ env: { APPROVALS_CHANNEL: leadsChannelId } });
    const failed = await untilEnded(testBed, await runStep(testBed, erin.id, 'create_user', { person: rosa.id }));
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('already uses “r…@quiz.example”') });
    const requested = await runStep(testBed, erin.id, 'create_user', { person: zoe.id });
    const { requests, approve } = approvalActions(testBed);
    const told = await testBed.workspace.until(() =>
      testBed.workspace.directMessages(erin.id).find((message) => textOf(message).includes('Approval requested')),
    );
    expect(textOf(told)).toContain('*z…@quiz.example* would be created as a respondent');
    await approve(ada.id, await testBed.workspace.until(() => requests()[0]));
    const ended = await untilEnded(testBed, requested);
    expect(ended).toMatchObject({ state: 'completed' });
    expect(JSON.stringify([failed, ended, told])).not.toMatch(/rosa@|zoe@/);
  });

  test('tells a trainer who manages users the address of nobody else’s users', async () => {
    const testBed = await startStepsTestBed();
    const failed = await untilEnded(testBed, await runStep(testBed, uma.id, 'create_user', { person: tom.id }));
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('already uses “t…@quiz.example”') });
  });

  test('waits for the decision where the person needs approval, and ends with it', async () => {
    const testBed = await startStepsTestBed({ env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id } });
    forget(testBed);
    const { requests, approve, deny } = approvalActions(testBed);
    const inputs = { quiz: quizId(testBed, safetyQuiz), reason: 'A new colleague' };
    const approved = await runStep(testBed, uma.id, 'assign_quiz', { ...inputs, person: rosa.id });
    const request = await testBed.workspace.until(() => requests()[0]);
    expect([JSON.stringify(request).includes('A new colleague'), approved.state, changes(testBed)]).toEqual([
      true,
      'running',
      [],
    ]);
    await approve(tom.id, request);
    expect(await untilEnded(testBed, approved)).toMatchObject({
      state: 'completed',
      outputs: { message: expect.stringContaining('Assigned') },
    });
    const denied = await runStep(testBed, uma.id, 'assign_quiz', { ...inputs, person: ravi.id });
    await deny(tom.id, await testBed.workspace.until(() => requests()[1]), 'Not him');
    expect(await untilEnded(testBed, denied)).toMatchObject({
      state: 'failed',
      error: 'The request was denied: “Not him”',
    });
  });

  test('gets the hardest question of a quiz as data, once its answers are known', async () => {
    const testBed = await startStepsTestBed({
      hasRequestLimit: false,
      workspace: { strictness: { rateLimits: false } },
    });
    const get = async (personId: string, more = {}) =>
      untilEnded(
        testBed,
        await runStep(testBed, personId, 'get_questions', { quiz: quizId(testBed, safetyQuiz), ...more }),
      );
    leaveFewAttempts(testBed, safetyQuiz);
    const attempts = submittedResponses(testBed, safetyQuiz).length;
    expect(await get(erin.id)).toMatchObject({ state: 'completed', outputs: { attempts } });
    await expect.poll(async () => (await get(erin.id)).outputs).toMatchObject({ attempts, read: attempts });
    const { outputs } = await get(erin.id);
    expect(outputs).toMatchObject({ question: expect.stringMatching(/./), right: expect.any(Number), asked: attempts });
    expect(Number(outputs?.['right'])).toBeLessThan(attempts);
    expect(await get(nora.id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('You can’t see results'),
    });
  });

  test('waits until the person passes, over a failed attempt', async () => {
    const testBed = await startStepsTestBed();
    forget(testBed);
    const waiting = await runStep(testBed, erin.id, 'wait_for_result', {
      quiz: quizId(testBed, safetyQuiz),
      person: rosa.id,
      until_passed: true,
      days: 14,
    });
    await untilRead(testBed);
    await submit(testBed, rosa.email, { pass: false, points: 2, percentage_score: 20, grade: 'F' }, 'r-failed');
    await submit(testBed, rosa.email);
    expect(await untilEnded(testBed, waiting)).toMatchObject({
      state: 'completed',
      outputs: { result: 'passed', passed: true, score: 9, percentage: 90, grade: 'A', in_time: true },
    });
  });
});

test('where steps are turned off, a step says so', async () => {
  const testBed = await startStepsTestBed({ env: { WORKFLOW_STEPS_ENABLED: 'false' } });
  const execution = await testBed.workspace.functions.run('get_result', { acts_as: 'x', quiz: 'q', person: rosa.id });
  expect(await untilEnded(testBed, execution)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('WORKFLOW_STEPS_ENABLED'),
  });
  await expect(testBed.workspace.functions.options(ada.id, 'assign_quiz', 'quiz')).rejects.toThrow(
    'WORKFLOW_STEPS_ENABLED',
  );
});
