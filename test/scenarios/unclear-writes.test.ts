import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, uma, nora } = people;

const isCreateUser = (line: string) => line.startsWith('POST /api/v1/users user_name=ines');
const isCreateQuiz = (line: string) => line.startsWith('POST /api/v1/quizzes name=');
const isCopy = (line: string) => line.includes('/copy');

async function createInes({ workspace }: TestBed, entered: Record<string, string> = {}): Promise<string> {
  const form = await (await workspace.as(ada.id).command('/quiz-user create ines@quiz.example')).view();
  const { errors, view } = await workspace.as(ada.id).submit(form, { first_name: 'Ines', ...entered });
  return errors ? JSON.stringify(errors) : textOf(view);
}

async function reply({ workspace }: TestBed, command: string): Promise<string> {
  return textOf(await (await workspace.as(ada.id).command(command)).reply());
}

function count({ quizService }: TestBed, sql: string): number {
  return quizService.database.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)!.n;
}

describe('a user whose creation the quiz service answers', () => {
  test('with nothing is found by name', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('empty answers', isCreateUser);
    const answer = await createInes(testBed);
    expect(answer).toContain('Created *Ines* as a respondent.');
    expect(answer).toContain('Show password');
    await testBed.workspace.as(ada.id).command('/quiz-user show ines');
    await testBed.workspace.until(() =>
      testBed.workspace.ephemerals(ada.id).find((message) => textOf(message).includes('ines@quiz.example')),
    );
  });

  test('with nothing, and whom it does not show yet, is created all the same', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault(
      'empty answers',
      (line) => isCreateUser(line) || line.startsWith('POST /api/v1/users/find'),
    );
    const answer = await createInes(testBed);
    expect(answer).toMatch(/Created \*Ines\* as a respondent\..*doesn’t list them yet/);
    expect(answer).not.toContain('It may have been done');
  });

  test('with its id, and then not at all, is created all the same', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('HTML', (line) => line.startsWith('GET /api/v1/users/') && !line.includes(adaId(testBed)));
    expect(await createInes(testBed)).toContain('Created *Ines* as a respondent.');
  });

  test('with a lost connection is found by name', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('lost answers', isCreateUser);
    expect(await createInes(testBed)).toContain('Created *Ines* as a respondent.');
    expect(count(testBed, "users WHERE user_name = 'ines@quiz.example'")).toBe(1);
  });

  test('with a page, and who is not there, may have been created, and a second try creates them once', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('HTML', isCreateUser);
    expect(await createInes(testBed)).toContain('It may have worked all the same');
    testBed.setServiceFault(undefined);
    expect(await createInes(testBed)).toContain('Created *Ines* as a respondent.');
    expect(count(testBed, "users WHERE user_name = 'ines@quiz.example'")).toBe(1);
  });

  test('with a page because the name was taken meanwhile is not created, and nobody is offered a password', async () => {
    const testBed = await startTestBed();
    // Somebody else renames a user in the quiz service at the same time.
    testBed.setServiceFault('HTML', (line) => {
      const isCreation = isCreateUser(line);
      if (isCreation)
        testBed.quizService.database.run(
          "UPDATE users SET user_name = 'ines@quiz.example' WHERE user_name = 'rosa@quiz.example'",
        );
      return isCreation;
    });
    expect(await createInes(testBed)).toContain('It may have worked all the same');
    expect(count(testBed, "users WHERE user_name = 'ines@quiz.example'")).toBe(1);
    expect(testBed.workspace.directMessages(ada.id)).toEqual([]);
  });

  test('with a page, after an approval, is created once and announced as created', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, review, decide } = approvalActions(testBed);
    const form = await (await testBed.workspace.as(nora.id).command('/quiz-user create ines@quiz.example')).view();
    await testBed.workspace.as(nora.id).submit(form, { first_name: 'Ines', reason: 'She starts on Monday' });
    const request = await testBed.workspace.until(() => requests()[0]);
    const view = await review(uma.id, request);
    testBed.setServiceFault('lost answers', isCreateUser);
    expect(await decide(uma.id, view)).toContain('Created *Ines*');
    expect(count(testBed, "users WHERE user_name = 'ines@quiz.example'")).toBe(1);
  });
});

describe('a quiz whose creation the quiz service answers', () => {
  test('with nothing is found by name among the new quizzes', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('empty answers', isCreateQuiz);
    expect(await reply(testBed, '/quiz create Forklift theory test')).toContain(
      'Created *Forklift theory test*. It’s in design until you open it.',
    );
    expect(await reply(testBed, '/quiz list forklift')).toContain('2 quizzes');
  });

  test('with a lost connection is found, and the answer says what is known', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('lost answers', isCreateQuiz);
    expect(await reply(testBed, '/quiz create Ladders')).toContain('Found a new quiz called *Ladders*.');
    expect(count(testBed, "quizzes WHERE name = 'Ladders'")).toBe(1);
  });

  test('with a page, and which is not there, may have been created', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('HTML', isCreateQuiz);
    expect(await reply(testBed, '/quiz create Ladders')).toContain('It may have worked all the same');
  });

  test('with nothing is created without details where several new quizzes have its name', async () => {
    const testBed = await startTestBed();
    await reply(testBed, '/quiz list');
    const {
      quizService: { database },
    } = testBed;
    // Somebody else creates one in the quiz service at the same time.
    database.run(
      "INSERT INTO quizzes (quiz_id, name, status, date_created) SELECT 'another', 'Ladders', 'in_design', date_created FROM quizzes LIMIT 1",
    );
    testBed.setServiceFault('empty answers', isCreateQuiz);
    expect(await reply(testBed, '/quiz create Ladders')).toContain('didn’t say which quiz in the list it is');
  });

  test('with nothing is found as a copy whose name the service chose', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('empty answers', isCopy);
    expect(await reply(testBed, '/quiz copy forklift')).toMatch(/Copied \*Forklift theory test\* as \*[^*]+\*\./);
    testBed.setServiceFault('lost answers', isCopy);
    expect(await reply(testBed, '/quiz copy forklift theory test as Forklift 2027')).toContain(
      'Found a new quiz called *Forklift 2027*.',
    );
  });
});

describe('a change whose answer is lost', () => {
  test('is looked up after an approval: a user who is deleted is not reported as still there', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review, decide } = approvalActions(testBed);
    const view = await review(
      ada.id,
      await ask(uma.id, '/quiz-user delete ravi banerjee --reason "Asked to be forgotten"'),
    );
    testBed.setServiceFault('lost answers', (line) => line.startsWith('DELETE /api/v1/users/'));
    expect(await decide(ada.id, view)).toContain('Deleted the user *');
    expect(count(testBed, "users WHERE user_name = 'ravi@quiz.example'")).toBe(0);
  });

  test('is reported as not answered where it has not been made', async () => {
    const testBed = await startTestBed();
    testBed.setServiceFault('HTML', (line) => line.includes('status=closed'));
    expect(await reply(testBed, '/quiz close workplace')).toContain('The quiz service isn’t answering right now');
  });
});

test('an assignment to several people, of whom the quiz service answers for one, is looked up for the other, who has the quiz, and is sent once', async () => {
  const testBed = await startTestBed();
  const { database } = testBed.quizService;
  database.run('DELETE FROM user_quizzes');
  const { user_id } = database.get<{ user_id: string }>(
    "SELECT user_id FROM users WHERE user_name = 'ravi@quiz.example'",
  )!;
  await reply(testBed, '/quiz-user list');
  await reply(testBed, '/quiz open forklift');
  testBed.setServiceFault('lost answers', (line) => line.startsWith(`POST /api/v1/users/${user_id}`));
  expect(await reply(testBed, '/quiz assign forklift to Rosa Almeida, Ravi Banerjee')).toContain(
    'Assigned *Forklift theory test* to *Rosa Almeida* and *Ravi Banerjee*. The quiz service didn’t confirm it, so the bot checked.',
  );
  expect(testBed.requests.filter((line) => /^POST \/api\/v1\/users\/[^/]+\/quizzes/.test(line))).toHaveLength(2);
});

describe('one change whose answer is lost', () => {
  test.each([
    ['/quiz unassign forklift from Rosa Almeida', 'DELETE /api/v1/users/'],
    ['/quiz close workplace', 'POST /api/v1/quizzes/'],
    ['/quiz-user suspend ravi banerjee', 'POST /api/v1/users/'],
    ['/quiz-group add ravi banerjee to kitchen', 'POST /api/v1/users/'],
  ])('%s is sent once, and looked up', async (command, change) => {
    const testBed = await startTestBed();
    await reply(testBed, '/quiz-user list');
    const isChange = (line: string) => line.startsWith(change);
    testBed.setServiceFault('lost answers', isChange);
    const before = testBed.requests.length;
    expect(await reply(testBed, command)).toContain('The quiz service didn’t confirm it, so the bot checked.');
    expect(testBed.requests.slice(before).filter(isChange)).toHaveLength(1);
  });
});

test('the deletion of an attempt whose answer is lost is looked up among the attempts', async () => {
  const testBed = await startApprovalsTestBed();
  const { requests, review, decide } = approvalActions(testBed);
  const { database } = testBed.quizService;
  const { response_id } = database.get<{ response_id: string }>(
    "SELECT response_id FROM responses JOIN quizzes USING (quiz_id) WHERE quizzes.name LIKE 'Forklift%' AND responses.status = 'submitted'",
  )!;
  const form = await (
    await testBed.workspace.as(ada.id).command(`/quiz delete-response forklift of ${response_id}`)
  ).view();
  await testBed.workspace.as(ada.id).submit(form, { reason: 'Taken by mistake' });
  const request = await testBed.workspace.until(() => requests()[0]);
  const view = await review(people.tom.id, request);
  testBed.setServiceFault('lost answers', (line) => line.startsWith('DELETE /api/v1/quizzes/'));
  expect(await decide(people.tom.id, view, 'approved')).toContain(
    'The quiz service didn’t confirm it, so the bot checked.',
  );
  expect(count(testBed, `responses WHERE response_id = '${response_id}'`)).toBe(0);
});

function adaId({ quizService }: TestBed): string {
  return quizService.database.get<{ user_id: string }>(
    "SELECT user_id FROM users WHERE user_name = 'ada@quiz.example'",
  )!.user_id;
}
