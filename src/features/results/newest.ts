import type { QuizResponse } from '../../quiz-api/responses.ts';

/** The newest of the responses, the newest first. Sorting all of them would hold up the bot at 50,000. */
export function newestOf<Response extends QuizResponse>(responses: readonly Response[], count: number): Response[] {
  const oldestMs = Float64Array.from(responses, submittedMs).toSorted().at(-count) ?? -Infinity;
  return responses
    .filter((response) => submittedMs(response) >= oldestMs)
    .toSorted((a, b) => submittedMs(b) - submittedMs(a))
    .slice(0, count);
}

function submittedMs({ date_submitted }: QuizResponse): number {
  return date_submitted?.getTime() ?? 0;
}
