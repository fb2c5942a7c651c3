import type { QuizStatus } from '../quiz-api/quizzes.ts';
import { readQuizzesOfGroups } from './group-quizzes.ts';
import { defineOperation } from './operation.ts';
import { mentionsInWords, partsOf, quote } from './typed-text.ts';

/** Which quizzes a list shows. A property that is missing narrows nothing. */
export interface QuizFilter {
  status?: QuizStatus;
  /** Words of the name. */
  name?: string;
}

const statuses = [
  { value: 'open', label: 'Open' },
  { value: 'in_design', label: 'In design' },
  { value: 'closed', label: 'Closed' },
] as const satisfies { value: QuizStatus; label: string }[];

export const listQuizzes = defineOperation({
  name: 'list-quizzes',
  command: '/quiz list [filter]',
  summary: 'List all quizzes, or search by name or state (open, closed, in design)',
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
    await directory.quizzes.fresh(call);
    if (!rights.has('staff') && actor.user) await readQuizzesOfGroups(actor.user, { directory, call });
    const names = await directory.quizzes.names(call);
    const search = (wanted: QuizFilter) =>
      names.search(wanted.name ?? '', { limit: Infinity, accepts: (quiz) => visibility.quiz(quiz) && (wanted.status === undefined || quiz.status === wanted.status) });
    const chosen = statuses.find(({ value }) => value === status)?.value;
    const filter = { ...parseQuizFilter(typed), ...(chosen && { status: chosen }), ...(name && { name }) };
    const quizzes = search(filter);
    // “open water” can be the name of a quiz that is closed.
    const isName = quizzes.length === 0 && typed !== '' && name === undefined && chosen === undefined;
    const byName = isName ? search({ name: typed }) : [];
    return byName.length > 0 ? { kind: 'quizzes', filter: { name: typed }, quizzes: byName } : { kind: 'quizzes', filter, quizzes };
  },
});

/** Reads a filter as people type it: `open`, `closed`, `in design`, and words of a name, in any order. Quoted text is a name. */
export function parseQuizFilter(text: string): QuizFilter {
  const filter: QuizFilter = {};
  const names: string[] = [];
  const parts = partsOf(text);
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const word = part.kind === 'word' ? part.text.toLowerCase() : '';
    const isInDesign = word === 'in' && parts[0]?.kind === 'word' && parts[0].text.toLowerCase() === 'design';
    if (isInDesign) parts.shift();
    const status = isInDesign || /^in[-_]design$/.test(word) ? 'in_design' : word;
    if (filter.status === undefined && (status === 'open' || status === 'closed' || status === 'in_design')) filter.status = status;
    else names.push(mentionsInWords(part.text));
  }
  const name = names.filter((one) => one !== '').join(' ');
  return { ...filter, ...(name !== '' && { name }) };
}

/** Writes a filter so that `parseQuizFilter` reads the same. */
export function formatQuizFilter({ status, name = '' }: QuizFilter): string {
  const isTypedAlone = parseQuizFilter(name).status === undefined && parseQuizFilter(name).name === name;
  return [status?.replace('_', ' ') ?? '', isTypedAlone || name === '' ? name : quote(name, ['“', '”'])].filter((part) => part !== '').join(' ');
}
