import type { Account } from '../quiz-service/account.ts';
import { guess } from '../quiz-service/sample/attempts.ts';
import type { SeededRandom } from '../quiz-service/sample/seeded-random.ts';
import { listQuestions } from '../quiz-service/store/questions.ts';
import { registerUser, startAttempt, submitAttempt } from '../quiz-service/taking/attempts.ts';

/**
 * Opens a quiz as a user, as its page does, and starts the clock.
 * @returns submits the answers, given the probability of a right one, 0 to 1
 */
export function beginQuiz(
  account: Account,
  { userId, quizId }: { userId: string; quizId: string },
  random: SeededRandom,
): (skill: number) => void {
  const responseId = registerUser(account, quizId, userId, `198.51.100.${random.between(1, 254)}`);
  startAttempt(account, responseId);
  return (skill) => {
    const answers = listQuestions(account.database, quizId).map(
      (question) => [question.question_id, guess(question, skill, random)] as const,
    );
    submitAttempt(account, responseId, { answers: new Map(answers), files: [] });
  };
}
