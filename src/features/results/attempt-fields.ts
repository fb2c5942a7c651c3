import type { QuizField } from '../../operations/fields/quiz.ts';
import type { TextField } from '../../operations/fields/text.ts';

export const quizField = { kind: 'quiz', label: 'Quiz' } as const satisfies QuizField;
export const responseField = {
  kind: 'text',
  label: 'Attempt',
  hint: 'A name or @mention for the person’s last attempt, or the ID of any attempt.',
  maxLength: 250,
  keepsMentions: true,
} as const satisfies TextField;
