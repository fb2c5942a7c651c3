import { TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { formalities, locales, type Language, languages } from '../../../src/words/languages.ts';
import type { Sentence } from './collect-sentences.ts';
import { readEntries } from '../../../src/words/catalogues.ts';

/** What is wrong with a translation; empty where nothing is. */
export function problemsOf(language: Language, sentence: Sentence, translation: string): string[] {
  if (translation === '') return ['has no translation'];
  const elements = parsed(translation);
  if (typeof elements === 'string') return [elements];
  return [
    ...problemsOfParts(sentence, elements),
    ...problemsOfPlurals(language, elements),
    ...problemsOfFormality(elements),
    ...problemsOfMarkup(sentence.key, translation),
    ...(/["']/.test(translation.replaceAll(/`[^`]*`|'[{}]+'/g, ''))
      ? ['has a straight quotation mark or apostrophe']
      : []),
    ...(edges(sentence.key) === edges(textOf(elements)) ? [] : ['begins or ends with other spaces than the sentence']),
  ];
}

function parsed(translation: string): MessageFormatElement[] | string {
  try {
    return new IntlMessageFormat(translation, 'en', undefined, { ignoreTag: true }).getAst();
  } catch (error) {
    return `is no ICU message: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Every part must be read in every form of the sentence, save for English words that it chooses from. */
function problemsOfParts({ parts }: Sentence, elements: readonly MessageFormatElement[]): string[] {
  const known = new Set(['formality', ...parts.flatMap((_part, index) => [`${index}`, `n${index}`, `w${index}`])]);
  const used = namesIn(elements);
  const read = (index: number) => [`${index}`, `n${index}`, `w${index}`].some((name) => used.has(name));
  return [
    ...[...used].filter((name) => !known.has(name)).map((name) => `names {${name}}, which the sentence does not have`),
    ...parts.flatMap(({ words }, index) => (read(index) || words.length > 0 ? [] : [`leaves out {${index}}`])),
    ...parts.flatMap(({ words }, index) =>
      words.length > 0 && used.has(`${index}`)
        ? [`shows the English words of {${index}}: choose by {w${index}, select, …}`]
        : [],
    ),
  ];
}

function problemsOfPlurals(language: Language, elements: readonly MessageFormatElement[]): string[] {
  const categories = new Intl.PluralRules(locales[language])
    .resolvedOptions()
    // Of millions, in the Romance languages; `other` reads well there.
    .pluralCategories.filter((category) => category !== 'many' || language === 'pl');
  return selects(elements).flatMap((element) =>
    element.type === TYPE.plural && element.pluralType === 'cardinal'
      ? categories
          .filter((category) => !(category in element.options))
          .map((category) => `{${element.value}} has no form “${category}”`)
      : [],
  );
}

function problemsOfFormality(elements: readonly MessageFormatElement[]): string[] {
  return selects(elements).flatMap((element) =>
    element.value === 'formality'
      ? Object.keys(element.options)
          .filter((option) => option !== 'other' && !formalities.some((formality) => formality === option))
          .map((option) => `{formality} is never “${option}”`)
      : [],
  );
}

const codes = /`[^`]*`|:[a-z][\w+-]*:/g;

/** Code, bold and line breaks mean something to what shows the text. */
function problemsOfMarkup(key: string, translation: string): string[] {
  const count = (text: string, of: RegExp) => (text.match(of) ?? []).length;
  const codesOf = (text: string) => new Set(text.match(codes) ?? []);
  const missing = [...codesOf(key)].filter((code) => !codesOf(translation).has(code));
  const added = [...codesOf(translation)].filter((code) => !codesOf(key).has(code));
  const forms = /\{(?:formality|[nw]\d+), /.test(translation);
  return [
    ...missing.map((code) => `leaves out ${code}`),
    ...added.map((code) => `adds ${code}`),
    ...(forms || count(key, /\n/g) === count(translation, /\n/g) ? [] : ['has other line breaks']),
    ...(forms || count(key, /\*/g) === count(translation, /\*/g) ? [] : ['has other words in bold']),
  ];
}

function selects(elements: readonly MessageFormatElement[]) {
  const found: Extract<MessageFormatElement, { options: unknown }>[] = [];
  walk(elements, (element) => {
    if (element.type === TYPE.plural || element.type === TYPE.select) found.push(element);
  });
  return found;
}

function namesIn(elements: readonly MessageFormatElement[]): Set<string> {
  const names = new Set<string>();
  walk(elements, (element) => {
    if (element.type !== TYPE.literal && element.type !== TYPE.pound && 'value' in element) names.add(element.value);
  });
  return names;
}

function walk(elements: readonly MessageFormatElement[], visit: (element: MessageFormatElement) => void): void {
  for (const element of elements) {
    visit(element);
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const option of Object.values(element.options)) walk(option.value, visit);
  }
}

/** The first form of a message as text. */
function textOf(elements: readonly MessageFormatElement[]): string {
  return elements
    .map((element) =>
      element.type === TYPE.literal
        ? element.value
        : element.type === TYPE.plural || element.type === TYPE.select
          ? textOf(Object.values(element.options)[0]?.value ?? [])
          : '{}',
    )
    .join('');
}

/** The white space at both ends. */
function edges(text: string): string {
  return `${/^\s*/.exec(text)?.[0] ?? ''}|${/\s*$/.exec(text)?.[0] ?? ''}`;
}

/** What a catalogue lacks, has wrong, or has too much. */
export function problemsIn(language: Language, sentences: ReadonlyMap<string, Sentence>): string[] {
  const catalogue = readEntries(language);
  return [
    ...[...sentences.values()].flatMap((sentence) =>
      problemsOf(language, sentence, catalogue.get(sentence.key) ?? '').map(
        (problem) => `${language}: “${sentence.key}” ${problem} (${sentence.file})`,
      ),
    ),
    ...[...catalogue.keys()]
      .filter((key) => !sentences.has(key))
      .map((key) => `${language}: “${key}” is no sentence of the bot in ${languages.en} any more`),
  ];
}
