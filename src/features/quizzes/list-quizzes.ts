import { ageOfList } from '../../operations/next-step.ts';
import type { QuizStatus } from '../../quiz-api/quizzes.ts';
import { readQuizzesOfGroups } from './group-quizzes.ts';
import { defineOperation } from '../../operations/operation.ts';
import { quizzesPage } from './pages.ts';
import { parseQuizFilter, type QuizFilter } from './quiz-filter.ts';

const statuses = [
  { value: 'open', label: 'Open now' },
  { value: 'in_design', label: 'In design' },
  { value: 'closed', label: 'Closed' },
] as const satisfies { value: QuizStatus; label: string }[];

export const listQuizzes = defineOperation({
  name: 'list-quizzes',
  command: '/quiz list [filter]',
  synonyms: ['ls', 'find', 'search', 'quizzes'],
  summary: 'List all quizzes, or search by name or state (open, closed, in design)',
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'List',
  fields: {
    filter: { kind: 'text', label: 'Filter', maxLength: 250, optional: true, isParsed: true, typedOnly: true },
    name: { kind: 'text', label: 'Part of a name', maxLength: 250, optional: true },
    status: { kind: 'choice', label: 'Status', options: statuses, optional: true },
  },
  spread: ({ filter: [typed = ''] = [], ...given }) => {
    const { status, name } = parseQuizFilter(typed);
    return { ...(status && { status: [status] }), ...(name && { name: [name] }), ...given };
  },
  async run({ directory, visibility, actor, rights, call }, { filter: typed = '', name, status }) {
    const { names, readAt } = await directory.quizzes.recentNames(call);
    const age = ageOfList(readAt);
    if (!rights.has('staff') && actor.user) await readQuizzesOfGroups(actor.user, { directory, call });
    const search = (wanted: QuizFilter) =>
      names.search(wanted.name ?? '', {
        limit: Infinity,
        accepts: (quiz) => visibility.quiz(quiz) && (wanted.status === undefined || quiz.status === wanted.status),
      });
    const chosen = statuses.find(({ value }) => value === status)?.value;
    const filter = { ...parseQuizFilter(typed), ...(chosen && { status: chosen }), ...(name && { name }) };
    const quizzes = search(filter);
    // “open water” can be the name of a quiz that is closed.
    const isName = quizzes.length === 0 && typed !== '' && name === undefined && chosen === undefined;
    const byName = isName ? search({ name: typed }) : [];
    const page =
      byName.length > 0 ? quizzesPage(byName, { filter: { name: typed }, age }) : quizzesPage(quizzes, { filter, age });
    return { kind: 'page', ...page };
  },
});
