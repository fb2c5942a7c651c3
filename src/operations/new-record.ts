import { QuizApiError, mayBeDone } from '../quiz-api/errors.ts';

/** Something that was created. */
export interface Created<Record> {
  /** Undefined where the service does not show it, or several things could be it. */
  record: Record | undefined;
  /** Whether an answer of the service says that it was created; otherwise, it was looked for and found. */
  isCertain: boolean;
}

/**
 * Creates something and reads it. A service may answer without an id, or not clearly: then it is looked for.
 *
 * @param steps.create resolves to the id, or to null where the answer names none
 * @param steps.find looks for what was created; undefined where it is not there, or several things could be it
 * @param steps.isOurs whether something found after an unclear answer can be nothing else
 * @throws the error of `create`, where it was refused, or unclear and nothing was found
 */
export async function createAndRead<Record>(steps: {
  create: () => Promise<string | null>;
  read: (id: string) => Promise<Record>;
  find: () => Promise<Record | undefined>;
  isOurs: (found: Record) => boolean;
}): Promise<Created<Record>> {
  let id: string | null;
  try {
    id = await steps.create();
  } catch (error) {
    const found = mayBeDone(error) ? await unlessAway(steps.find()) : undefined;
    if (found === undefined || !steps.isOurs(found)) throw error;
    return { record: found, isCertain: false };
  }
  // From here on it exists: an error must not make the creation look failed.
  return { record: await unlessAway(id === null ? steps.find() : steps.read(id)), isCertain: true };
}

async function unlessAway<Record>(reading: Promise<Record | undefined>): Promise<Record | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof QuizApiError) return undefined;
    throw error;
  }
}
