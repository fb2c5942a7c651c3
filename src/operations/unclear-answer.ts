import { BadRequestError, mayBeDone, NotFoundError } from '../quiz-api/errors.ts';

/** A change that the service did not make is sent so often, each time after the service was asked. */
export const sendsAtMost = 3;

/**
 * Whether the service may have made a change, although it says nothing or refuses it: a repeated request can be refused
 * because an earlier one was carried out.
 */
export function isUnclear(error: unknown, sends: number): boolean {
  return mayBeDone(error) || (sends > 1 && (error instanceof BadRequestError || error instanceof NotFoundError));
}

/**
 * Waits for a change. If the answer leaves open whether the quiz service made it, `isMade` looks.
 *
 * @returns whether the service confirmed the change
 * @throws the error of the change, unless it turns out to be made
 */
export async function isConfirmed(change: Promise<void>, isMade: () => Promise<boolean>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (mayBeDone(error) && (await isMade().catch(() => false))) return false;
    throw error;
  }
}
