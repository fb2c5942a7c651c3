import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { commandReply, quizId, safetyQuiz } from '../support/results.ts';

const { ada, rosa } = people;
const forklift = 'Forklift theory test';
const rosasId = "(SELECT user_id FROM users WHERE user_name = 'rosa@quiz.example')";

/** An account in which Rosa has one quiz of her own and one of her group Kitchen, and two attempts at each. */
async function startWithTwoQuizzes(): Promise<TestBed> {
  const testBed = await startTestBed();
  const { database } = testBed.quizService;
  const [own, ofKitchen] = [quizId(testBed, safetyQuiz), quizId(testBed, forklift)];
  database.run("UPDATE quizzes SET status = 'open' WHERE status = 'closed'");
  database.run(`DELETE FROM user_quizzes WHERE user_id = ${rosasId}`);
  database.run('DELETE FROM group_quizzes');
  database.run(
    `INSERT INTO user_quizzes (user_id, quiz_id, date_assigned) VALUES (${rosasId}, ?, '2026-01-02 03:04:05')`,
    [own],
  );
  database.run(
    "INSERT INTO group_quizzes (group_id, quiz_id) SELECT group_id, ? FROM groups WHERE group_name = 'Kitchen'",
    [ofKitchen],
  );
  database.run(
    `UPDATE responses SET user_id = NULL, email_address = '' WHERE user_id = ${rosasId} OR quiz_id IN (?, ?)`,
    [own, ofKitchen],
  );
  const attempts = [
    ['own-1', own, rosasId, '', 1, 11],
    ['own-2', own, rosasId, '', 2, 22],
    ['kitchen-1', ofKitchen, rosasId, '', 1, 33],
    ['kitchen-2', ofKitchen, 'NULL', 'ROSA@quiz.example', 2, 44],
    ['other', ofKitchen, 'NULL', 'rosa@elsewhere.example', 1, 55],
  ] as const;
  for (const [day, [id, quiz, user, address, attempt, percentage]] of attempts.entries()) {
    database.run(
      `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
       VALUES (?, ?, ${user}, 'Rosa', 'Almeida', ?, 'submitted', 1, ?, 1, 10, ?, 'F', 0, 60, ?, '127.0.0.1', 'quiz_link')`,
      [id, quiz, address, `2026-02-0${day + 1} 10:00:00`, percentage, attempt],
    );
  }
  return testBed;
}

test('a respondent sees the quizzes of their groups beside their own, with every attempt', async () => {
  const testBed = await startWithTwoQuizzes();
  const mine = textOf(await commandReply(testBed, rosa.id, '/quiz mine'));
  expect(mine).toContain('*2 quizzes* assigned to you, none still to take');
  for (const percentage of ['11', '22', '33', '44']) expect(mine).toContain(`${percentage}%`);
  expect(mine).not.toContain('55%');
  expect(mine.indexOf('22%')).toBeLessThan(mine.indexOf('11%'));

  const shown = textOf(await commandReply(testBed, ada.id, '/quiz-user show Rosa Almeida'));
  for (const words of [safetyQuiz, forklift, '11%', '44%']) expect(shown).toContain(words);

  await testBed.workspace.as(rosa.id).openHome();
  const home = await testBed.workspace.until(
    () => testBed.workspace.home(rosa.id) && textOf(testBed.workspace.home(rosa.id)),
  );
  for (const words of [safetyQuiz, forklift, '33%']) expect(home).toContain(words);
});

test('a respondent lists and shows a quiz of their group, and no other', async () => {
  const testBed = await startWithTwoQuizzes();
  const list = textOf(await commandReply(testBed, rosa.id, '/quiz list'));
  expect(list).toContain('*2 quizzes*');
  expect(textOf(await commandReply(testBed, rosa.id, '/quiz show forklift'))).toContain('*Groups*\\nKitchen');
  expect(textOf(await commandReply(testBed, rosa.id, '/quiz show first aid'))).toContain('No quiz is called');
});

test('a quiz that an administrator takes from the group is gone at once', async () => {
  const testBed = await startWithTwoQuizzes();
  expect(textOf(await commandReply(testBed, rosa.id, '/quiz list'))).toContain(forklift);
  await commandReply(testBed, ada.id, '/quiz unassign forklift from Kitchen');
  expect(textOf(await commandReply(testBed, rosa.id, '/quiz list'))).not.toContain(forklift);
});

test('a closed quiz is not due', async () => {
  const testBed = await startWithTwoQuizzes();
  testBed.quizService.database.run(
    "DELETE FROM responses WHERE response_id IN ('own-1', 'own-2', 'kitchen-1', 'kitchen-2')",
  );
  expect(textOf(await commandReply(testBed, rosa.id, '/quiz mine'))).toContain('2 still to take');
  await commandReply(testBed, ada.id, '/quiz close forklift');
  const mine = textOf(await commandReply(testBed, rosa.id, '/quiz mine'));
  expect(mine).toContain('1 still to take');
  expect(mine).toContain(`🔒 *${forklift}* · closed, not taken`);
});

test('the groups of quizzes cost their requests once for everybody', async () => {
  const testBed = await startWithTwoQuizzes();
  for (const command of ['/quiz list', '/quiz list', '/quiz mine']) await commandReply(testBed, rosa.id, command);
  const reads = testBed.requests.filter((request) => /\/quizzes\/[^/]+\/groups$/.test(request));
  expect(reads.length).toBeGreaterThan(2);
  expect(reads).toHaveLength(new Set(reads).size);
});

test('in the rough account, a user whose only quizzes are those of a group has them: the open ones first, and a note while others are read', async () => {
  const testBed = await startTestBed({ account: 'rough' });
  const shown = textOf(await commandReply(testBed, ada.id, '/quiz-user show gina@rough.example'));
  const ofVisitors = testBed.quizService.database.all<{ name: string }>(
    "SELECT q.name FROM quizzes q JOIN group_quizzes USING (quiz_id) JOIN groups USING (group_id) WHERE group_name = 'Visitors' AND q.status = 'open' AND q.name NOT GLOB '*[<&]*'",
  );
  expect(ofVisitors.length).toBeGreaterThan(0);
  for (const { name } of ofVisitors) expect(shown).toContain(name);
  expect(shown).toContain('still reading which quizzes the groups have');
});
