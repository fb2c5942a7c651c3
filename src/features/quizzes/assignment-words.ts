import { named, namedList } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { say } from '../../domain/said.ts';

/** Why an assignment has no effect for now, as a sentence (`domain/sentence.ts`); undefined where it has one. `suspended`: the names of people who cannot sign in. */
export function assignmentWarning(quiz: Quiz, suspended: readonly string[] = []): string | undefined {
  const sentences = [
    ...(quiz.status === 'closed' ? [say`${named(quiz.name)} is closed, so nobody can take it until it’s open.`] : []),
    ...(quiz.status === 'in_design'
      ? [say`${named(quiz.name)} is in design, so nobody can take it until it’s open.`]
      : []),
    ...(suspended.length > 0
      ? [say`${namedList(suspended)} ${suspended.length === 1 ? 'is' : 'are'} suspended and can’t sign in.`]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** When people could take a quiz that would be assigned to them, or to a group that they are in. */
export function couldTake({ status }: Pick<Quiz, 'status'>, who: 'they' | 'everyone in the group'): string {
  if (who === 'they')
    return status === 'open'
      ? say`They could take it right away.`
      : say`They could take it as soon as someone opens it.`;
  return status === 'open'
    ? say`Everyone in the group could take it right away.`
    : say`Everyone in the group could take it as soon as someone opens it.`;
}

/** Follows the sentence about an assignment; empty for a quiz that is open. */
export function untilOpen({ status }: Pick<Quiz, 'status'>): string {
  return status === 'open' ? '' : ` ${say`They can take it once it’s open.`}`;
}
