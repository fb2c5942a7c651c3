import type { Quiz } from '../quiz-api/quizzes.ts';

/** What an operation hands back, for a view to show. Sentences are plain text, not escaped. */
export type Result =
  | { kind: 'quizzes'; quizzes: Quiz[]; filter: string }
  | { kind: 'quiz'; quiz: Quiz }
  | { kind: 'done'; sentence: string };
