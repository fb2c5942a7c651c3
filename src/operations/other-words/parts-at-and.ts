import { splitPeople, tokenize } from '../typed-text.ts';
import { meaningAmong } from './meanings.ts';

/** The parts of a text between words such as “und”, “et” or “i”: once no name has such a word. */
export function partsAtAnd(text: string): string[] {
  const tokens = tokenize(text);
  const ands = tokens.filter((_, at) => at > 0 && meaningAmong(tokens, at, ['and'])?.length === 1);
  const ends = [0, ...ands.map(({ end }) => end)];
  return ends.map((from, index) => text.slice(from, ands[index]?.start).trim()).filter((part) => part !== '');
}

/** Several people, as `splitPeople` has them, also in other languages. */
export function splitPeopleAtAnd(text: string): string[] {
  return partsAtAnd(text).flatMap((part) => splitPeople(part));
}
