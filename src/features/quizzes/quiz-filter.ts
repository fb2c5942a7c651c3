import type { QuizStatus } from '../../quiz-api/quizzes.ts';
import { meaningAmong } from '../../operations/other-words/meanings.ts';
import { mentionsInWords, partsOf, quote, type Token } from '../../operations/typed-text.ts';

/** Which quizzes a list shows. A property that is missing narrows nothing. */
export interface QuizFilter {
  status?: QuizStatus;
  /** Words of the name. */
  name?: string;
}

/** Reads a filter as people type it: `open`, `closed`, `in design`, and words of a name, in any order. Quoted text is a name. */
export function parseQuizFilter(text: string): QuizFilter {
  const inOther = statusInOther(text);
  if (inOther !== undefined) return { status: inOther };
  const filter: QuizFilter = {};
  const names: string[] = [];
  const parts = partsOf(text);
  /** After a status: “open now”, “closed quizzes”. */
  const isFiller = ({ kind, text: word }: Token) => kind === 'word' && /^(?:now|quizzes)$/i.test(word);
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const word = part.kind === 'word' ? part.text.toLowerCase().replace(/^(?:is|status|state):/, '') : '';
    const isInDesign = word === 'in' && parts[0]?.kind === 'word' && parts[0].text.toLowerCase() === 'design';
    if (isInDesign) parts.shift();
    const status = isInDesign || /^in[-_]design$/.test(word) ? 'in_design' : word;
    if (filter.status === undefined && (status === 'open' || status === 'closed' || status === 'in_design'))
      filter.status = status;
    else if (isFiller(part) && filter.status !== undefined && names.length === 0) continue;
    else names.push(mentionsInWords(part.text));
  }
  const name = names.filter((one) => one !== '').join(' ');
  return { ...filter, ...(name !== '' && { name }) };
}

/** The status that is the whole filter in another language. Beside other words, it belongs to a name: “Offene Fragen”. */
function statusInOther(text: string): QuizStatus | undefined {
  const tokens = partsOf(text);
  const status = meaningAmong(tokens, 0, ['open', 'closed', 'in design']);
  const noun = status && meaningAmong(tokens, status.length, ['quizzes']);
  if (status === undefined || status.length + (noun?.length ?? 0) !== tokens.length) return undefined;
  return status.english === 'in design' ? 'in_design' : status.english === 'open' ? 'open' : 'closed';
}

/** Writes a filter so that `parseQuizFilter` reads the same. */
export function formatQuizFilter({ status, name = '' }: QuizFilter): string {
  const isTypedAlone =
    !/^(?:now|quizzes)\b/i.test(name) &&
    parseQuizFilter(name).status === undefined &&
    parseQuizFilter(name).name === name;
  return [status?.replace('_', ' ') ?? '', isTypedAlone || name === '' ? name : quote(name, ['“', '”'])]
    .filter((part) => part !== '')
    .join(' ');
}
