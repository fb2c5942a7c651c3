import type { Directory } from '../directory/directory.ts';
import type { WhoIsWho } from '../directory/who-is-who.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Operation } from '../operations/operation.ts';
import type { Result } from '../operations/result.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import { explainFailure } from './failures.ts';
import { readInput, type RawInput, type Reading } from './read-input.ts';
import { canSee, explainLack, rightsOf } from './rights.ts';

/** Where a request came from. */
export interface Request {
  operation: Operation;
  raw: RawInput;
  slackId: string;
  through: 'command' | 'form' | 'choice';
}

/** What became of it. Sentences are plain text, not escaped. */
export type Outcome =
  | { kind: 'done'; result: Result }
  | { kind: 'refused'; sentence: string }
  | { kind: 'failed'; sentence: string }
  | Exclude<Reading, { kind: 'read' }>;

export type Execute = (request: Request) => Promise<Outcome>;

/** A person waits this long for the service, over all calls of one operation, before they are told to try again. */
const patienceMs = 20_000;

/**
 * The one way to run an operation: who is it, may they, what did they mean, run, record.
 * Rights come before reading, so that a refused person learns nothing of the account's names.
 */
export function createExecute(deps: {
  api: QuizApi;
  directory: Directory;
  whoIsWho: WhoIsWho;
  log: Log;
  metrics: Metrics;
  now: () => number;
  newReference: () => string;
}): Execute {
  const { api, directory, whoIsWho } = deps;

  return async function execute(request) {
    const reference = deps.newReference();
    const outcome = await attempt(request, reference);
    record(request, outcome, reference);
    return outcome;
  };

  async function attempt({ operation, raw, slackId }: Request, reference: string): Promise<Outcome> {
    try {
      const call: CallOptions = { deadline: deps.now() + patienceMs };
      const [actor, quizzes] = await Promise.all([
        whoIsWho.whoIs(slackId, { fresh: operation.access !== 'read', call }),
        directory.quizzes.get(call),
      ]);
      if (!rightsOf(actor).has(operation.right)) return { kind: 'refused', sentence: explainLack(actor, operation.right) };
      const sees = (quiz: Quiz) => canSee(actor, quiz);
      const reading = readInput(operation, raw, quizzes.filter(sees));
      if (reading.kind !== 'read') return reading;
      return { kind: 'done', result: await operation.run({ api, directory, sees, call }, reading.input) };
    } catch (error) {
      const { sentence, isOurs } = explainFailure(error, reference, deps.now());
      deps.log[isOurs ? 'error' : 'warn']({ error, reference, operation: operation.name }, 'operation failed');
      return { kind: 'failed', sentence };
    }
  }

  function record({ operation, slackId, through }: Request, outcome: Outcome, reference: string): void {
    deps.metrics.operations.inc({ operation: operation.name, outcome: outcome.kind });
    deps.log.info({ operation: operation.name, by: slackId, through, outcome: outcome.kind, reference }, 'operation');
  }
}
