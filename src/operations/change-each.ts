import { QuizApiError } from '../quiz-api/errors.ts';

/** Few, so that the requests of other people come in between. */
const requestsAtOnce = 4;

/**
 * Makes a change to each of several things. Does what can be done, and says of the rest why it could not.
 * @param how.couldNot the beginning of a sentence about a thing that stays as it was: “Couldn’t add ⁨Kim⁩”
 * @throws the first error, where nothing could be done
 */
export async function changeEach<Item>(items: readonly Item[], how: { change: (item: Item) => Promise<void>; couldNot: (item: Item) => string }): Promise<{ succeeded: Item[]; problems: string[] }> {
  const succeeded: Item[] = [];
  const failed: { item: Item; error: unknown }[] = [];
  const waiting = [...items];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const item = next;
      await how.change(item).then(
        () => succeeded.push(item),
        (error: unknown) => failed.push({ item, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
  const [firstFailure] = failed;
  if (succeeded.length === 0 && firstFailure) throw firstFailure.error;
  return { succeeded, problems: failed.map(({ item, error }) => `${how.couldNot(item)}: ${reasonOf(error)}.`) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof QuizApiError)) return 'something went wrong in the bot';
  return error.serviceMessage?.replace(/\.$/, '') ?? 'the quiz service didn’t answer';
}
