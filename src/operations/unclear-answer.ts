import { mayBeDone } from '../quiz-api/errors.ts';

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
