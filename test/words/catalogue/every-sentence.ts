import { catalog } from '../../../src/operations/catalog.ts';
import { formTitle } from '../../../src/slack/form/form.ts';
import { collectSentences, type Sentence } from './collect-sentences.ts';

/**
 * The sentences in the sources by their keys, in the order of the sources, and the titles of forms that are made of the names of
 * operations: “Close quiz”.
 */
export function everySentence(): Map<string, Sentence> {
  const titles = catalog
    .filter(({ title }) => title === undefined)
    .map((operation) => ({ key: formTitle(operation), file: 'src/slack/form/form.ts', parts: [] }));
  const sentences = new Map<string, Sentence>();
  for (const sentence of [...collectSentences(), ...titles]) {
    const known = sentences.get(sentence.key);
    sentences.set(sentence.key, known === undefined ? sentence : merged(known, sentence));
  }
  return sentences;
}

/** The same sentence at another place: a part has the words of both. */
function merged(one: Sentence, other: Sentence): Sentence {
  return {
    ...one,
    parts: one.parts.map(({ source, words }, index) => ({
      source,
      words: [...new Set([...words, ...(other.parts[index]?.words ?? [])])],
    })),
  };
}
