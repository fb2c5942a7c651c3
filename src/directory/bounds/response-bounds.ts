import type { QuizApiBounds, ResponseIds } from '../../quiz-api/bounded-quiz-api.ts';
import { OutsideGroupsError } from '../../quiz-api/errors.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Directory } from '../directory.ts';
import type { AccountNow } from './account-now.ts';
import type { AccountView } from './account-view.ts';
import { createQuizToRead } from './quiz-bounds.ts';
import { outside } from './refusals.ts';
import type { Belonging } from './rule.ts';

type Call = CallOptions | undefined;

/** Whether others have a quiz decides about its guests. */
const quizKnownForMs = 3_600_000;
/** Users whom the list lacks may be new. */
const usersKnownForMs = 60_000;
const responseKnownForMs = 60_000;
const responsesRemembered = 5_000;
/** A longer list of users is read no more often than in the background. */
const longFrom = 2_000;

export interface ResponseBounds extends Pick<
  QuizApiBounds,
  'responseFilter' | 'mayReadResponse' | 'mayDeleteResponse'
> {
  /** Whether a response that is reported belongs to the bot. Throws a `QuizApiError` where that cannot be told. */
  isOfBot(response: QuizResponse, call: CallOptions): Promise<boolean>;
}

export function createResponseBounds(deps: {
  account: AccountNow;
  /** Of the whole account. */
  api: Pick<QuizApi, 'responses'>;
  directory: Pick<Directory, 'users'>;
  mayAssignTo: QuizApiBounds['mayAssignTo'];
  now: () => number;
}): ResponseBounds {
  const { account, api, directory, now } = deps;
  const quizToRead = createQuizToRead(account);
  /** When responses of the bot were read, the latest last. */
  const readAt = new Map<string, number>();

  function remember({ quizId, responseId }: ResponseIds): void {
    const key = `${quizId}/${responseId}`;
    readAt.delete(key);
    readAt.set(key, now());
    for (const oldest of readAt.keys()) if (readAt.size > responsesRemembered) readAt.delete(oldest);
  }

  async function isLong(call: Call): Promise<boolean> {
    return (await directory.users.get(call)).length > longFrom;
  }

  async function quizOf(quizId: string, call: Call): Promise<Belonging> {
    await quizToRead(quizId, call);
    const belonging = await account.quiz(quizId, quizKnownForMs, call);
    if (belonging === 'others') throw outside('quiz');
    return belonging;
  }

  /** A user whom the list lacks is read by themselves. */
  async function belongs(response: QuizResponse, quiz: Belonging, call: Call): Promise<boolean> {
    const view = await account.view(call);
    if (!isUnknown(response, view)) return view.response(response, quiz);
    await account.user(response.user_id!, call, 'identity');
    return (await account.view(call)).response(response, quiz);
  }

  async function read(ids: ResponseIds, given: QuizResponse | undefined, call: Call): Promise<QuizResponse> {
    const quiz = await quizOf(ids.quizId, call);
    const response = given ?? (await api.responses.get(ids.quizId, ids.responseId, call));
    if (!(await belongs(response, quiz, call))) throw outside('response');
    remember(ids);
    return response;
  }

  return {
    async responseFilter(quizId, call) {
      const quiz = await quizOf(quizId, call);
      return async (responses) => {
        let view = await account.view(call);
        if (responses.some((response) => isUnknown(response, view)) && !(await isLong(call))) {
          await directory.users.fresh(call, usersKnownForMs);
          view = await account.view(call);
        }
        const kept = responses.filter((response) => view.response(response, quiz));
        for (const { response_id: responseId } of kept.slice(-responsesRemembered)) remember({ quizId, responseId });
        return kept;
      };
    },
    async mayReadResponse(ids, response, call) {
      const knownAt = readAt.get(`${ids.quizId}/${ids.responseId}`) ?? -Infinity;
      if (response === undefined && now() - knownAt < responseKnownForMs) return;
      await read(ids, response, call);
    },
    async mayDeleteResponse(ids, call) {
      const { user_id: userId } = await read(ids, undefined, call);
      if (userId !== null && userId !== '') await deps.mayAssignTo(userId, call);
    },
    async isOfBot(response, call) {
      if (!(await isLong(call))) await directory.users.fresh(call, usersKnownForMs).catch(() => {});
      const belonging = await quizOf(response.quiz_id, call).catch((error: unknown) => {
        if (error instanceof OutsideGroupsError) return 'others' as const;
        throw error;
      });
      return belonging !== 'others' && belongs(response, belonging, call);
    },
  };
}

function isUnknown({ user_id: userId }: QuizResponse, { userById }: AccountView): boolean {
  return userId !== null && userId !== '' && userById(userId) === undefined;
}
