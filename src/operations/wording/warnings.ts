import { named, namedList } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';

/** Sentences (`domain/sentence.ts`) about what comes to nothing, for people who are about to do it. */

/** Why an assignment has no effect for now; undefined where it has one. `suspended`: the names of people who cannot sign in. */
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

/** About a quiz that is opened for the first time. The service shows questions only in attempts. */
export function unseenQuestionsWarning(quiz: Quiz): string {
  return `Nobody has taken ${named(quiz.name)} yet, so there’s no way to see here whether it has questions. Check it in the quiz service first.`;
}
