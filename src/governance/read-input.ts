import { matchQuiz } from '../directory/quiz-search.ts';
import type { Field, Operation } from '../operations/operation.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';

/** What a person typed or chose, by field name. */
export type RawInput = Readonly<Record<string, string>>;

/** What came of reading it. */
export type Reading =
  | { kind: 'read'; input: Record<string, Quiz | string> }
  | { kind: 'incomplete' }
  | { kind: 'invalid'; field: string; sentence: string }
  | { kind: 'unclear'; field: string; typed: string; quizzes: Quiz[]; alike: boolean };

/** Turns what was typed into what the operation takes. `quizzes` are those the person may see. */
export function readInput(operation: Operation, raw: RawInput, quizzes: readonly Quiz[]): Reading {
  const input: Record<string, Quiz | string> = {};
  for (const [name, field] of Object.entries(operation.fields)) {
    const typed = raw[name]?.trim() ?? '';
    if (typed === '') {
      if (field.optional) continue;
      return { kind: 'incomplete' };
    }
    const reading = readField(name, field, typed, quizzes);
    if (reading.kind !== 'value') return reading;
    input[name] = reading.value;
  }
  return { kind: 'read', input };
}

function readField(
  name: string,
  field: Field,
  typed: string,
  quizzes: readonly Quiz[],
): { kind: 'value'; value: Quiz | string } | Extract<Reading, { field: string }> {
  if (field.kind === 'text') {
    if (typed.length <= field.maxLength) return { kind: 'value', value: typed };
    return { kind: 'invalid', field: name, sentence: `${field.label}: at most ${field.maxLength} characters, these are ${typed.length}.` };
  }
  const match = matchQuiz(quizzes, typed);
  if (match.kind === 'one') return { kind: 'value', value: match.quiz };
  return match.kind === 'several'
    ? { kind: 'unclear', field: name, typed, quizzes: match.quizzes, alike: true }
    : { kind: 'unclear', field: name, typed, quizzes: match.nearest, alike: false };
}
