import type { Group } from '../../quiz-api/users.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { isSubmitted } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';
import { defineOperation } from '../../operations/operation.ts';
import { runStep } from '../../operations/next-step.ts';
import type { Step } from '../../operations/page.ts';
import { byRespondent } from '../results/respondents.ts';
import { quizPage, type QuizUse } from './pages.ts';
import { say } from '../../domain/said.ts';

const minuteMs = 60_000;

export const showQuiz = defineOperation({
  name: 'show-quiz',
  command: '/quiz show <quiz>',
  synonyms: ['info', 'view', 'details'],
  summary: 'Show a quiz, who has it and how many took it',
  buttons: {
    quiz: [{ label: 'View', in: ['list'], position: 5, input: ({ quiz_id }) => ({ quiz: [quiz_id] }) }],
  },
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' } },
  async run(context, { quiz: { quiz_id: quizId, ...known } }) {
    const { api, directory, rights, visibility, takeLink, call } = context;
    const canSeeResults = rights.has('edit_quizzes') && visibility.quiz({ quiz_id: quizId });
    // The list says as much about a quiz as the call for a single quiz does, and `execute` reloads a list older than this anyway.
    const [groups, taken] = await Promise.all([
      api.quizzes.groups(quizId, call),
      canSeeResults ? readTaken(context, quizId) : undefined,
      directory.quizzes.fresh(call, minuteMs),
    ]);
    directory.quizGroups.put(quizId, groups);
    const quiz = (await directory.quizzes.names(call)).byId(quizId) ?? { quiz_id: quizId, ...known };
    const shown = {
      quiz,
      groups,
      takeLink: quiz.status === 'open' ? takeLink(quizId) : undefined,
      use: taken && { ...taken, people: await countPeople(context, quiz, groups) },
    };
    return { kind: 'page', ...quizPage(shown) };
  },
});

/** A button that shows a quiz. */
export function viewStep({ quiz_id }: Pick<Quiz, 'quiz_id'>): Step {
  return runStep(say`View quiz`, showQuiz, { quiz: [quiz_id] });
}

async function readTaken(context: OperationContext, quizId: string): Promise<Omit<QuizUse, 'people'>> {
  const { api, call } = context;
  const submitted = (await api.responses.list(quizId, call)).filter(isSubmitted);
  const [last] = submitted.toSorted((a, b) => (b.date_submitted?.getTime() ?? 0) - (a.date_submitted?.getTime() ?? 0));
  const questions = last && (await api.responses.questions(quizId, last.response_id, call)).length;
  return {
    questions: questions || undefined,
    taken: { people: (await byRespondent(context, submitted)).length, attempts: submitted.length },
  };
}

async function countPeople(
  { directory, call }: OperationContext,
  { quiz_id }: Quiz,
  groups: readonly Group[],
): Promise<QuizUse['people']> {
  const groupIds = new Set(groups.map(({ group_id }) => group_id).filter((id) => id !== ''));
  const people = { direct: 0, throughGroups: 0 };
  for (const user of await directory.users.get(call)) {
    if (user.quizzes.some((assigned) => assigned.quiz_id === quiz_id)) people.direct += 1;
    else if (user.groups.some(({ group_id }) => groupIds.has(group_id))) people.throughGroups += 1;
  }
  return people;
}
