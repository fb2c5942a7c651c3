import { parseFilter } from '../../operations/clauses/filter-line.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import { ageOfList } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { QuizStatus } from '../../quiz-api/quizzes.ts';
import { readQuizzesOfGroups } from './group-quizzes.ts';
import { quizzesPage, type QuizFilter } from './pages.ts';

const statuses = [
  { value: 'open', label: 'Open now', also: ['open'] },
  { value: 'in_design', label: 'In design', also: ['in-design'] },
  { value: 'closed', label: 'Closed' },
] as const satisfies { value: QuizStatus; label: string; also?: string[] }[];

const fields = {
  name: { kind: 'text', label: 'Part of a name', maxLength: 250, optional: true },
  status: {
    kind: 'choice',
    label: 'Status',
    options: statuses,
    optional: true,
    clause: { words: [], example: 'open', standsAlone: true },
  },
} as const satisfies Fields;

export const listQuizzes = defineOperation({
  name: 'list-quizzes',
  command: '/quiz list [filter]',
  synonyms: ['ls', 'find', 'search', 'quizzes'],
  summary: 'List all quizzes, or search by name or state (open, closed, in design)',
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'List',
  fields,
  parse: (line) => parseFilter(line, fields, { name: 'name', fillers: ['now', 'quizzes'] }),
  async run({ directory, visibility, actor, rights, call }, { name, status }) {
    const { names, readAt } = await directory.quizzes.recentNames(call);
    if (!rights.has('staff') && actor.user) await readQuizzesOfGroups(actor.user, { directory, call });
    const search = (wanted: QuizFilter) =>
      names.search(wanted.name ?? '', {
        limit: Infinity,
        accepts: (quiz) => visibility.quiz(quiz) && (wanted.status === undefined || quiz.status === wanted.status),
      });
    const filter = { name, status: statuses.find(({ value }) => value === status)?.value };
    const found = search(filter);
    // “open water” can be the name of a quiz that is closed.
    const byName = found.length === 0 && name !== undefined ? search({ name }) : [];
    const age = ageOfList(readAt);
    const shown = byName.length > 0 ? { quizzes: byName, filter: { name } } : { quizzes: found, filter };
    return { kind: 'page', ...quizzesPage(shown.quizzes, { filter: shown.filter, age }) };
  },
});
