/** @param quizTakeUrl the address where quizzes are taken, with `{quiz_id}` */
export function createTakeLink(quizTakeUrl: string | undefined): (quizId: string) => string | undefined {
  return (quizId) => quizTakeUrl?.replaceAll('{quiz_id}', () => encodeURIComponent(quizId));
}
