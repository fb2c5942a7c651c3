import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';

/** Adds respondents without quizzes, `u-crew-0` and so on, to the account. @returns their addresses */
export function addCrew({ database }: Pick<QuizService, 'database'>, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const email = `crew.${index}@quiz.example`;
    database.run(
      "INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, 'Crew', ?, '2026-01-01 00:00:00')",
      [`u-crew-${index}`, email, email, email, String(index)],
    );
    return email;
  });
}

/** How many of them have a quiz directly. */
export function crewWithQuiz({ database }: Pick<QuizService, 'database'>): number {
  return database.all("SELECT user_id FROM user_quizzes WHERE user_id LIKE 'u-crew-%'", []).length;
}
