/** What a question to the real platform or the real quiz service brought: a part of a report that the operator passes on. */
export interface TrialAnswer {
  /** As a heading: “A message to the ID of a person”. */
  question: string;
  /** `expected`: as the bot relies on it. `other`: the bot should be changed. `open`: it was not tried, or did not tell. */
  state: 'expected' | 'other' | 'open';
  /** What was found, a line each, without secrets and personal data. */
  found: readonly string[];
  /** What in the bot relies on the answer, with the file. */
  relies: string;
}

/**
 * Asks a question; where asking fails, the answer says with which code.
 *
 * @throws whatever `ask` throws once the signal is aborted
 */
export async function answerOf(
  { question, relies }: Pick<TrialAnswer, 'question' | 'relies'>,
  signal: AbortSignal,
  ask: () => Promise<Pick<TrialAnswer, 'state' | 'found'>>,
  codeOf: (error: unknown) => string,
): Promise<TrialAnswer> {
  signal.throwIfAborted();
  try {
    return { question, relies, ...(await ask()) };
  } catch (error) {
    signal.throwIfAborted();
    return { question, relies, state: 'open', found: [`Not answered: the question failed (${codeOf(error)}).`] };
  }
}
