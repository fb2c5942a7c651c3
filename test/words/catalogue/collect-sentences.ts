import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { betweenForms } from '../../../src/words/catalogues.ts';
import { isWorded } from '../../../src/domain/said.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import { formTitle } from '../../../src/slack/form/form.ts';

/** A sentence in the sources. */
export interface Sentence {
  /** With `{0}`, `{1}` for its parts: what catalogues call it. Something counted has both its forms: `# quiz ¦ # quizzes`. */
  key: string;
  file: string;
  /** For each part: its source, and its words where they are literals that it chooses from. */
  parts: readonly Part[];
}

interface Part {
  source: string;
  words: readonly string[];
}

/** Properties of operations and fields whose texts views show as sentences of the bot. */
const describing: ReadonlySet<string> = new Set(['label', 'hint', 'summary', 'submit', 'placeholder']);

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Every sentence of the bot, from its sources, in their order. */
export function collectSentences(files?: readonly string[]): Sentence[] {
  return collectTemplates(files).filter(hasWords);
}

/** The same with templates that have no words of their own, which are no sentences. */
export function collectTemplates(files: readonly string[] = spokenFiles()): Sentence[] {
  return files.flatMap((file) => templatesIn(file, readFileSync(file, 'utf8')));
}

export function sentencesIn(file: string, text: string): Sentence[] {
  return templatesIn(file, text).filter(hasWords);
}

export function hasWords({ key }: Sentence): boolean {
  return isWorded(key.replaceAll(/\{\d+\}/g, ''));
}

function spokenFiles(): string[] {
  return globSync('src/**/*.ts').filter(isSpoken).toSorted();
}

/** What only engineers read is English. */
function isSpoken(file: string): boolean {
  return !/^src\/(?:sandbox|tenants)\/|diagnose|^src\/(?:doctor|config|main|manifest)/.test(file);
}

function templatesIn(file: string, text: string): Sentence[] {
  const found: Sentence[] = [];
  const sourceOf = (node: Node) => text.slice(node.start, node.end);
  visit(parseSync(file, text).program);
  return found;

  function add(key: string, parts: readonly Node[] = []): void {
    found.push({ key, file, parts: parts.map((part) => ({ source: sourceOf(part), words: wordsOf(part) })) });
  }

  function visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    if (node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return;
    if (node.type === 'TaggedTemplateExpression' && /^say$/.test(sourceOf(node['tag'] as Node))) {
      const { quasis, expressions } = node['quasi'] as { quasis: Node[]; expressions: Node[] };
      const texts = quasis.map((quasi) => (quasi['value'] as { cooked: string }).cooked);
      add(
        texts.reduce((key, part, index) => `${key}{${index - 1}}${part}`),
        expressions,
      );
    }
    if (node.type === 'CallExpression' && sourceOf(node['callee'] as Node) === 'countOf') {
      const [count, one, many] = node['arguments'] as Node[];
      const forms = [one, many].flatMap((form) => (form === undefined ? [] : wordsOf(form)));
      if (count && forms.length === 2) add(forms.map((form) => `# ${form}`).join(betweenForms), [count]);
    }
    if (node.type === 'Property' && describing.has(nameOf(node['key'] as Node)))
      for (const words of wordsOf(node['value'] as Node)) add(words);
    for (const [field, value] of Object.entries(node)) if (field !== 'parent') visit(value);
  }
}

/** The literal texts that an expression chooses from. */
function wordsOf(node: Node): string[] {
  if (node.type === 'Literal') return typeof node['value'] === 'string' && node['value'] !== '' ? [node['value']] : [];
  if (node.type === 'ConditionalExpression')
    return [...wordsOf(node['consequent'] as Node), ...wordsOf(node['alternate'] as Node)];
  if (node.type === 'LogicalExpression') return [...wordsOf(node['left'] as Node), ...wordsOf(node['right'] as Node)];
  if (node.type === 'TemplateLiteral' && (node['expressions'] as unknown[]).length === 0)
    return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return [];
}

function nameOf(key: Node): string {
  return key.type === 'Identifier' ? String(key['name']) : key.type === 'Literal' ? String(key['value']) : '';
}

function isNode(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'type' in node && typeof node.type === 'string';
}

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
