import type { Directory } from '../directory/directory.ts';
import type { WhoIsWho } from '../directory/who-is-who.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { InvalidInputError, type Operation } from '../operations/operation.ts';
import type { OutgoingFile } from '../operations/outgoing-file.ts';
import type { Result } from '../operations/result.ts';
import { BadRequestError } from '../quiz-api/errors.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import { explainFailure } from './failures.ts';
import { readInput, type RawInput, type Reader, type Reading } from './read-input.ts';
import { explainLack, rightsOf, sightOf } from './rights.ts';

/** Where a request came from. */
export interface Request {
  operation: Operation;
  /** What was typed or chosen; where a line can be read in several ways, the likeliest first. */
  raws: readonly [RawInput, ...RawInput[]];
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
  makePassword: () => string;
  sendFile: (slackId: string, file: OutgoingFile) => Promise<void>;
  timeZone: string;
}): Execute {
  const { api, directory, whoIsWho, makePassword, timeZone } = deps;

  return async function execute(request) {
    const reference = deps.newReference();
    const outcome = await attempt(request, reference);
    record(request, outcome, reference);
    return outcome;
  };

  async function attempt({ operation, raws, slackId }: Request, reference: string): Promise<Outcome> {
    try {
      const call: CallOptions = { deadline: deps.now() + patienceMs };
      // Right after a start nothing is at hand yet: what most operations need next loads meanwhile.
      directory.quizzes.get(call).catch(() => {});
      const actor = await whoIsWho.whoIs(slackId, { fresh: operation.access !== 'read', call });
      const rights = rightsOf(actor);
      if (!rights.has(operation.right)) return { kind: 'refused', sentence: explainLack(actor, operation.right) };
      const sight = sightOf(actor);
      const reading = await readLikeliest(operation, raws, { directory, whoIsWho, rights, sight, call });
      if (reading.kind !== 'read') return reading;
      const sendFile = (file: OutgoingFile) => deps.sendFile(slackId, file);
      const world = { api, directory, actor, rights, sight, timeZone, makePassword, sendFile, call };
      return { kind: 'done', result: await operation.run(world, reading.input) };
    } catch (error) {
      if (error instanceof InvalidInputError) return { kind: 'invalid', field: error.field, sentence: error.message };
      const { sentence, isOurs } = explainFailure(error, reference, deps.now());
      deps.log[isOurs ? 'error' : 'warn']({ error, reference, operation: operation.name }, 'operation failed');
      const field = error instanceof BadRequestError ? fieldNamedIn(error.serviceMessage ?? '', operation) : undefined;
      return field === undefined ? { kind: 'failed', sentence } : { kind: 'invalid', field, sentence };
    }
  }

  function record({ operation, slackId, through }: Request, outcome: Outcome, reference: string): void {
    deps.metrics.operations.inc({ operation: operation.name, outcome: outcome.kind });
    deps.log.info({ operation: operation.name, by: slackId, through, outcome: outcome.kind, reference }, 'operation');
  }
}

/** The first way to read the line that makes sense; where none does, what is wrong with the likeliest. */
async function readLikeliest(operation: Operation, raws: Request['raws'], reader: Reader): Promise<Reading> {
  const [likeliest, ...others] = raws;
  const first = await readInput(operation, likeliest, reader);
  if (first.kind === 'read') return first;
  for (const raw of others) {
    const reading = await readInput(operation, raw, reader);
    if (reading.kind === 'read') return reading;
  }
  return first;
}

/** The field a refusal of the service is about, where its message names it: `user_name`, or “user name”. */
function fieldNamedIn(message: string, operation: Operation): string | undefined {
  const words = message.toLowerCase();
  const names = Object.keys(operation.fields).toSorted((a, b) => b.length - a.length);
  return names.find((name) => words.includes(name) || words.includes(name.replaceAll('_', ' ')));
}
