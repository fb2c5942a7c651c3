import { respondentName } from '../../domain/short-name.ts';
import { NotFoundError } from '../../quiz-api/errors.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import { fitsFilter } from './filter.ts';

/** The attempt without what tells how to reach the person and where they were. */
export function withoutPersonalData(response: QuizResponse): QuizResponse {
  return { ...response, user_name: null, email_address: '', ip_address: '', access_code: '' };
}

const namesInMessage = 5;

/**
 * The attempt with this id, or the last attempt of the person with this name.
 * @throws {InvalidInputError} when nobody or several people fit, and with `mustBeOnly` when the person has several attempts
 */
export async function findAttempt(context: OperationContext, quiz: Quiz, typed: string, { mustBeOnly = false } = {}): Promise<QuizResponse> {
  const byId = canBeId(typed) ? await getAttempt(context, quiz, typed) : undefined;
  return byId ?? chooseAttempt(await attemptsOf(context, quiz, typed), quiz, typed, mustBeOnly);
}

/** Ids look like UUIDs (specification 2), and names of people rarely have digits. */
function canBeId(typed: string): boolean {
  return /^\S*\d\S*$/.test(typed);
}

async function getAttempt({ api, call }: OperationContext, quiz: Quiz, responseId: string): Promise<QuizResponse | undefined> {
  try {
    return await api.responses.get(quiz.quiz_id, responseId, call);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Latest submission first. */
async function attemptsOf({ api, timeZone, call }: OperationContext, quiz: Quiz, person: string): Promise<QuizResponse[]> {
  const responses = await api.responses.list(quiz.quiz_id, call);
  return responses
    .filter(fitsFilter({ person }, timeZone))
    .toSorted((a, b) => (b.date_submitted?.getTime() ?? 0) - (a.date_submitted?.getTime() ?? 0));
}

function chooseAttempt(attempts: readonly QuizResponse[], quiz: Quiz, typed: string, mustBeOnly: boolean): QuizResponse {
  const [last] = attempts;
  if (last === undefined) throw new InvalidInputError('response', `“${quiz.name}” has no attempt of “${typed}”. /quiz results lists those there are.`);
  const people = new Map(attempts.map((attempt) => [attempt.user_id ?? attempt.email_address, respondentName(attempt)]));
  if (people.size > 1) {
    const names = [...people.values()].slice(0, namesInMessage).join(', ');
    throw new InvalidInputError('response', `“${typed}” fits ${people.size} people: ${names}${people.size > namesInMessage ? ', …' : ''}. Type more of the name.`);
  }
  if (mustBeOnly && attempts.length > 1) {
    throw new InvalidInputError('response', `${respondentName(last)} has ${attempts.length} attempts. Choose the one in /quiz results.`);
  }
  return last;
}
