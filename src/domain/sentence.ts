import { shortName } from './short-name.ts';

/**
 * Sentences for people are plain text in which names are marked with Unicode isolates (FSI and PDI), so that whatever shows
 * the sentence can set them off: in bold, or in quotation marks. The marks also keep a right-to-left name from turning the
 * rest of the sentence: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
const [open, close] = ['\u2068', '\u2069'];
const marked = /\u2068([^\u2068\u2069]*)\u2069/gu;

/** Marks a name from outside within a sentence, on one line. */
export function named(name: string): string {
  return `${open}${shortName(name) || '(no name)'}${close}`;
}

/** Lists marked names: “⁨Rosa⁩, ⁨Kim⁩ and 3 others”. */
export function namedList(names: readonly string[], most = 10): string {
  return phraseList(names.map(named), most);
}

/** Lists phrases that may hold marked names: “⁨Rosa⁩ and the group ⁨Kitchen⁩”. */
export function phraseList(phrases: readonly string[], most = 10): string {
  const left = phrases.length - most;
  const shown = phrases.slice(0, left > 0 ? most : phrases.length);
  return listFormat.format(
    left > 0 ? [...shown, left === 1 ? '1 other' : `${left.toLocaleString('en')} others`] : shown,
  );
}

/** Created once: creating a format takes a hundred times as long as using it. */
const listFormat = new Intl.ListFormat('en-GB');

/** The parts of a sentence, in order: its names, and the words between them. */
export function partsOfSentence(sentence: string): { text: string; isName: boolean }[] {
  const parts = sentence.split(marked).map((text, index) => ({ text, isName: index % 2 === 1 }));
  return parts.filter(({ text, isName }) => isName || text !== '');
}

/** The sentence for places without markup, with its names in quotation marks. */
export function plainSentence(sentence: string): string {
  return sentence.replaceAll(marked, '“$1”').replaceAll(/[\u2068\u2069]/gu, '');
}
