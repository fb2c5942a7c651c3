import type { Operation } from './operation.ts';
import { closeQuiz, listQuizzes, openQuiz, showQuiz } from './quizzes.ts';

/** Everything a person can do, in the order the help shows it. */
export const catalog: readonly Operation[] = [listQuizzes, showQuiz, openQuiz, closeQuiz];

export function operationNamed(name: string): Operation | undefined {
  return catalog.find((operation) => operation.name === name);
}
