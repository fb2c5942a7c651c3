import type { QuizStatus } from '../../quiz-api/quizzes.ts';
import { mentionsInWords, partsOf, quote, type Token } from '../../operations/typed-text.ts';

/** Which quizzes a list shows. A property that is missing narrows nothing. */
export interface QuizFilter {
  status?: QuizStatus;
  /** Words of the name. */
  name?: string;
}

/** Reads a filter as people type it: `open`, `closed`, `in design`, and words of a name, in any order. Quoted text is a name. */
export function parseQuizFilter(text: string): QuizFilter {
  const filter: QuizFilter = {};
  const names: string[] = [];
  const parts = partsOf(text);
  const isQuizzes = ({ kind, text: word }: Token) => kind === 'word' && word.toLowerCase() === 'quizzes';
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const word = part.kind === 'word' ? part.text.toLowerCase().replace(/^(?:is|status|state):/, '') : '';
    const isInDesign = word === 'in' && parts[0]?.kind === 'word' && parts[0].text.toLowerCase() === 'design';
    if (isInDesign) parts.shift();
    const status = isInDesign || /^in[-_]design$/.test(word) ? 'in_design' : word;
    if (filter.status === undefined && (status === 'open' || status === 'closed' || status === 'in_design'))
      filter.status = status;
    else if (isQuizzes(part) && filter.status !== undefined && names.length === 0) continue;
    else names.push(mentionsInWords(part.text));
  }
  const name = names.filter((one) => one !== '').join(' ');
  return { ...filter, ...(name !== '' && { name }) };
}

/** Writes a filter so that `parseQuizFilter` reads the same. */
export function formatQuizFilter({ status, name = '' }: QuizFilter): string {
  const isTypedAlone =
    !/^quizzes\b/i.test(name) && parseQuizFilter(name).status === undefined && parseQuizFilter(name).name === name;
  return [status?.replace('_', ' ') ?? '', isTypedAlone || name === '' ? name : quote(name, ['“', '”'])]
    .filter((part) => part !== '')
    .join(' ');
}
