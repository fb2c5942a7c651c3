import { failedWith, failedFor, QuizApiError, turnAfter } from '../../quiz-api/errors.ts';
import { answersQueue, type KnownQuestion, type QueueEntry, type Submission } from '../../domain/queues.ts';
import type { FailedQuestion } from '../../domain/announcement.ts';
import type { Mail } from '../../durable/mail.ts';
import { restFor, restsUntil, type Machine, type Rest } from '../../durable/machine.ts';
import type { Division } from '../../durable/remembered-states.ts';
import type { KnownAnswers } from '../../operations/services/records.ts';
import { backgroundPerMinute } from '../../quiz-api/budget/rate-windows.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import { isSubmitted, type Question, type QuizResponse } from '../../quiz-api/responses.ts';
import type { Outbox } from '../../storage/storage.ts';
import { backoffMs } from '../../time/timers.ts';
import { newestOf } from '../results/show-results.ts';
import { amongKnown, analysisOf, answersOf } from './operations/analysis.ts';

/** The answers to a quiz, as they are kept: which options, by the ID of the attempt, and nothing of who took it. */
export interface AnswersState extends Partial<Rest> {
  questions: readonly KnownQuestion[];
  /** The newest first, as they were listed; then those that came since with their answers. */
  attempts: readonly KeptAttempt[];
  /** Readings that failed, in a row. */
  failures?: number;
}

interface KeptAttempt {
  id: string;
  /** As they were listed: who marks the attempt later changes them. */
  points: number | null;
  /** Undefined until they are read; empty where the service has none. */
  answers?: string;
}

const nothingKept: AnswersState = { questions: [], attempts: [] };

/** The questions, and the attempts after them: each step writes only what it changes. */
export const answersDivision: Division<AnswersState, AnswersState['questions'] | KeptAttempt> = {
  divide: ({ questions, attempts, ...head }) => ({
    head: { ...head, ...nothingKept },
    parts: [questions, ...attempts],
  }),
  join(head, parts) {
    const questions = parts.find((part) => 'length' in part);
    const attempts = parts.filter((part) => 'id' in part);
    // Without the questions, nobody can tell what was answered.
    return { ...head, questions: questions ?? [], attempts: questions ? attempts : attempts.map(unread) };
  },
};

/** Of a quiz; those of 200 questions take 3 MB. */
const attemptsAtMost = 5_000;
/** In a step, which is then kept. */
const readAtOnce = 10;
const eachMs = 60_000 / backgroundPerMinute('inUse');
/** Of all calls of a step. A stop waits for them. */
const deadlineMs = 20_000;
const backoff = { firstMs: 30_000, longestMs: 3_600_000 };

/**
 * Reads the answers to a quiz in the background, with one request for each attempt, and at an even pace that always leaves people
 * as much of the budget as a command can need. Mail means that the attempts have changed: they are listed anew, those that are gone
 * leave, and those that are new, or have other points, are read; or it is an attempt with its answers, which is not asked for.
 */
export function answersMachine({
  responses,
  retentionMs,
  now,
}: {
  responses: Pick<Responses, 'using' | 'questions'>;
  retentionMs: number;
  now: () => number;
}): Machine<AnswersState> {
  const call = () => ({ priority: 'background' as const, deadline: now() + deadlineMs });

  return {
    mailAtMost: 100,
    keptAtRestMs: retentionMs,
    isBusy: ({ attempts }) => attempts.some(isUnread),
    restsUntil: ({ restsFrom, notBefore = 0 }, at) => restsUntil({ restsFrom, notBefore }, at),
    async step({ mailbox: { id }, state: before = nothingKept, mail }) {
      const quizId = Buffer.from(id, 'base64url').toString();
      const state = withAnswered(before, mail);
      const take = mail.map(({ position }) => position);
      if (mail.some(({ content }) => content.kind === 'refresh')) {
        const listed = await list(quizId);
        if (listed instanceof QuizApiError) return keepAfter(listed, before, now());
        const questions = listed.length === 0 ? [] : state.questions;
        return { kind: 'keep', state: { questions, attempts: withKept(listed, state) }, take };
      }
      if (mail.length > 0) return { kind: 'keep', state, take };
      if (!state.attempts.some(isUnread)) return { kind: 'rest', until: undefined };
      const begunAt = now();
      const { questions, read, failure } = await readSome(quizId, state);
      const attempts = state.attempts.map((attempt) => read.get(attempt.id) ?? attempt);
      if (failure !== undefined) return keepAfter(failure, { ...state, questions, attempts }, now());
      // Also mail waits for the pace: whatever comes, nothing is read sooner.
      const rest = restFor(Math.ceil(read.size * eachMs), begunAt);
      return { kind: 'keep', state: { questions, attempts, ...rest }, at: rest.notBefore };
    },
  };

  /** @returns none where the quiz is gone, and the failure where the service cannot be asked */
  async function list(quizId: string): Promise<KeptAttempt[] | QuizApiError> {
    try {
      return await responses.using(quizId, call(), toKeep);
    } catch (error) {
      if (failedFor(error, 'gone')) return [];
      if (error instanceof QuizApiError) return error;
      throw error;
    }
  }

  /** Reads the first attempts that are not read yet. @returns also what was read before a failure */
  async function readSome(quizId: string, state: AnswersState) {
    const options = call();
    const read = new Map<string, KeptAttempt>();
    let { questions } = state;
    for (const attempt of state.attempts.filter(isUnread).slice(0, readAtOnce)) {
      try {
        const answered = answersOf(questions, await responses.questions(quizId, attempt.id, options));
        questions = answered.questions;
        read.set(attempt.id, { ...attempt, answers: answered.answers });
      } catch (error) {
        if (!(error instanceof QuizApiError)) throw error;
        // Otherwise it was deleted meanwhile, or the service knows it no better.
        if (!failedFor(error, 'gone', 'invalid answer', 'bad request')) return { questions, read, failure: error };
        read.set(attempt.id, { ...attempt, answers: '' });
      }
    }
    return { questions, read };
  }
}

const unread = ({ id, points }: KeptAttempt): KeptAttempt => ({ id, points });

const isUnread = ({ answers }: KeptAttempt) => answers === undefined;

/** With the attempts that came with their answers. */
function withAnswered({ questions, attempts, ...state }: AnswersState, mail: readonly QueueEntry[]): AnswersState {
  const now = { ...state, questions, attempts };
  for (const { content } of mail) {
    if (content.kind !== 'answered') continue;
    const { id, points } = content;
    const { questions: known, answers } = amongKnown(now.questions, content);
    now.questions = known;
    const place = now.attempts.findIndex((one) => one.id === id);
    // The others keep their places, and so need not be written. Where there is no room, the oldest goes.
    const at = place < 0 ? Math.min(now.attempts.length, attemptsAtMost - 1) : place;
    now.attempts = now.attempts.toSpliced(at, 1, { id, points, answers });
  }
  return now;
}

/** Listed attempts, with the answers of those whose points are still the same. */
function withKept(listed: readonly KeptAttempt[], { attempts }: AnswersState): KeptAttempt[] {
  const kept = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  return listed.map((attempt) => {
    const before = kept.get(attempt.id);
    return before?.points === attempt.points ? before : attempt;
  });
}

/** The attempts that count, as they are kept before they are read. */
function toKeep(responses: readonly QuizResponse[]): KeptAttempt[] {
  return newestOf(responses.filter(isSubmitted), attemptsAtMost).map(({ response_id: id, points }) => ({ id, points }));
}

/** A state that goes on once the service answers again, or there is room for requests. */
function keepAfter(failure: QuizApiError, state: AnswersState, at: number) {
  const isFull = failedWith(failure, 'hadNoTurn');
  const failures = isFull ? 0 : (state.failures ?? 0) + 1;
  const pauseMs = isFull ? Math.max(1_000, (turnAfter(failure) ?? at) - at) : backoffMs(failures, backoff);
  const rest = restFor(pauseMs, at);
  return { kind: 'keep', state: { ...state, failures, ...rest }, at: rest.notBefore } as const;
}

/** The answers to each quiz of the account, for operations. */
export function createAnswers({
  outbox,
  mail,
  now,
}: {
  outbox: Pick<Outbox, 'stateOf'>;
  mail: Pick<Mail, 'put'>;
  now: () => number;
}) {
  async function changed(quizId: string): Promise<void> {
    await mail.put([
      { queue: answersQueue(quizId), subscriptionId: 'answers', at: now(), content: { kind: 'refresh' } },
    ]);
  }

  return {
    /** Keeps the answers that a webhook brought. */
    async answered({ quizId, responseId: id, points }: Submission, questions: readonly Question[]): Promise<void> {
      const content = { kind: 'answered' as const, id, points, ...answersOf([], questions) };
      await mail.put([{ queue: answersQueue(quizId), subscriptionId: 'answers', at: now(), content }]);
    },
    async of(quizId: string, responses: readonly QuizResponse[]): Promise<KnownAnswers> {
      const { state = nothingKept } = await outbox.stateOf<AnswersState>(answersQueue(quizId));
      const listed = toKeep(responses);
      const kept = new Map(state.attempts.map((attempt) => [attempt.id, attempt]));
      const isKnown = ({ id, points }: KeptAttempt) => kept.get(id)?.points === points;
      if (listed.length !== kept.size || !listed.every(isKnown)) await changed(quizId);
      return {
        questions: state.questions,
        counted: new Set(listed.map(({ id }) => id)),
        answers: new Map(
          listed.filter(isKnown).flatMap(({ id }): [string, string][] => {
            const { answers } = kept.get(id)!;
            return answers === undefined ? [] : [[id, answers]];
          }),
        ),
      };
    },
    /** The question that most people got wrong, of those whose answers are known. */
    async mostFailed(quizId: string): Promise<FailedQuestion | undefined> {
      const { state = nothingKept } = await outbox.stateOf<AnswersState>(answersQueue(quizId));
      const { marked } = await analysisOf(
        state.questions,
        state.attempts.flatMap(({ answers = [] }) => answers),
      );
      const [failed] = marked
        .map(({ question, asked, right = 0 }) => ({ quizId, question: question.text, asked, wrong: asked - right }))
        .toSorted((a, b) => b.wrong - a.wrong);
      return failed?.wrong === 0 ? undefined : failed;
    },
    /** Has what is kept of a quiz compared with what the service lists. */
    changed,
    /** Has what is kept of a deleted quiz go. Mostly that is nothing, and costs no request. */
    async deleted(quizId: string): Promise<void> {
      const { state } = await outbox.stateOf<AnswersState>(answersQueue(quizId));
      if (state !== undefined) await changed(quizId);
    },
  };
}
