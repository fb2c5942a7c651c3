import type { Directory } from '../directory/directory.ts';
import type { Actor, WhoIsWho } from '../directory/who-is-who.ts';
import { catalog } from '../operations/catalog.ts';
import type { Operation } from '../operations/operation.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import { canSee, explainLack, rightsOf } from './rights.ts';

/** What a person may see and is offered. Nothing is decided here: `execute` asks again, freshly, when they act. */
export interface Permissions {
  /** Why the person may not do this, as a sentence in plain text; undefined when they may. */
  refusal(operation: Operation, slackId: string): Promise<string | undefined>;
  /** What the person may do; where that is nothing, `sentence` says why. */
  offers(slackId: string): Promise<{ operations: readonly Operation[]; sentence: string | undefined }>;
  /** The quizzes to choose from, from the directory. */
  visibleQuizzes(slackId: string): Promise<readonly Quiz[]>;
}

export function createPermissions(deps: { directory: Directory; whoIsWho: WhoIsWho }): Permissions {
  const actor = (slackId: string): Promise<Actor> => deps.whoIsWho.whoIs(slackId, { fresh: false });

  return {
    async refusal(operation, slackId) {
      const person = await actor(slackId);
      return rightsOf(person).has(operation.right) ? undefined : explainLack(person, operation.right);
    },
    async offers(slackId) {
      const person = await actor(slackId);
      const rights = rightsOf(person);
      return {
        operations: catalog.filter(({ right }) => rights.has(right)),
        sentence: rights.has('known') ? undefined : explainLack(person, 'known'),
      };
    },
    async visibleQuizzes(slackId) {
      const [person, quizzes] = await Promise.all([actor(slackId), deps.directory.quizzes.get()]);
      return quizzes.filter((quiz) => canSee(person, quiz));
    },
  };
}
