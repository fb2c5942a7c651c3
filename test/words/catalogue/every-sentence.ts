import { catalog } from '../../../src/operations/catalog.ts';
import { formTitle } from '../../../src/slack/form/form.ts';
import { collectSentences, type Sentence } from './collect-sentences.ts';

/** The sentences in the sources, and the titles of forms that are made of the names of operations: “Close quiz”. */
export function everySentence(): Sentence[] {
  const titles = catalog
    .filter(({ title }) => title === undefined)
    .map((operation) => ({ key: formTitle(operation), file: 'src/slack/form/form.ts', parts: [] }));
  return [...collectSentences(), ...titles];
}
