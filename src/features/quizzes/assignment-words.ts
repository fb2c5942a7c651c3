import { named, namedList } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';

/** Why an assignment has no effect for now, as a sentence (`domain/sentence.ts`); undefined where it has one. `suspended`: the names of people who cannot sign in. */
export function assignmentWarning(quiz: Quiz, suspended: readonly string[] = []): string | undefined {
  const states: Readonly<Record<string, string>> = { closed: 'closed', in_design: 'in design' };
  const state = states[quiz.status];
  const sentences = [
    ...(state === undefined ? [] : [`${named(quiz.name)} is ${state}, so nobody can take it until it’s open.`]),
    ...(suspended.length > 0
      ? [`${namedList(suspended)} ${suspended.length === 1 ? 'is' : 'are'} suspended and can’t sign in.`]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** When people could take a quiz that would be assigned to them. */
export function whenTaken({ status }: Pick<Quiz, 'status'>): string {
  return status === 'open' ? 'right away' : 'as soon as someone opens it';
}

/** Follows the sentence about an assignment; empty for a quiz that is open. */
export function untilOpen({ status }: Pick<Quiz, 'status'>): string {
  return status === 'open' ? '' : ' They can take it once it’s open.';
}
