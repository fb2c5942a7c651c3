import type { Target } from '../../domain/approval-request.ts';
import { unlessGone } from '../../quiz-api/errors.ts';
import type { Quiz, QuizStatus } from '../../quiz-api/quizzes.ts';
import { readQuizzesOfGroups } from '../../features/quizzes/group-quizzes.ts';
import { unquote } from '../typed-text.ts';
import { fromMatch, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';
import { dateInWords } from '../../time/date-words.ts';
import { statusInWords } from '../wording/words.ts';

/** A quiz the person may see; `status` narrows the picker to the quizzes that make sense here. */
export interface QuizField extends FieldBase {
  kind: 'quiz';
  status?: readonly QuizStatus[];
}

export const quizKind: FieldKind<QuizField, Quiz> = {
  followsFromPlace: false,
  canName: () => true,
  split: (typed) => [unquote(typed)],
  async resolve([text = ''], _field, { directory, visibility, actor, rights, call }) {
    if (!rights.has('staff') && actor.user) await readQuizzesOfGroups(actor.user, { directory, call });
    const names = await directory.quizzes.names(call);
    const asTyped = names.match(text, { accepts: visibility.quiz });
    // “the forklift quiz”
    const bare = text
      .replace(/^(?:the|our|my) /i, '')
      .replace(/(?<=. )(?:quiz|test|exam|course)$/i, '')
      .trim();
    const match = asTyped.kind === 'none' && bare !== text ? names.match(bare, { accepts: visibility.quiz }) : asTyped;
    return fromMatch(text, 'quiz', match, {
      candidate: ({ quiz_id, name }) => ({ value: quiz_id, label: name }),
      traits: quizTraits,
    });
  },
  identify: ({ quiz_id }) => [quiz_id],
  describe: ({ name }) => name,
  targets: (quiz) => [quizTarget(quiz)],
  async refetch(known, { api, directory, call }) {
    return directory.quizzes.read(known.quiz_id, () => api.quizzes.get(known.quiz_id, call).catch(unlessGone));
  },
  async narrow(text, { status }, { directory, visibility, limit }) {
    const accepts = (quiz: Quiz) =>
      visibility.quiz(quiz) && (status === undefined || status.some((accepted) => accepted === quiz.status));
    return (await directory.quizzes.namesAtHand()).search(text, { limit, accepts });
  },
};

/** What tells quizzes of the same name apart. */
export function quizTraits({ status, date_created }: Quiz): string[] {
  return [statusInWords(status), date_created === null ? '' : say`created ${dayInWords(date_created)}`];
}

/** In UTC: a label has no reader’s zone. */
function dayInWords(date: Date): string {
  return dateInWords(date, 'day', 'UTC');
}

function quizTarget({ quiz_id, name, status }: Quiz): Target {
  return { kind: 'quiz', id: quiz_id, name, facts: { Name: name, State: status.replace('_', ' ') } };
}
