import type { Quiz } from '../quiz-api/quizzes.ts';

/** What a typed name stands for. */
export type Match =
  | { kind: 'one'; quiz: Quiz }
  | { kind: 'several'; quizzes: Quiz[] }
  | { kind: 'none'; nearest: Quiz[] };

/** Names that begin with the words come first, then those that contain them all. */
export function searchQuizzes(quizzes: readonly Quiz[], text: string): Quiz[] {
  const wanted = plainName(text);
  const words = wanted.split(' ');
  return quizzes
    .map((quiz) => ({ quiz, name: plainName(quiz.name) }))
    .filter(({ name }) => words.every((word) => name.includes(word)))
    .toSorted((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name))
    .map(({ quiz }) => quiz);

  function rank(name: string): number {
    return name.startsWith(wanted) ? 0 : 1;
  }
}

/** Finds the quiz by its id, its name, or an unambiguous part of it; any case, accents or not. */
export function matchQuiz(quizzes: readonly Quiz[], text: string): Match {
  const byId = quizzes.find((quiz) => quiz.quiz_id === text.trim());
  if (byId) return { kind: 'one', quiz: byId };
  const wanted = plainName(text);
  const exact = quizzes.filter((quiz) => plainName(quiz.name) === wanted);
  const found = exact.length > 0 ? exact : searchQuizzes(quizzes, text);
  if (found.length === 0) return { kind: 'none', nearest: nearestQuizzes(quizzes, wanted) };
  const [first, ...others] = found as [Quiz, ...Quiz[]];
  return others.length === 0 ? { kind: 'one', quiz: first } : { kind: 'several', quizzes: found };
}

/** Lower case, without accents, white space folded. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const nearestAtMost = 3;
const likenessAtLeast = 0.3;

function nearestQuizzes(quizzes: readonly Quiz[], wanted: string): Quiz[] {
  return quizzes
    .map((quiz) => ({ quiz, likeness: likeness(plainName(quiz.name), wanted) }))
    .filter((candidate) => candidate.likeness >= likenessAtLeast)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, nearestAtMost)
    .map(({ quiz }) => quiz);
}

/** Sørensen–Dice over pairs of letters: 1 for the same text, 0 for nothing in common. */
function likeness(a: string, b: string): number {
  const pairsOfA = letterPairs(a);
  const pairsOfB = letterPairs(b);
  const shared = pairsOfA.intersection(pairsOfB).size;
  return (2 * shared) / (pairsOfA.size + pairsOfB.size || 1);
}

function letterPairs(text: string): Set<string> {
  const padded = ` ${text} `;
  return new Set(Array.from({ length: padded.length - 1 }, (_, start) => padded.slice(start, start + 2)));
}
