import type { DigestItem } from './announcement.ts';
import type { Digest } from './queue-entry.ts';

/** Quizzes in the first message of a digest: with all figures and people, then in a line each. */
export const quizzesInFull = 6;
export const quizzesInBrief = 20;
/** People that the first message names for each quiz in full. */
export const peopleNamed = 10;

/** The digest of the first message, without the names that `digestRest` has. */
export function digestHead(digest: Digest, named: number): Digest {
  return {
    ...digest,
    quizzes: digest.quizzes.map((quiz, index) => ({
      ...quiz,
      failedNames: quiz.failedNames.slice(0, namedIn(index, named)),
    })),
  };
}

/** The quizzes that the first message leaves out, and the people it does not name, if it names `named` people for each quiz in full. */
export function digestRest({ quizzes }: Digest, named: number): DigestItem[] {
  return quizzes.flatMap((quiz, index): DigestItem[] => {
    const names = quiz.failedNames.slice(namedIn(index, named));
    const isInFirstMessage = index < quizzesInFull + quizzesInBrief;
    return names.length === 0 && !isInFirstMessage ? [{ quiz }] : names.map((name) => ({ quiz, name }));
  });
}

function namedIn(index: number, named: number): number {
  return index < quizzesInFull ? named : 0;
}
