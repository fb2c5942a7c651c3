import { InvigilatorError, PlatformError } from '../domain/errors.ts';
import { failedWith, failedFor, isNotFound, QuizApiError } from '../quiz-api/errors.ts';
import { forEachAtOnce } from '../time/timers.ts';
import { unconfirmed } from './wording/words.ts';
import { say } from '../domain/said.ts';

/** Few, so that the requests of other people come in between. */
const requestsAtOnce = 4;

/**
 * A person waits for so many changes. More of them run as a batch: the service takes 60 requests a minute, and other people
 * need some of them.
 */
export const changesAtMost = 20;

/**
 * Makes a change to each of several things. Does what can be done, and says of the rest why it could not. Where an answer is
 * lost, it looks before it sends the change again.
 * @param how.couldNot the beginning of a sentence about a thing that stays as it was: “Couldn’t add ⁨Kim⁩”
 * @param how.isStopping whether the bot stops: then no further change is begun, and the answer says which are not made
 * @param how.findChanged finds the things that are changed, of those for which the service gave no clear answer
 * @param how.isOneOfMany whether it is a row of a batch, which is sent again in its own time
 * @param how.mayAllFail whether something was done before them, so that the answer says what was not
 * @returns `note` follows the sentence about what was done
 * @throws the first error, where nothing could be done
 */
export async function changeEach<Item>(
  items: readonly Item[],
  how: {
    change: (item: Item) => Promise<void>;
    couldNot: (item: Item) => string;
    findChanged?: (unclear: readonly Item[]) => Promise<ReadonlySet<Item>>;
    isStopping?: (() => boolean) | undefined;
    isOneOfMany?: boolean | undefined;
    mayAllFail?: boolean;
  },
): Promise<{ succeeded: Item[]; problems: string[]; note: string }> {
  const failed = new Map<Item, unknown>();
  let isNoted = false;
  let isKnown = true;
  for (let sends = 1, waiting = items; waiting.length > 0; sends += 1) {
    const { made, errors } = await sendEach(waiting, how);
    for (const item of made) failed.delete(item);
    // What had no turn the second time was sent before.
    for (const [item, error] of errors) if (!failed.has(item) || !isUnsent(error)) failed.set(item, error);
    const unclear = [...errors].flatMap(([item, error]) => (isUnclear(error, sends) ? [item] : []));
    const found = unclear.length === 0 ? new Set<Item>() : await how.findChanged?.(unclear).catch(() => undefined);
    isKnown &&= found !== undefined;
    for (const item of unclear) if (found?.has(item)) failed.delete(item);
    isNoted ||= found !== undefined && found.size > 0;
    const isWorthIt = found !== undefined && sends < sendsAtMost && !how.isOneOfMany;
    waiting = isWorthIt ? unclear.filter((item) => failed.has(item) && failedWith(errors.get(item), 'passesSoon')) : [];
  }
  const succeeded = items.filter((item) => !failed.has(item));
  const [firstFailure] = failed.values();
  if (succeeded.length === 0 && firstFailure !== undefined && !how.mayAllFail) throw firstFailure;
  const reason = (error: unknown) =>
    !isKnown && failedWith(error, 'mayBeDone')
      ? say`the quiz service didn’t answer, so check whether it was done`
      : reasonOf(error);
  return {
    succeeded,
    problems: [...failed].map(([item, error]) => `${how.couldNot(item)}: ${sentenceOf(error) ?? `${reason(error)}.`}`),
    note: isNoted ? ` ${unconfirmed}` : '',
  };
}

/** Sends the change of each once. */
async function sendEach<Item>(
  items: readonly Item[],
  { change, isStopping }: { change: (item: Item) => Promise<void>; isStopping?: (() => boolean) | undefined },
): Promise<{ made: Item[]; errors: Map<Item, unknown> }> {
  const made: Item[] = [];
  const errors = new Map<Item, unknown>();
  await forEachAtOnce(items, requestsAtOnce, async (item) => {
    if (isStopping?.() === true) {
      errors.set(item, new StoppingError('the bot stops'));
      return;
    }
    await change(item).then(
      () => made.push(item),
      (error: unknown) => errors.set(item, error),
    );
  });
  return { made, errors };
}

/** Whether nothing was sent: it says less than what an earlier attempt came to. */
function isUnsent(error: unknown): boolean {
  return error instanceof StoppingError || failedWith(error, 'hadNoTurn');
}

/** The bot stopped before the change had its turn. */
class StoppingError extends InvigilatorError {
  readonly code = 'stopping';
}

/** What the platform says of it, in whole sentences. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof PlatformError ? error.explanation : undefined;
}

/** What kept a change from being made. Only a request that was sent can lack an answer. */
function reasonOf(error: unknown): string {
  const ofStore = storeReasons.get(codeOf(error)) ?? storeReasons.get(codeOf(Object(error).cause));
  if (ofStore !== undefined) return ofStore;
  if (error instanceof StoppingError) return say`the bot restarted before it could send this`;
  if (!(error instanceof QuizApiError)) return say`something went wrong in the bot`;
  return error.facts.short ?? error.serviceMessage?.replace(/\.$/, '') ?? say`the quiz service refused it`;
}

/** By the code of the error: operations do not know the store. */
const storeReasons = new Map<unknown, string>([
  ['store_away', say`the bot can’t reach its own database right now`],
  ['store_full', say`the bot can’t write to its own database`],
]);

function codeOf(error: unknown): unknown {
  return Object(error).code;
}

/** A change that the service did not make is sent so often, each time after the service was asked. */
export const sendsAtMost = 3;

/**
 * Whether the service may have made a change, although it says nothing or refuses it: a repeated request can be refused
 * because an earlier one was carried out.
 */
export function isUnclear(error: unknown, sends: number): boolean {
  return failedWith(error, 'mayBeDone') || (sends > 1 && (failedFor(error, 'bad request') || isNotFound(error)));
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
    if (failedWith(error, 'mayBeDone') && (await isMade().catch(() => false))) return false;
    throw error;
  }
}
