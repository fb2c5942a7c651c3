import type { QuizResponse } from '../../quiz-api/responses.ts';

/** What a person who took a quiz is called. By quiz link, one can take it without a name. */
export function respondentName({ first_name, last_name }: Pick<QuizResponse, 'first_name' | 'last_name'>): string {
  return `${first_name} ${last_name}`.trim() || 'Somebody without a name';
}
