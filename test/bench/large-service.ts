import { formatDate } from '../../src/sandbox/quiz-service/database.ts';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { addResponse, markStarted, markSubmitted } from '../../src/sandbox/quiz-service/store/responses.ts';
import { pageUsers } from '../../src/sandbox/quiz-service/store/users.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';

/*
 * A program with the quiz service of a large account: `process.argv` has the numbers of its users, of its quizzes, and of the
 * responses to each of two quizzes. It sends its port to its parent and exits with it.
 */

const [users, quizzes, responses] = process.argv.slice(2).map(Number) as [number, number, number];
const dayMs = 86_400_000;

const service = await startQuizService({
  quizzes: accountQuizzes,
  dataDir: ':memory:',
  apiKey: 'key-bench',
  ratePerMinute: 100_000,
  ratePerHour: 1_000_000,
  sample: { users, responses: 0 },
});
const { database } = service;
const random = createSeededRandom(50_000);
const now = Date.now();
const statuses = ['open', 'open', 'closed', 'in_design'] as const;

database.transaction(() => {
  for (let number = 1; number <= quizzes; number += 1) {
    addQuiz(database, {
      quiz_id: random.id(),
      name: `Course ${number}, part ${random.between(1, 9)}`,
      status: random.pick(statuses),
      date_created: formatDate(now - number * 60_000),
    });
  }
  const people = [...pageUsers(database)].flat();
  for (const name of ['Annual compliance', 'Yearly safety']) {
    const quiz_id = random.id();
    addQuiz(database, { quiz_id, name, status: 'open', date_created: formatDate(now - 100 * dayMs) });
    for (let number = 0; number < responses; number += 1) {
      const { user_id, first_name, last_name, email_address } = people[number % people.length]!;
      const response_id = random.id();
      const startedMs = now - 90 * dayMs + Math.floor((number / responses) * 80 * dayMs);
      addResponse(database, {
        response_id,
        quiz_id,
        user_id,
        first_name,
        last_name,
        email_address,
        attempt: 1,
        ip_address: `198.51.100.${number % 254}`,
        publish_type: 'assigned_user',
        access_code: '',
        registration_fields: [],
      });
      markStarted(database, response_id, 1, startedMs);
      const points = random.between(0, 20);
      markSubmitted(database, response_id, {
        points,
        available_points: 20,
        percentage_score: points * 5,
        grade: points > 9 ? 'B' : 'F',
        pass: points > 9,
        date_submitted: formatDate(startedMs + 600_000),
        duration: random.between(60, 1_200),
      });
    }
  }
});

process.send?.({ port: Number(new URL(service.url).port) });
process.on('disconnect', () => process.exit());
