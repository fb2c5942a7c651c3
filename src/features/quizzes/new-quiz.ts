import { say } from '../../domain/said.ts';
import { runStep } from '../../operations/next-step.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import type { Step } from '../../operations/page.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { takeBackQuiz } from '../administration/take-back.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { TextField } from '../../operations/fields/text.ts';
import { QuizApiError, mayBeDone } from '../../quiz-api/errors.ts';

export const quizName = { kind: 'text', label: 'Name', maxLength: 250 } as const satisfies TextField;

/** `found`: the service did not confirm the change, and something new looks like it. */
export type Certainty = 'certain' | 'not listed' | 'found';

/** How sure it is that a quiz is the new one; `not listed` where the list does not tell which it is. */
export function certaintyOf({ record, isCertain }: Created<Quiz>): Certainty {
  if (!isCertain) return 'found';
  return record ? 'certain' : 'not listed';
}

/** What the answer says of a new quiz besides its message: what comes next, and where it surely is theirs, Undo. */
export function madeQuiz(
  { record, isCertain }: Created<Quiz>,
  nextSteps: (quiz: Quiz) => Step[],
): Pick<DoneResult, 'createdQuiz' | 'next'> {
  if (record === undefined) return {};
  const undo = runStep(say`Undo`, takeBackQuiz, { quiz: [record.quiz_id] });
  return isCertain ? { createdQuiz: record, next: [...nextSteps(record), undo] } : { next: nextSteps(record) };
}

/**
 * Creates a quiz and reads it into the directory. Names are not unique: where the service tells no id, the quiz is the only
 * one that is as asked and was not there before.
 */
export async function createAndFind(
  { api, directory, call }: OperationContext,
  steps: { create: () => Promise<string | null>; isAsAsked: (quiz: Quiz) => boolean },
): Promise<Created<Quiz>> {
  const before = new Set((await directory.quizzes.get(call)).map(({ quiz_id }) => quiz_id));
  const created = await createAndRead<Quiz>({
    create: steps.create,
    read: (quizId) => api.quizzes.get(quizId, call),
    async find() {
      const candidates = (await api.quizzes.list(call)).filter(
        (quiz) => !before.has(quiz.quiz_id) && steps.isAsAsked(quiz),
      );
      return candidates.length === 1 ? candidates[0] : undefined;
    },
    isOurs: () => true,
  });
  if (created.record) directory.quizzes.put(created.record);
  return created;
}

/** Something that was created. */
interface Created<Record> {
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
async function createAndRead<Record>(steps: {
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
